package bigquery

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

// jobStatement is one job.
type jobStatement struct {
	client  *client
	name    jobReference
	over    bool   // the job has ended, one way or the other
	token   string // of the next page
	schema  *arrow.Schema
	batcher *driver.BatchBuilder
	cells   []textdecode.JSONCells
	rows    []resultRow // of the page that was read last
}

func (c *client) startJob(ctx context.Context, sql string) (remote.Statement, error) {
	switch n := countStatements(sql); {
	case n == 0:
		return nil, driver.EmptyStatementError()
	case n > 1:
		return nil, driver.SQLRejectedError("there is more than one statement in the text", nil)
	}
	s := &jobStatement{client: c, name: c.newJobReference()}
	if err := c.insertJob(ctx, &s.name, sql); err != nil {
		var status *remote.FailedResponse
		if errors.As(err, &status) && status.Code/100 == 4 && ctx.Err() == nil {
			return nil, classifyStartError(err)
		}
		// The request may have arrived all the same: a failed gateway, or a missing retry for
		// lack of time, proves nothing about the service behind it.
		return s, classifyStartError(err)
	}
	for s.schema == nil {
		if err := driver.ContextError(ctx); err != nil {
			return s, err
		}
		if err := s.fetchPage(ctx); err != nil {
			return s, err
		}
	}
	return s, nil
}

// fetchPage takes the next page, which is empty while the job runs.
func (s *jobStatement) fetchPage(ctx context.Context) error {
	p, err := s.client.fetchResultPage(ctx, s.name, s.token)
	if err != nil {
		var status *remote.FailedResponse
		s.over = errors.As(err, &status)
		return classifyRequestError(err)
	}
	if !p.Complete {
		return nil
	}
	if s.schema == nil {
		s.setSchema(p.Schema.Fields)
	}
	s.rows, s.token, s.over = p.Rows, p.PageToken, true
	return nil
}

func (s *jobStatement) setSchema(columns []columnSchema) {
	fields := make([]arrow.Field, len(columns))
	types := make([]textdecode.Decoder, len(columns))
	for i, f := range columns {
		types[i] = decoderForField(f)
		fields[i] = types[i].ArrowField(f.Name)
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.batcher = driver.NewBatchBuilder(s.schema)
	for i, t := range types {
		s.cells = append(s.cells, textdecode.NewJSONCells(t, s.batcher.FieldBuilder(i), isRepeatedOrRecord(columns[i])))
	}
}

func (s *jobStatement) Schema() *arrow.Schema { return s.schema }

func (s *jobStatement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for len(s.rows) == 0 {
		if s.token == "" {
			return nil, io.EOF
		}
		if err := s.fetchPage(ctx); err != nil {
			return nil, err
		}
	}
	return s.batcher.BuildNextBatch(s.appendNextRow)
}

// appendNextRow appends the next row of the page.
func (s *jobStatement) appendNextRow() (bytes int, more bool, err error) {
	if len(s.rows) == 0 {
		return 0, false, nil
	}
	cells := s.rows[0].Cells
	s.rows = s.rows[1:]
	if len(cells) != len(s.cells) {
		return 0, false, driver.DriverFailureError("the warehouse sent a row that does not fit its columns", nil)
	}
	for i, c := range cells {
		if err := s.cells[i].AppendCell(c.Value); err != nil {
			return 0, false, driver.DriverFailureError("column "+s.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(c.Value)
	}
	return bytes, true, nil
}

func (s *jobStatement) Cancel(ctx context.Context) {
	if !s.over {
		s.client.cancelJob(ctx, s.name)
	}
}

func (s *jobStatement) ReleaseBufferedRows() {
	if s.batcher != nil {
		s.batcher.Release()
	}
}
