package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
)

// many is a model whose one dataset has more rows than a batch, and a row that
// cannot be read.
const many = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT i, CASE WHEN i = 9000 THEN CAST('row ' || i AS BIGINT) ELSE i END AS odd FROM range(200000) AS t(i)
    fields:
      - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
      - {name: odd, expression: {dialects: [{dialect: ANSI_SQL, expression: odd}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.i)}]}}
  - {name: total_odd, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.odd)}]}}
`

const byRow = `{"metrics":["total"],"group_by":[{"field":"a.i"}]}`

func streamed(t *testing.T, e *engine.Engine, body string) *engine.Stream {
	t.Helper()
	s, err := askStream(t.Context(), e, metricQuery(t, body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStream_SameRowsAsExecute(t *testing.T) {
	s := streamed(t, shop(t), `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`)
	var out bytes.Buffer
	if n, err := s.Write(t.Context(), &out); n != 2 || err != nil {
		t.Fatalf("%d rows, error %v", n, err)
	}
	var rows [][]string
	schema, err := arrowstream.Read(&out, func(b arrow.RecordBatch) error {
		for i := range int(b.NumRows()) {
			rows = append(rows, []string{b.Column(0).ValueStr(i), b.Column(1).ValueStr(i)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]string{{"east", "340"}, {"west", "110"}}, rows); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"dialect": "duckdb", "sql": s.SQL}, schema.Metadata().ToMap()); d != "" {
		t.Error(d)
	}
}

func TestStream_HoldsSlotUntilClosed(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(many), MaxExecutions: 1})
	s := streamed(t, e, byRow)
	if _, err := askStream(t.Context(), e, metricQuery(t, byRow)); codeOf(err) != "busy" {
		t.Errorf("beside an open stream: %v", err)
	}
	if n, err := s.Write(t.Context(), io.Discard); n != 200000 || err != nil {
		t.Errorf("%d rows, error %v", n, err)
	}
	if e.RunningExecutions() != 1 {
		t.Error("the slot came back before Close")
	}
	if err := s.Close(); err != nil || e.RunningExecutions() != 0 {
		t.Errorf("%d slots are held after Close; error %v", e.RunningExecutions(), err)
	}
}

func TestStream_DeadlineBoundsFirstBatchOnly(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(many)})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	s, err := askStream(ctx, e, metricQuery(t, byRow))
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, err := s.Write(t.Context(), io.Discard); n != 200000 || err != nil {
		t.Errorf("%d rows, error %v", n, err)
	}
}

func TestStream_LateStartIsTimeout(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(slow)})
	if err := e.OpenEmbedded(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := askStream(ctx, e, metricQuery(t, `{"metrics":["distinct_values"]}`)); codeOf(err) != "timeout" {
		t.Fatalf("%v", err)
	}
	testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
}

func TestStream_EarlyFailureHasCode(t *testing.T) {
	t.Run("a failure before the first batch is an error with its code", func(t *testing.T) {
		e := open(t, engine.Config{ModelText: []byte(many)})
		for body, code := range map[string]string{
			`{"metrics":["totl"]}`:                      "unknown_metric",
			`{"metrics":["total"],"dialect":"mysql"}`:   "bad_request",
			`{"metrics":["total"],"connection":"none"}`: "config",
			`{"metrics":["total_odd"]}`:                 "sql_rejected", // one row of all: the failure comes first
		} {
			if _, err := askStream(t.Context(), e, metricQuery(t, body)); codeOf(err) != code {
				t.Errorf("%s: %v, want %s", body, err, code)
			}
		}
		q, err := query.DecodeDetail([]byte(`{"from":"b","fields":["i"]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := askStream(t.Context(), e, q); codeOf(err) != "unknown_dataset" {
			t.Errorf("%v", err)
		}
		if e.RunningExecutions() != 0 {
			t.Errorf("%d slots are held", e.RunningExecutions())
		}
	})
}

// stopping takes a number of writes and then does something else.
type stopping struct {
	writes int
	then   func() error
}

func (w *stopping) Write(p []byte) (int, error) {
	if w.writes == 0 {
		return 0, w.then()
	}
	w.writes--
	return len(p), nil
}

func TestStream_MidwayFailureLeavesNoMarker(t *testing.T) {
	t.Run("a database failure in the middle writes no end-of-stream marker", func(t *testing.T) {
		db, err := duckdb.Open(t.Context(), duckdb.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		const sql = "SELECT CASE WHEN i = 900000 THEN CAST('row ' || i AS BIGINT) ELSE i END AS i FROM range(1000000) AS t(i)"
		rows, err := db.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		s, err := engine.NewStream(t.Context(), "duckdb", sql, rows)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var out bytes.Buffer
		n, err := s.Write(t.Context(), &out)
		if codeOf(err) != "sql_rejected" || n == 0 || n > 900000 {
			t.Errorf("%d rows, error %v", n, err)
		}
		var read int64
		_, err = arrowstream.Read(&out, func(b arrow.RecordBatch) error { read += b.NumRows(); return nil })
		if !errors.Is(err, arrowstream.ErrTruncated) || read != n {
			t.Errorf("%d rows of %d are read, error %v", read, n, err)
		}
	})
}

func TestStream_EndsWithReader(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(many)})
	gone := errors.New("gone")
	_, err := streamed(t, e, byRow).Write(t.Context(), &stopping{2, func() error { return gone }})
	if !errors.Is(err, gone) || codeOf(err) != "" {
		t.Errorf("a reader that went away: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = streamed(t, e, byRow).Write(ctx, &stopping{2, func() error { cancel(); return gone }})
	if codeOf(err) != "timeout" {
		t.Errorf("an ended context: %v", err)
	}
	_, err = streamed(t, e, byRow).Write(t.Context(), &stopping{2, func() error { panic("boom") }})
	if codeOf(err) != "internal" {
		t.Errorf("a panic: %v", err)
	}
}

func TestStream_CloseEndsUnreadStream(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(many), MaxExecutions: 1})
	if err := streamed(t, e, byRow).Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := streamed(t, e, `{"metrics":["total"]}`).Write(t.Context(), io.Discard); n != 1 || err != nil {
		t.Errorf("%d rows, error %v", n, err)
	}
}

// counting yields batches of one number and then fails.
type counting struct {
	left   int
	err    error
	closed bool
}

func (c *counting) Schema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)
}

func (c *counting) Close() error { c.closed = true; return nil }

func (c *counting) Next(context.Context) (arrow.RecordBatch, error) {
	if c.left == 0 {
		return nil, c.err
	}
	c.left--
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.Append(int64(c.left))
	return array.NewRecordBatch(c.Schema(), []arrow.Array{b.NewArray()}, 1), nil
}

func TestStream_ReturnsErrorOfRows(t *testing.T) {
	failure := &engine.ExecuteError{Code: "driver", Message: "gone"}
	rows := &counting{left: 0, err: failure}
	if _, err := engine.NewStream(t.Context(), "duckdb", "SELECT", rows); !errors.Is(err, failure) || !rows.closed {
		t.Errorf("%v, closed %v", err, rows.closed)
	}
	rows = &counting{left: 2, err: failure}
	s, err := engine.NewStream(t.Context(), "duckdb", "SELECT", rows)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if n, err := s.Write(t.Context(), &out); n != 2 || !errors.Is(err, failure) {
		t.Errorf("%d rows, error %v", n, err)
	}
	if _, err := arrowstream.Read(&out, func(arrow.RecordBatch) error { return nil }); !errors.Is(err, arrowstream.ErrTruncated) {
		t.Errorf("what was written reads as whole: %v", err)
	}
	if err := s.Close(); err != nil || !rows.closed {
		t.Errorf("closed %v, error %v", rows.closed, err)
	}
}
