package databricks

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/semlayer/semlayer/executor/internal/arrowcast"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/internal/querytag"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

var (
	errUnencryptedLink = errors.New("a link to rows is not encrypted")
	errMissingRows     = errors.New("fewer rows came than were promised")
)

// statement is one statement of the warehouse and the chunk that is being read.
type statement struct {
	client *client
	id     string
	over   bool // the warehouse has ended it
	schema *arrow.Schema
	first  rowChunk
	rows   int64 // still to come

	// reading covers the chunks, whose bodies are read by many calls.
	reading context.Context
	cut     context.CancelFunc
	body    io.ReadCloser
	reader  *ipc.Reader
	link    *chunkLink
	left    int64 // rows of the chunk still to come
}

func (c *client) start(ctx context.Context, sql string) (remote.Statement, error) {
	if strings.TrimSpace(sql) == "" {
		return nil, execerr.NoStatement()
	}
	if err := c.checkSettings(ctx); err != nil {
		return nil, err
	}
	s, err := c.runStatement(ctx, c.newRequest(querytag.Comment(ctx)+sql))
	if s == nil {
		return nil, err
	}
	if err == nil {
		err = s.openFirstChunk(ctx)
	}
	return s, err
}

// runStatement executes a statement until it has succeeded. With an error it returns the
// statement if that has a name.
func (c *client) runStatement(ctx context.Context, r request) (*statement, error) {
	a, err := c.execute(ctx, r)
	if err != nil {
		return nil, classifyStart(err)
	}
	s := &statement{client: c, id: a.ID}
	s.reading, s.cut = context.WithCancel(context.WithoutCancel(ctx))
	for wait := firstPoll; ; wait = min(2*wait, lastPoll) {
		switch a.Status.State {
		case "PENDING", "RUNNING":
		case "SUCCEEDED":
			s.over = true
			return s, s.recordResponse(a)
		default:
			s.over = true
			return s, a.Status.classify()
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return s, execerr.Context(ctx)
		}
		if a, err = c.poll(ctx, s.id); err != nil {
			return s, classify(err)
		}
	}
}

func (s *statement) recordResponse(a *statementResponse) error {
	if a.Manifest.Truncated {
		return execerr.Driver("the result is larger than the warehouse hands out", nil)
	}
	s.first, s.rows = a.Result, a.Manifest.Rows
	s.schema = schemaOf(a.Manifest.Schema.Columns)
	return nil
}

// openFirstChunk opens the first chunk, whose schema is the rows' own.
func (s *statement) openFirstChunk(ctx context.Context) error {
	if s.rows == 0 {
		return nil
	}
	done := s.cancelWith(ctx)
	defer done()
	if err := s.open(s.first); err != nil {
		return err
	}
	s.schema = arrowcast.Schema(s.reader.Schema())
	return nil
}

// cancelWith lets ctx end the reading of chunks until the returned function is called.
func (s *statement) cancelWith(ctx context.Context) (done func() bool) {
	return context.AfterFunc(ctx, s.cut)
}

func (s *statement) open(c rowChunk) error {
	if len(c.Links) == 0 {
		return execerr.Driver("the warehouse sent no link to its rows", nil)
	}
	s.link = &c.Links[0]
	body, err := s.client.open(s.reading, *s.link)
	if err != nil {
		return classify(err)
	}
	s.body, s.left = body, s.link.Rows
	if s.reader, err = ipc.NewReader(body); err != nil {
		return execerr.ConnectionLost(err)
	}
	return nil
}

func (s *statement) close() {
	if s.reader != nil {
		s.reader.Release()
		s.reader = nil
	}
	if s.body != nil {
		_ = s.body.Close()
		s.body = nil
	}
}

func (s *statement) Schema() *arrow.Schema { return s.schema }

func (s *statement) Next(ctx context.Context) (arrow.RecordBatch, error) {
	done := s.cancelWith(ctx)
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
			return s.convert(batch)
		}
		if err := s.reader.Err(); err != nil {
			return nil, execerr.ConnectionLost(err)
		}
		if s.left != 0 {
			return nil, execerr.ConnectionLost(errMissingRows)
		}
		s.close()
	}
	return nil, io.EOF
}

func (s *statement) convert(batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	out, err := arrowcast.ConvertBatch(batch)
	if err != nil {
		return nil, err
	}
	if !out.Schema().Equal(s.schema) {
		out.Release()
		return nil, execerr.Driver("the warehouse sent rows of another type than before", nil)
	}
	return out, nil
}

// openNextChunk opens the chunk behind the last one.
func (s *statement) openNextChunk() error {
	if s.link == nil || s.link.Next == nil {
		return execerr.ConnectionLost(errMissingRows)
	}
	next, err := s.client.chunk(s.reading, s.id, *s.link.Next)
	if err != nil {
		return classify(err)
	}
	return s.open(*next)
}

func (s *statement) Cancel(ctx context.Context) {
	if !s.over {
		s.client.cancel(ctx, s.id)
	}
}

func (s *statement) Release() {
	s.cut()
	s.close()
}

// cancelAndRelease ends a statement without a waiting caller.
func (s *statement) cancelAndRelease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), acceptWait)
	defer cancel()
	s.Cancel(ctx)
	s.Release()
}
