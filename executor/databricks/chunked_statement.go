package databricks

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

var (
	errUnencryptedLink = errors.New("a link to rows is not encrypted")
	errTooFewRows      = errors.New("the warehouse sent fewer rows than it announced")
)

// chunkedStatement is one statement of the warehouse and the chunk that is being read.
type chunkedStatement struct {
	client *client
	id     string
	over   bool // the warehouse has ended it
	schema *arrow.Schema
	first  resultChunk
	rows   int64 // still to come

	// reading covers the chunks, whose bodies are read by many calls.
	reading context.Context
	cut     context.CancelFunc
	body    io.ReadCloser
	reader  *ipc.Reader
	link    *chunkLink
	left    int64 // rows of the chunk still to come
}

func (c *client) startStatement(ctx context.Context, sql string) (remote.Statement, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, driver.EmptyStatementError()
	}
	if err := c.checkTimeZoneAndANSIMode(ctx); err != nil {
		return nil, err
	}
	s, err := c.awaitStatement(ctx, c.newStatementRequest(driver.NewCommentForNextStatement(ctx)+sql))
	if s == nil {
		return nil, err
	}
	if err == nil {
		err = s.openFirstChunk(ctx)
	}
	return s, err
}

// awaitStatement executes a statement until it has succeeded. With an error it returns the
// statement if that has a name.
func (c *client) awaitStatement(ctx context.Context, r statementRequest) (*chunkedStatement, error) {
	a, err := c.submitStatement(ctx, r)
	if err != nil {
		return nil, classifyStartError(err)
	}
	s := &chunkedStatement{client: c, id: a.ID}
	s.reading, s.cut = context.WithCancel(context.WithoutCancel(ctx))
	for wait := firstPollInterval; ; wait = min(2*wait, maxPollInterval) {
		switch a.Status.State {
		case "PENDING", "RUNNING":
		case "SUCCEEDED":
			s.over = true
			return s, s.recordResponse(a)
		default:
			s.over = true
			return s, a.Status.toExecutorError()
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return s, driver.ContextError(ctx)
		}
		if a, err = c.getStatementStatus(ctx, s.id); err != nil {
			return s, classifyRequestError(err)
		}
	}
}

func (s *chunkedStatement) recordResponse(a *statementResponse) error {
	if a.Manifest.Truncated {
		return driver.DriverFailureError("the result is larger than the warehouse hands out", nil)
	}
	s.first, s.rows = a.Result, a.Manifest.Rows
	s.schema = emptyResultSchema(a.Manifest.Schema.Columns)
	return nil
}

// openFirstChunk opens the first chunk, whose schema is the rows' own.
func (s *chunkedStatement) openFirstChunk(ctx context.Context) error {
	if s.rows == 0 {
		return nil
	}
	done := s.stopReadingOnContextEnd(ctx)
	defer done()
	if err := s.openChunk(s.first); err != nil {
		return err
	}
	s.schema = convertedSchema(s.reader.Schema())
	return nil
}

// stopReadingOnContextEnd lets ctx end the reading of chunks until the returned function is called.
func (s *chunkedStatement) stopReadingOnContextEnd(ctx context.Context) (done func() bool) {
	return context.AfterFunc(ctx, s.cut)
}

func (s *chunkedStatement) openChunk(c resultChunk) error {
	if len(c.Links) == 0 {
		return driver.DriverFailureError("the warehouse sent no link to its rows", nil)
	}
	s.link = &c.Links[0]
	body, err := s.client.openChunkLink(s.reading, *s.link)
	if err != nil {
		return classifyRequestError(err)
	}
	s.body, s.left = body, s.link.Rows
	if s.reader, err = ipc.NewReader(body); err != nil {
		return driver.ConnectionLostError(err)
	}
	return nil
}

func (s *chunkedStatement) closeChunk() {
	if s.reader != nil {
		s.reader.Release()
		s.reader = nil
	}
	if s.body != nil {
		_ = s.body.Close()
		s.body = nil
	}
}

func (s *chunkedStatement) Schema() *arrow.Schema { return s.schema }

func (s *chunkedStatement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	done := s.stopReadingOnContextEnd(ctx)
	defer done()
	for s.rows > 0 {
		if s.reader == nil {
			if err := s.openNextChunk(); err != nil {
				return nil, err
			}
		}
		for s.reader.Next() {
			batch := s.reader.RecordBatch()
			s.left, s.rows = s.left-batch.NumRows(), s.rows-batch.NumRows()
			if batch.NumRows() == 0 {
				continue
			}
			return s.convertBatch(batch)
		}
		if err := s.reader.Err(); err != nil {
			return nil, driver.ConnectionLostError(err)
		}
		if s.left != 0 {
			return nil, driver.ConnectionLostError(errTooFewRows)
		}
		s.closeChunk()
	}
	return nil, io.EOF
}

func (s *chunkedStatement) convertBatch(batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	out, err := convertBatch(batch)
	if err != nil {
		return nil, err
	}
	if !out.Schema().Equal(s.schema) {
		out.Release()
		return nil, driver.DriverFailureError("the warehouse sent rows of another type than before", nil)
	}
	return out, nil
}

// openNextChunk opens the chunk after the last one.
func (s *chunkedStatement) openNextChunk() error {
	if s.link == nil || s.link.Next == nil {
		return driver.ConnectionLostError(errTooFewRows)
	}
	next, err := s.client.fetchChunkLinks(s.reading, s.id, *s.link.Next)
	if err != nil {
		return classifyRequestError(err)
	}
	return s.openChunk(*next)
}

func (s *chunkedStatement) Cancel(ctx context.Context) {
	if !s.over {
		s.client.cancelStatement(ctx, s.id)
	}
}

func (s *chunkedStatement) ReleaseBufferedRows() {
	s.cut()
	s.closeChunk()
}

// cancelAndRelease ends a statement without a waiting caller.
func (s *chunkedStatement) cancelAndRelease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxStatementIDWait)
	defer cancel()
	s.Cancel(ctx)
	s.ReleaseBufferedRows()
}
