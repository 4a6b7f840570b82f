package snowflake

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

var errTooFewRows = errors.New("the warehouse sent fewer rows than it announced")

// partitionedStatement is one statement of the account.
type partitionedStatement struct {
	client  *client
	handle  string
	over    bool // the account has ended it
	columns []columnSchema
	schema  *arrow.Schema
	batcher *driver.BatchBuilder
	cells   []textdecode.AppendTextFunc

	rows  []resultRow // of the partition that was read last
	next  int         // partition
	parts int
	left  int64 // rows still to come, those of the partition included
}

func (c *client) startStatement(ctx context.Context, sql string) (remote.Statement, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, driver.EmptyStatementError()
	}
	if err := c.checkQuotedNamesKeepCase(ctx); err != nil {
		return nil, err
	}
	s, err := c.awaitStatement(ctx, sql, driver.NextStatementTag(ctx))
	if s == nil {
		return nil, err
	}
	if err == nil {
		s.setSchema()
	}
	return s, err
}

// awaitStatement executes a statement until it has succeeded. With an error it returns the
// statement if that has a handle.
func (c *client) awaitStatement(ctx context.Context, sql, tag string) (*partitionedStatement, error) {
	a, err := c.submitStatement(ctx, sql, tag)
	if err != nil {
		return nil, classifyStartError(err)
	}
	s := &partitionedStatement{client: c, handle: a.Handle}
	for wait := firstPollInterval; a.running; wait = min(2*wait, maxPollInterval) {
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return s, driver.ContextError(ctx)
		}
		if a, err = c.pollStatement(ctx, s.handle); err != nil {
			s.over = isStatementFailure(err)
			return s, classifyRequestError(err)
		}
	}
	s.over, s.columns = true, a.Result.Columns
	s.rows, s.left, s.next, s.parts = a.Data, a.Result.Rows, 1, len(a.Result.Partitions)
	return s, nil
}

// checkQuotedNamesKeepCase finds out, once, whether names in quotation marks keep their letters.
func (c *client) checkQuotedNamesKeepCase(ctx context.Context) error {
	select {
	case c.names <- struct{}{}:
	case <-ctx.Done():
		return driver.ContextError(ctx)
	}
	defer func() { <-c.names }()
	if c.kept {
		return nil
	}
	s, err := c.awaitStatement(ctx, `SELECT 1 AS "kept"`, "")
	if err != nil {
		if s != nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxStatementHandleWait)
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

func (s *partitionedStatement) setSchema() {
	fields := make([]arrow.Field, len(s.columns))
	types := make([]textdecode.Decoder, len(s.columns))
	for i, c := range s.columns {
		types[i] = decoderForColumn(c)
		fields[i] = types[i].ArrowField(c.Name)
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.batcher = driver.NewBatchBuilder(s.schema)
	for i, t := range types {
		s.cells = append(s.cells, t.Bind(s.batcher.FieldBuilder(i)))
	}
}

func (s *partitionedStatement) Schema() *arrow.Schema { return s.schema }

func (s *partitionedStatement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for len(s.rows) == 0 {
		if s.next >= s.parts {
			if s.left != 0 {
				return nil, driver.ConnectionLostError(errTooFewRows)
			}
			return nil, io.EOF
		}
		a, err := s.client.fetchPartition(ctx, s.handle, s.next)
		if err != nil {
			return nil, classifyRequestError(err)
		}
		s.rows = a.Data
		s.next++
	}
	return s.batcher.BuildNextBatch(s.appendNextRow)
}

// appendNextRow appends the next row of the partition.
func (s *partitionedStatement) appendNextRow() (bytes int, more bool, err error) {
	if len(s.rows) == 0 {
		return 0, false, nil
	}
	r := s.rows[0]
	s.rows = s.rows[1:]
	s.left--
	if len(r) != len(s.cells) {
		return 0, false, driver.DriverFailureError("the warehouse sent a row that does not fit its columns", nil)
	}
	for i, text := range r {
		if text == nil {
			s.batcher.FieldBuilder(i).AppendNull()
			continue
		}
		if err := s.cells[i]([]byte(*text)); err != nil {
			return 0, false, driver.DriverFailureError("column "+s.schema.Field(i).Name+" cannot be carried: "+err.Error(), err)
		}
		bytes += len(*text)
	}
	return bytes, true, nil
}

func (s *partitionedStatement) Cancel(ctx context.Context) {
	if !s.over {
		s.client.cancelStatement(ctx, s.handle)
	}
}

func (s *partitionedStatement) ReleaseBufferedRows() {
	if s.batcher != nil {
		s.batcher.Release()
	}
}
