package restapi_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// repeated yields one batch over and over.
type repeated struct {
	batch arrow.RecordBatch
	left  int
}

func (r *repeated) Schema() *arrow.Schema { return r.batch.Schema() }
func (r *repeated) Close() error          { return nil }

func (r *repeated) Next(context.Context) (arrow.RecordBatch, error) {
	if r.left == 0 {
		return nil, io.EOF
	}
	r.left--
	r.batch.Retain()
	return r.batch, nil
}

// BenchmarkHTTP_Arrow is the way from a batch to the client, beside writing
// the same stream to nowhere: 2,097,152 rows of three numbers, 48 MiB.
func BenchmarkHTTP_Arrow(b *testing.B) {
	const size, count = 65536, 32
	numbers := array.NewInt64Builder(memory.DefaultAllocator)
	for i := range size {
		numbers.Append(int64(i))
	}
	column := numbers.NewArray()
	fields := []arrow.Field{{Name: "a", Type: column.DataType()}, {Name: "b", Type: column.DataType()}, {Name: "c", Type: column.DataType()}}
	batch := array.NewRecordBatch(arrow.NewSchema(fields, nil), []arrow.Array{column, column, column}, size)
	open := func(ctx context.Context) (*engine.Stream, error) {
		return engine.NewStream(ctx, "duckdb", "SELECT", &repeated{batch, count})
	}
	b.Run("nowhere", func(b *testing.B) {
		for b.Loop() {
			s, err := open(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Write(b.Context(), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N)*size*count/b.Elapsed().Seconds(), "rows/s")
	})
	b.Run("HTTP", func(b *testing.B) {
		server, err := restapi.New(streamer{open: open}, restapi.Config{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		ln := listen(b)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(ctx, ln) }()
		for b.Loop() {
			r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+ln.Addr().String()+"/v1/query/execute", strings.NewReader(aQuery))
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Accept", arrowType)
			got, err := http.DefaultClient.Do(r)
			if err != nil {
				b.Fatal(err)
			}
			n, err := io.Copy(io.Discard, got.Body)
			if err := errors.Join(err, got.Body.Close()); err != nil || n < 3*8*size*count {
				b.Fatalf("%d bytes, error %v", n, err)
			}
		}
		b.ReportMetric(float64(b.N)*size*count/b.Elapsed().Seconds(), "rows/s")
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	})
}
