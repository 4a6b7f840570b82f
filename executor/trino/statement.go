package trino

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/batchbuilder"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

// statement is one query of the cluster.
type statement struct {
	client  *client
	next    string // empty when the query has ended
	schema  *arrow.Schema
	batcher *batchbuilder.Batcher
	cells   []cell
	rows    [][]json.RawMessage // of the page that was read last
}

func (c *client) start(ctx context.Context, sql string) (remote.Statement, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, execerr.NoStatement()
	}
	p, err := c.post(ctx, sql)
	if err != nil {
		return nil, classifyStart(err)
	}
	s := &statement{client: c, next: p.NextURI}
	for {
		if err := s.recordPage(p); err != nil {
			return s, err
		}
		if s.schema != nil {
			return s, nil
		}
		if s.next == "" {
			// A statement that gives no rows, such as SET.
			s.schema = arrow.NewSchema(nil, nil)
			return s, nil
		}
		if err := execerr.Context(ctx); err != nil {
			return s, err
		}
		if p, err = c.get(ctx, s.next); err != nil {
			return s, classify(err)
		}
	}
}

// recordPage records the content of a page.
func (s *statement) recordPage(p *page) error {
	s.next = p.NextURI
	if p.Error != nil {
		s.next = ""
		return p.Error.classify()
	}
	if s.schema == nil && len(p.Columns) > 0 {
		s.describe(p.Columns)
	}
	s.rows = p.Data
	return nil
}

func (s *statement) describe(columns []column) {
	fields := make([]arrow.Field, len(columns))
	types := make([]textdecode.Type, len(columns))
	for i, c := range columns {
		types[i] = typeFor(c.Type)
		fields[i] = types[i].Field(c.Name)
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.batcher = batchbuilder.New(s.schema)
	for i, t := range types {
		s.cells = append(s.cells, newCell(t, s.batcher.Field(i)))
	}
}

func (s *statement) Schema() *arrow.Schema { return s.schema }

func (s *statement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for len(s.rows) == 0 {
		if s.next == "" {
			return nil, io.EOF
		}
		p, err := s.client.get(ctx, s.next)
		if err != nil {
			return nil, classify(err)
		}
		if err := s.recordPage(p); err != nil {
			return nil, err
		}
	}
	return s.batcher.Fill(s.row)
}

// row appends the next row of the page.
func (s *statement) row() (bytes int, more bool, err error) {
	if len(s.rows) == 0 {
		return 0, false, nil
	}
	row := s.rows[0]
	s.rows = s.rows[1:]
	if len(row) != len(s.cells) {
		return 0, false, execerr.Driver("the warehouse sent a row that does not fit its columns", nil)
	}
	for i, raw := range row {
		if err := s.cells[i].append(raw); err != nil {
			return 0, false, execerr.Driver("column "+s.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(raw)
	}
	return bytes, true, nil
}

func (s *statement) Cancel(ctx context.Context) {
	if s.next != "" {
		s.client.end(ctx, s.next)
	}
}

func (s *statement) Release() {
	if s.batcher != nil {
		s.batcher.Release()
	}
}
