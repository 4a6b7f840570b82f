package duckdb_test

import (
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// streamed is what the streaming benchmarks read: a key, a double and a text, in a
// file.
const (
	streamedRows = 2_000_000
	streamedSQL  = "SELECT i, d, s FROM t"
	streamedData = "CREATE TABLE t AS SELECT i, i * 1.5::DOUBLE AS d, 'status ' || i % 5 AS s FROM range(2000000) r(i)"
)

func streamedFile(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "stream.duckdb")
	writer, err := duckdb.Open(b.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{streamedData}})
	if err != nil {
		b.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkStreaming reads the same table in turn with a bare loop over the bindings, which
// fetches chunks and drops them, as record batches, as an Arrow stream and as JSON. The result
// is the ratio of each to the bare loop.
func BenchmarkStreaming(b *testing.B) {
	path := streamedFile(b)
	bare := bareLoop(b, path, sizeOf)
	e := open(b, duckdb.Options{Path: path})
	compare(b, []way{
		{"bare", bare},
		{"batches", func() int64 { return drain(b, e) }},
		{"arrow", func() int64 { return asArrow(b, e) }},
		{"json", func() int64 { return asJSON(b, e) }},
	})
}

// way is a way to read the table; it returns the rows.
type way struct {
	name string
	run  func() int64
}

// compare runs the ways in turn and reports each beside the first.
func compare(b *testing.B, ways []way) {
	took := make([]time.Duration, len(ways))
	turns := 0
	for b.Loop() {
		for i, w := range ways {
			begun := time.Now()
			if n := w.run(); n != streamedRows {
				b.Fatalf("%s: %d rows", w.name, n)
			}
			took[i] += time.Since(begun)
		}
		turns++
	}
	for i, w := range ways {
		b.ReportMetric(float64(turns)*streamedRows/took[i].Seconds()/1e6, w.name+"-Mrows/s")
		if i > 0 {
			b.ReportMetric(float64(took[i])/float64(took[0]), w.name+"/bare")
		}
	}
}

func sizeOf(_ *bindings.Result, chunk bindings.DataChunk) int64 {
	return int64(bindings.DataChunkGetSize(chunk))
}

func rowsOf(b *testing.B, e *duckdb.Executor) executor.Rows {
	rows, err := e.Query(b.Context(), streamedSQL)
	if err != nil {
		b.Fatal(err)
	}
	return rows
}

func drain(b *testing.B, e *duckdb.Executor) (n int64) {
	rows := rowsOf(b, e)
	defer rows.Close()
	for {
		batch, err := rows.Next(b.Context())
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		n += batch.NumRows()
		batch.Release()
	}
}

func asArrow(b *testing.B, e *duckdb.Executor) int64 {
	s, err := arrowstream.NewResultStreamFromRows(b.Context(), rowsOf(b, e))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	n, err := s.Write(b.Context(), io.Discard, nil)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

func asJSON(b *testing.B, e *duckdb.Executor) int64 {
	rows := rowsOf(b, e)
	defer rows.Close()
	result, err := jsonrows.CollectResult(b.Context(), rows, nil)
	if err != nil {
		b.Fatal(err)
	}
	return int64(result.Count)
}

// bareLoop opens the file with the bindings alone and fetches its chunks; see returns
// the rows of one and keeps nothing of it.
func bareLoop(b *testing.B, path string, see func(*bindings.Result, bindings.DataChunk) int64) func() int64 {
	var config bindings.Config
	var db bindings.Database
	var conn bindings.Connection
	var text string
	if bindings.CreateConfig(&config) != bindings.StateSuccess || bindings.SetConfig(config, "access_mode", "READ_ONLY") != bindings.StateSuccess {
		b.Fatal("no configuration")
	}
	defer bindings.DestroyConfig(&config)
	if bindings.OpenExt(path, &db, config, &text) != bindings.StateSuccess || bindings.Connect(db, &conn) != bindings.StateSuccess {
		b.Fatal(text)
	}
	b.Cleanup(func() {
		bindings.Disconnect(&conn)
		bindings.Close(&db)
	})
	return func() (n int64) {
		var prepared bindings.PreparedStatement
		var pending bindings.PendingResult
		var result bindings.Result
		defer bindings.DestroyPrepare(&prepared)
		defer bindings.DestroyPending(&pending)
		defer bindings.DestroyResult(&result)
		if bindings.Prepare(conn, streamedSQL, &prepared) != bindings.StateSuccess ||
			bindings.PendingPreparedStreaming(prepared, &pending) != bindings.StateSuccess ||
			bindings.ExecutePending(pending, &result) != bindings.StateSuccess {
			b.Fatal("the statement does not start")
		}
		for {
			chunk := bindings.FetchChunk(result)
			if chunk.Ptr == nil {
				return n
			}
			n += see(&result, chunk)
			bindings.DestroyDataChunk(&chunk)
		}
	}
}
