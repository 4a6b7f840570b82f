package snowflake

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/batchbuilder"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/internal/querytag"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

var errShort = errors.New("fewer rows came than were promised")

// statement is one statement of the account.
type statement struct {
	client  *client
	handle  string
	over    bool // the account has ended it
	columns []column
	schema  *arrow.Schema
	batcher *batchbuilder.Batcher
	cells   []textdecode.AppendText

	rows  []row // of the partition that was read last
	next  int   // partition
	parts int
	left  int64 // rows still to come, those of the partition included
}

func (c *client) start(ctx context.Context, sql string) (remote.Statement, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, execerr.NoStatement()
	}
	if err := c.checkQuotedNames(ctx); err != nil {
		return nil, err
	}
	s, err := c.run(ctx, sql, querytag.Text(ctx))
	if s == nil {
		return nil, err
	}
	if err == nil {
		s.describe()
	}
	return s, err
}

// run executes a statement until it has succeeded. With an error it returns the
// statement if that has a handle.
func (c *client) run(ctx context.Context, sql, tag string) (*statement, error) {
	a, err := c.submit(ctx, sql, tag)
	if err != nil {
		return nil, classifyStart(err)
	}
	s := &statement{client: c, handle: a.Handle}
	for wait := firstPoll; a.running; wait = min(2*wait, lastPoll) {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return s, execerr.Context(ctx)
		}
		if a, err = c.poll(ctx, s.handle); err != nil {
			s.over = statementEnded(err)
			return s, classify(err)
		}
	}
	s.over, s.columns = true, a.Result.Columns
	s.rows, s.left, s.next, s.parts = a.Data, a.Result.Rows, 1, len(a.Result.Partitions)
	return s, nil
}

// checkQuotedNames finds out, once, whether names in quotation marks keep their letters.
func (c *client) checkQuotedNames(ctx context.Context) error {
	select {
	case c.names <- struct{}{}:
	case <-ctx.Done():
		return execerr.Context(ctx)
	}
	defer func() { <-c.names }()
	if c.kept {
		return nil
	}
	s, err := c.run(ctx, `SELECT 1 AS "kept"`, "")
	if err != nil {
		if s != nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), acceptWait)
			defer cancel()
			s.Cancel(ctx)
		}
		return err
	}
	if len(s.columns) == 1 && s.columns[0].Name == "KEPT" {
		return &executor.Error{
			Code: executor.CodeConfig, Message: "QUOTED_IDENTIFIERS_IGNORE_CASE is on for this user",
			Hint: "ALTER USER … SET QUOTED_IDENTIFIERS_IGNORE_CASE = FALSE",
		}
	}
	c.kept = true
	return nil
}

func (s *statement) describe() {
	fields := make([]arrow.Field, len(s.columns))
	types := make([]textdecode.Type, len(s.columns))
	for i, c := range s.columns {
		types[i] = typeFor(c)
		fields[i] = types[i].Field(c.Name)
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.batcher = batchbuilder.New(s.schema)
	for i, t := range types {
		s.cells = append(s.cells, t.Bind(s.batcher.Field(i)))
	}
}

func (s *statement) Schema() *arrow.Schema { return s.schema }

func (s *statement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for len(s.rows) == 0 {
		if s.next >= s.parts {
			if s.left != 0 {
				return nil, execerr.ConnectionLost(errShort)
			}
			return nil, io.EOF
		}
		a, err := s.client.partition(ctx, s.handle, s.next)
		if err != nil {
			return nil, classify(err)
		}
		s.rows = a.Data
		s.next++
	}
	return s.batcher.Fill(s.row)
}

// row appends the next row of the partition.
func (s *statement) row() (bytes int, more bool, err error) {
	if len(s.rows) == 0 {
		return 0, false, nil
	}
	r := s.rows[0]
	s.rows = s.rows[1:]
	s.left--
	if len(r) != len(s.cells) {
		return 0, false, execerr.Driver("the warehouse sent a row that does not fit its columns", nil)
	}
	for i, text := range r {
		if text == nil {
			s.batcher.Field(i).AppendNull()
			continue
		}
		if err := s.cells[i]([]byte(*text)); err != nil {
			return 0, false, execerr.Driver("column "+s.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(*text)
	}
	return bytes, true, nil
}

func (s *statement) Cancel(ctx context.Context) {
	if !s.over {
		s.client.cancel(ctx, s.handle)
	}
}

func (s *statement) Release() {
	if s.batcher != nil {
		s.batcher.Release()
	}
}
