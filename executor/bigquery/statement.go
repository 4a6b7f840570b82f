package bigquery

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/batchbuilder"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/internal/httpapi"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

// statement is one job.
type statement struct {
	client  *client
	name    reference
	over    bool   // the job has ended, one way or the other
	token   string // of the next page
	schema  *arrow.Schema
	batcher *batchbuilder.Batcher
	cells   []cell
	rows    []row // of the page that was read last
}

func (c *client) start(ctx context.Context, sql string) (remote.Statement, error) {
	switch n := countStatements(sql); {
	case n == 0:
		return nil, execerr.NoStatement()
	case n > 1:
		return nil, execerr.Rejected("there is more than one statement in the text", nil)
	}
	s := &statement{client: c, name: c.newName()}
	if err := c.insert(ctx, &s.name, sql); err != nil {
		var status *httpapi.Status
		if errors.As(err, &status) && status.Code/100 == 4 && ctx.Err() == nil {
			return nil, classifyStart(err)
		}
		// The request may have arrived all the same: a failed gateway, or a missing retry for
		// lack of time, proves nothing about the service behind it.
		return s, classifyStart(err)
	}
	for s.schema == nil {
		if err := execerr.Context(ctx); err != nil {
			return s, err
		}
		if err := s.readPage(ctx); err != nil {
			return s, err
		}
	}
	return s, nil
}

// readPage takes the next page, which is empty while the job runs.
func (s *statement) readPage(ctx context.Context) error {
	p, err := s.client.resultPage(ctx, s.name, s.token)
	if err != nil {
		var status *httpapi.Status
		s.over = errors.As(err, &status)
		return classify(err)
	}
	if !p.Complete {
		return nil
	}
	if s.schema == nil {
		s.setColumns(p.Schema.Fields)
	}
	s.rows, s.token, s.over = p.Rows, p.PageToken, true
	return nil
}

func (s *statement) setColumns(columns []field) {
	fields := make([]arrow.Field, len(columns))
	types := make([]textdecode.Type, len(columns))
	for i, f := range columns {
		types[i] = typeFor(f)
		fields[i] = types[i].Field(f.Name)
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.batcher = batchbuilder.New(s.schema)
	for i, t := range types {
		s.cells = append(s.cells, cell{s.batcher.Field(i), t.Bind(s.batcher.Field(i)), isNested(columns[i])})
	}
}

func (s *statement) Schema() *arrow.Schema { return s.schema }

func (s *statement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for len(s.rows) == 0 {
		if s.token == "" {
			return nil, io.EOF
		}
		if err := s.readPage(ctx); err != nil {
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
	cells := s.rows[0].Cells
	s.rows = s.rows[1:]
	if len(cells) != len(s.cells) {
		return 0, false, execerr.Driver("the warehouse sent a row that does not fit its columns", nil)
	}
	for i, c := range cells {
		if err := s.cells[i].append(c.Value); err != nil {
			return 0, false, execerr.Driver("column "+s.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(c.Value)
	}
	return bytes, true, nil
}

func (s *statement) Cancel(ctx context.Context) {
	if !s.over {
		s.client.cancel(ctx, s.name)
	}
}

func (s *statement) Release() {
	if s.batcher != nil {
		s.batcher.Release()
	}
}
