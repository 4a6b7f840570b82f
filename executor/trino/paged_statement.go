package trino

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

// pagedStatement is one query of the cluster.
type pagedStatement struct {
	client  *client
	next    string // empty when the query has ended
	schema  *arrow.Schema
	batcher *driver.BatchBuilder
	cells   []textdecode.JSONCells
	rows    [][]json.RawMessage // of the page that was read last
}

func (c *client) startStatement(ctx context.Context, sql string) (remote.Statement, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, driver.EmptyStatementError()
	}
	p, err := c.postStatement(ctx, sql)
	if err != nil {
		return nil, classifyStartError(err)
	}
	s := &pagedStatement{client: c, next: p.NextURI}
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
		if err := driver.ContextError(ctx); err != nil {
			return s, err
		}
		if p, err = c.fetchNextPage(ctx, s.next); err != nil {
			return s, classifyRequestError(err)
		}
	}
}

// recordPage records the content of a page.
func (s *pagedStatement) recordPage(p *resultPage) error {
	s.next = p.NextURI
	if p.Error != nil {
		s.next = ""
		return p.Error.toExecutorError()
	}
	if s.schema == nil && len(p.Columns) > 0 {
		s.setSchema(p.Columns)
	}
	s.rows = p.Data
	return nil
}

func (s *pagedStatement) setSchema(columns []columnSchema) {
	fields := make([]arrow.Field, len(columns))
	types := make([]textdecode.Decoder, len(columns))
	for i, c := range columns {
		types[i] = decoderForType(c.Type)
		fields[i] = types[i].ArrowField(c.Name)
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.batcher = driver.NewBatchBuilder(s.schema)
	for i, t := range types {
		s.cells = append(s.cells, textdecode.NewJSONCells(t, s.batcher.FieldBuilder(i), false))
	}
}

func (s *pagedStatement) Schema() *arrow.Schema { return s.schema }

func (s *pagedStatement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for len(s.rows) == 0 {
		if s.next == "" {
			return nil, io.EOF
		}
		p, err := s.client.fetchNextPage(ctx, s.next)
		if err != nil {
			return nil, classifyRequestError(err)
		}
		if err := s.recordPage(p); err != nil {
			return nil, err
		}
	}
	return s.batcher.BuildNextBatch(s.appendNextRow)
}

// appendNextRow appends the next row of the page.
func (s *pagedStatement) appendNextRow() (bytes int, more bool, err error) {
	if len(s.rows) == 0 {
		return 0, false, nil
	}
	row := s.rows[0]
	s.rows = s.rows[1:]
	if len(row) != len(s.cells) {
		return 0, false, driver.DriverFailureError("the warehouse sent a row that does not fit its columns", nil)
	}
	for i, raw := range row {
		if err := s.cells[i].AppendCell(raw); err != nil {
			return 0, false, driver.DriverFailureError("column "+s.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(raw)
	}
	return bytes, true, nil
}

func (s *pagedStatement) Cancel(ctx context.Context) {
	if s.next != "" {
		s.client.cancelStatement(ctx, s.next)
	}
}

func (s *pagedStatement) ReleaseBufferedRows() {
	if s.batcher != nil {
		s.batcher.Release()
	}
}
