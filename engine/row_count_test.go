package engine_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// The keys of a result with the number of all rows, in their order, and the number in the metadata of Arrow.
var rowCountCases = []struct{ name, body, tail, arrow string }{
	{"groups beyond the limit", eachRow + `,"limit":2,"count":true}`, `"row_count":2,"limit":2,"limited":true,"total_rows":100000}`, "100000"},
	{"an offset without a limit", eachRow + `,"where_sql":"a.i < 5","offset":3,"count":true}`, `"row_count":2,"total_rows":5}`, "5"},
	{"the rows are all rows", eachRow + `,"where_sql":"a.i < 3","count":true}`, `"row_count":3,"total_rows":3}`, ""},
	{"fewer rows than the limit", eachRow + `,"where_sql":"a.i < 3","limit":4,"count":true}`, `"row_count":3,"limit":4,"total_rows":3}`, "3"},
	{"no row", eachRow + `,"where_sql":"a.i < 0","limit":4,"count":true}`, `"row_count":0,"limit":4,"total_rows":0}`, "0"},
	{"a detail query", `{"from":"a","fields":["i"],"limit":3,"count":true}`, `"row_count":3,"limit":3,"limited":true,"total_rows":100000}`, "100000"},
	{"before the warnings", `{"from":"a","fields":["i"],"limit":50000,"count":true}`,
		`"row_count":10000,"limit":10000,"limited":true,"total_rows":100000,"warnings":` + clamped + `}`, "100000"},
	{"false is the default", eachRow + `,"limit":2,"count":false}`, `"row_count":2,"limit":2,"limited":true}`, ""},
}

func TestCount_IsInJSONAndInTheMetadataOfArrow(t *testing.T) {
	for name, config := range map[string]engine.Config{"without a cache": {}, "with kept results": {CacheMiB: 64}} {
		config.ModelText, config.MaxExecutions = []byte(rows), 1 // the count and the rows share a slot
		e := open(t, config)
		for _, tt := range rowCountCases {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				for range 2 { // the second time the statement is known
					if text := string(answered(t, e, tt.body)); !strings.HasSuffix(text, "],"+tt.tail) {
						t.Errorf("…%s\nwant …%s", text[max(0, len(text)-200):], tt.tail)
					}
				}
				if got := metadata(t, e, tt.body)["total_rows"]; got != tt.arrow {
					t.Errorf("total_rows of the Arrow schema is %q, want %q", got, tt.arrow)
				}
			})
		}
	}
}

// A query without count compiles to the same statement as one with it, which adds count_sql.
func TestCount_AddsAStatementToCompile(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(rows)})
	for _, body := range []string{eachRow + `,"limit":2`, eachRow, `{"from":"a","fields":["i"]`} {
		var texts []string
		for _, q := range []string{body + "}", body + `,"count":true}`} {
			var c *engine.Compiled
			var err error
			if isDetail(q) {
				c, err = askSQL(t.Context(), e, detail(t, q))
			} else {
				c, err = askSQL(t.Context(), e, metricQuery(t, q))
			}
			if err != nil {
				t.Fatal(err)
			}
			if hasCount := strings.Contains(q, "count"); (c.CountSQL != "") != hasCount || hasCount && (!strings.Contains(c.CountSQL, `COUNT(*) AS "total_rows"`) || strings.Contains(c.CountSQL, "LIMIT")) {
				t.Errorf("%s: count_sql is %q", q, c.CountSQL)
			}
			texts = append(texts, c.SQL)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: %s", body, cmp.Diff(texts[0], texts[1]))
		}
	}
}

// recordingExecutor records the statements that it runs, and their deadlines.
type recordingExecutor struct {
	executor.Executor
	statements []string
	deadlines  []time.Time
}

func (r *recordingExecutor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	deadline, _ := ctx.Deadline()
	r.statements, r.deadlines = append(r.statements, sql), append(r.deadlines, deadline)
	return r.Executor.Query(ctx, sql)
}

// The count runs before the rows, in their slot and until their deadline; a kept statement counts on the connection of its request.
func TestCount_RunsInTheSlotOfTheRows(t *testing.T) {
	small, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{read(t, "testdata/orders.sql"), "DELETE FROM orders WHERE order_id > 1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = small.Close() })
	whole := &recordingExecutor{Executor: ready(t)}
	e, err := engine.Open(t.Context(), engine.Config{
		ModelPath: "testdata/orders.yaml", Logger: slog.New(slog.DiscardHandler),
		Connections: []engine.ProgramConnection{{Name: "whole", Executor: whole, MaxExecutions: 1}, {Name: "small", Executor: small, MaxExecutions: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	q := detail(t, `{"from":"orders","fields":["order_id"],"limit":1,"count":true,"connection":"whole"}`)
	got, err := askRows(ctx, e, q)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole.statements) != 2 || !strings.Contains(whole.statements[0], "COUNT(*)") || whole.statements[1] != got.SQL || whole.deadlines[0].IsZero() || !whole.deadlines[0].Equal(whole.deadlines[1]) {
		t.Errorf("the statements %q until %v", whole.statements, whole.deadlines)
	}
	q.Connection = "small"
	other, err := askRows(ctx, e, q)
	if err != nil {
		t.Fatal(err)
	}
	if *got.AllRows < 2 || *other.AllRows != 1 {
		t.Errorf("%d rows in one database and %d in the other, which has 1", *got.AllRows, *other.AllRows)
	}
}
