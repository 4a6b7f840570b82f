package restapi_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// batches yields batches of one row and then the error that after returns.
type batches struct {
	left   int
	width  int // bytes of a value
	after  func() error
	closed atomic.Bool
}

func (b *batches) Schema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{{Name: "text", Type: arrow.BinaryTypes.String}}, nil)
}

func (b *batches) Close() error {
	b.closed.Store(true)
	return nil
}

func (b *batches) Next(context.Context) (arrow.RecordBatch, error) {
	if b.left == 0 {
		return nil, b.after()
	}
	b.left--
	text := array.NewStringBuilder(memory.DefaultAllocator)
	text.Append(string(bytes.Repeat([]byte("x"), b.width)))
	return array.NewRecordBatch(b.Schema(), []arrow.Array{text.NewArray()}, 1), nil
}

func ends() error { return io.EOF }

// streamer is a service that streams what it is given.
type streamer struct {
	fake
	open func(context.Context) (*engine.Stream, error)
}

func (s streamer) Prepare(context.Context, query.Body) (engine.Statement, error) {
	return fakeStatement{fake: s.fake, stream: s.open}, nil
}

func streaming(rows engine.Rows) streamer {
	return streamer{open: func(ctx context.Context) (*engine.Stream, error) {
		return engine.NewStream(ctx, "duckdb", "SELECT 1", rows)
	}}
}

func logged(t *testing.T, s restapi.Service, j *testwait.Log) *restapi.Server {
	t.Helper()
	server, err := restapi.New(s, restapi.Config{Logger: slog.New(slog.NewTextHandler(j, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return server
}
