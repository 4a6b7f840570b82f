package engine_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

// oneNumber is the model of a table with one number, which a numberTable holds.
const oneNumber = `
version: 0.2.0.dev0
name: m
datasets:
  - name: t
    source: t
    fields:
      - {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
      - {name: d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(t.x)}]}}
  - {name: recent, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN t.d >= CURRENT_DATE THEN t.x END)}]}}
`

// numberTable is a warehouse whose statements all have one row, with the number of the table at the time of the statement.
type numberTable struct {
	value   atomic.Int64
	sent    atomic.Int64  // statements
	open    atomic.Int64  // rows that are not closed
	gate    chan struct{} // not nil: each statement waits for it before its row
	failure atomic.Pointer[error]
	batches int // of the row; 0 is 1
}

func (*numberTable) Dialect() string { return "duckdb" }
func (*numberTable) Close() error    { return nil }

func (n *numberTable) Query(ctx context.Context, _ string) (executor.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.sent.Add(1)
	if failure := n.failure.Load(); failure != nil {
		return nil, *failure
	}
	n.open.Add(1)
	return &numberRows{table: n, value: n.value.Load(), left: max(n.batches, 1)}, nil
}

type numberRows struct {
	table  *numberTable
	value  int64
	left   int
	closed atomic.Bool
}

var numberSchema = arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int64}}, nil)

func (*numberRows) Schema() *arrow.Schema { return numberSchema }

func (r *numberRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if r.table.gate != nil {
		select {
		case <-r.table.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if r.left == 0 {
		return nil, io.EOF
	}
	r.left--
	b := array.NewRecordBuilder(memory.DefaultAllocator, numberSchema)
	defer b.Release()
	b.Field(0).(*array.Int64Builder).Append(r.value) //nolint:forcetypeassert // by the schema
	return b.NewRecordBatch(), nil
}

func (r *numberRows) Close() error {
	if !r.closed.Swap(true) {
		r.table.open.Add(-1)
	}
	return nil
}

// caching opens an engine with a result cache over tables that are its connections, the first of them the default.
func caching(t *testing.T, c engine.Config, tables map[string]*numberTable) *engine.Engine {
	t.Helper()
	for name, table := range tables {
		c.Connections = append(c.Connections, engine.ProgramConnection{Name: name, Executor: table})
	}
	c.CacheMiB, c.Logger, c.CacheTTL = max(c.CacheMiB, 1), slog.New(slog.DiscardHandler), time.Hour
	if c.ModelText == nil {
		c.ModelText = []byte(oneNumber)
	}
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func total(connection string) *query.MetricQuery {
	return &query.MetricQuery{Metrics: []string{"total"}, Connection: connection}
}

// served executes a query and returns its rows and how the cache served it.
func served(t *testing.T, e preparer, q query.Body) (rows, outcome string) {
	t.Helper()
	ctx, use := engine.WithCacheUse(t.Context())
	r, err := askRows(ctx, e, q)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Rows), use.Outcome()
}

func wantServed(t *testing.T, e preparer, q query.Body, rows, outcome string) {
	t.Helper()
	if r, o := served(t, e, q); r != rows || o != outcome {
		t.Errorf("%s %s, want %s %s", o, r, outcome, rows)
	}
	awaitStatements(t, e)
}

// awaitStatements waits until no statement runs: the result of one may be kept after its request has it.
func awaitStatements(t *testing.T, e preparer) {
	t.Helper()
	if s, ok := e.(interface {
		ResultCacheStats() (engine.ResultCacheStats, bool)
	}); ok {
		testwait.Until(t, "no statement runs", func() bool { stats, _ := s.ResultCacheStats(); return stats.Waiting == 0 })
	}
}

func streamedBytes(t *testing.T, e preparer, q query.Body) (written []byte, tag, outcome string) {
	t.Helper()
	ctx, use := engine.WithCacheUse(t.Context())
	s, err := askStream(ctx, e, q)
	if err != nil {
		t.Fatal(err)
	}
	tag, err = s.ContentTag(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := s.Write(ctx, &out); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	awaitStatements(t, e)
	return out.Bytes(), tag, use.Outcome()
}

// A hit is byte for byte what a miss is, and what an engine without a cache gives, in every form.
func TestResultCache_HitEqualsMiss(t *testing.T) {
	with := open(t, engine.Config{ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql")}, CacheMiB: 8, CacheTTL: time.Hour})
	without := shop(t)
	for _, body := range []string{
		`{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}],"totals":[[]],"order_by":[{"key":"revenue"}]}`,
		`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"revenue"}]}`,
		`{"metrics":["revenue"],"where_sql":"customers.region = 'nowhere'","hints":true}`,
		`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}],"limit":1}`,
	} {
		q := metricQuery(t, body)
		plain, err := askRows(t.Context(), without, q)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		want, _ := plain.Body()
		wantArrow, _, _ := streamedBytes(t, without, q)
		var tags []string
		for _, outcome := range []string{"miss", "hit", "hit"} {
			ctx, use := engine.WithCacheUse(t.Context())
			r, err := askRows(ctx, with, q)
			if err != nil {
				t.Fatal(err)
			}
			awaitStatements(t, with)
			if got, _ := r.Body(); !bytes.Equal(got, want) || use.Outcome() != outcome {
				t.Errorf("%s of %s:\n%s\nwithout a cache:\n%s", use.Outcome(), body, got, want)
			}
			written, tag, _ := streamedBytes(t, with, q)
			if tags = append(tags, tag); !bytes.Equal(written, wantArrow) {
				t.Errorf("%s: the stream of a %s has other bytes than without a cache", body, outcome)
			}
		}
		if tags[0] == "" || tags[0] != tags[1] || tags[1] != tags[2] {
			t.Errorf("%s: the tags are %q", body, tags)
		}
	}
	if with.RunningExecutions() != 0 {
		t.Error("a slot is taken")
	}
}

// Batches of a driver stay what they were while the cache keeps them.
func TestResultCache_KeepsManyBatches(t *testing.T) {
	config := engine.Config{ModelText: []byte(oneNumber), Setup: []string{"CREATE TABLE t AS SELECT range AS x, DATE '2024-01-01' + CAST(range % 100 AS INTEGER) AS d FROM range(20000)"}}
	without := open(t, config)
	config.CacheMiB, config.CacheTTL = 8, time.Hour
	with := open(t, config)
	q, err := query.DecodeDetail([]byte(`{"from":"t","fields":["x","d"],"order_by":[{"key":"x","desc":true}],"limit":10000}`))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := askRows(t.Context(), without, q)
	if err != nil {
		t.Fatal(err)
	}
	wantArrow, _, _ := streamedBytes(t, without, q)
	for _, outcome := range []string{"miss", "hit", "hit"} {
		if rows, got := served(t, with, q); got != outcome || rows != string(plain.Rows) {
			t.Errorf("%s, want %s; the rows are equal: %v", got, outcome, rows == string(plain.Rows))
		}
		awaitStatements(t, with)
		if written, _, _ := streamedBytes(t, with, q); !bytes.Equal(written, wantArrow) {
			t.Error("the stream has other bytes than without a cache")
		}
	}
}

func TestResultCache_OneEntryForEveryFormAndSpelling(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	first, firstTag, outcome := streamedBytes(t, e, total("a"))
	if outcome != "miss" {
		t.Errorf("the first stream is a %s", outcome)
	}
	wantServed(t, e, total("a"), `[{"total":0}]`, "hit")
	wantServed(t, e, &query.SQLStatement{SQL: "select MEASURE(total) AS total from t", Connection: "a"}, `[{"total":0}]`, outcomeOfSecondSpelling(t, e))
	again, tag, _ := streamedBytes(t, e, total("a"))
	if !bytes.Equal(first, again) || tag != firstTag || tag == "" {
		t.Errorf("the second stream has the tag %q, the first %q", tag, firstTag)
	}
}

// outcomeOfSecondSpelling is hit where a statement in SQL becomes the same SQL as the query.
func outcomeOfSecondSpelling(t *testing.T, e *engine.Engine) string {
	t.Helper()
	texts := map[string]bool{}
	for _, q := range []query.Body{total("a"), &query.SQLStatement{SQL: "select MEASURE(total) AS total from t", Connection: "a"}} {
		c, err := ask(t.Context(), e, q, engine.Statement.SQL)
		if err != nil {
			t.Fatal(err)
		}
		texts[c.SQL] = true
	}
	if len(texts) == 1 {
		return "hit"
	}
	return "miss"
}

// Other rows have another tag, with the same SQL.
func TestResultCache_TagsAreOfTheContent(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	_, old, _ := streamedBytes(t, e, total("a"))
	table.value.Store(1)
	anew := total("a")
	anew.MaxAge = new(int64(0))
	_, fresh, _ := streamedBytes(t, e, anew)
	if old == "" || fresh == "" || old == fresh {
		t.Errorf("the tags are %q and %q", old, fresh)
	}
}

// Entries of a revision go with the last request of it, also if that ends after the engine was closed.
func TestResultCache_LastRequestOfARevisionDropsIt(t *testing.T) {
	table := &numberTable{}
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{
		CacheMiB: 1, CacheTTL: time.Hour, Logger: slog.New(slog.DiscardHandler), Drivers: []warehouse.Driver{duckdb.Driver()},
		Connections: []engine.ProgramConnection{{Name: "a", Executor: table}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	e, err := w.OpenModel(t.Context(), "m.yaml", []byte(oneNumber))
	if err != nil {
		t.Fatal(err)
	}
	wantServed(t, e, total("a"), `[{"total":0}]`, "miss")
	s, err := askStream(t.Context(), e, total("a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if stats, _ := e.ResultCacheStats(); stats.Entries != 1 {
		t.Errorf("%d entries while a request reads one", stats.Entries)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if stats, _ := e.ResultCacheStats(); stats.Entries != 0 || stats.Bytes != 0 {
		t.Errorf("%+v after the last request", stats)
	}
}

func TestResultCache_WhatDiffersIsNotShared(t *testing.T) {
	a, b := &numberTable{}, &numberTable{}
	b.value.Store(2)
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{
		CacheMiB: 1, CacheTTL: time.Hour, Drivers: []warehouse.Driver{duckdb.Driver()}, Logger: slog.New(slog.DiscardHandler),
		Connections: []engine.ProgramConnection{{Name: "a", Executor: a}, {Name: "b", Executor: b}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	openText := func(text string) *engine.Engine {
		e, err := w.OpenModel(t.Context(), "shop/m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	old := openText(oneNumber)
	wantServed(t, old, total("a"), `[{"total":0}]`, "miss")
	wantServed(t, old, total("b"), `[{"total":2}]`, "miss")
	wantServed(t, old, total("a"), `[{"total":0}]`, "hit")
	a.value.Store(1)
	changed := openText(oneNumber + "# another revision\n")
	wantServed(t, changed, total("a"), `[{"total":1}]`, "miss")
	wantServed(t, old, total("a"), `[{"total":0}]`, "hit")
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	if s, _ := changed.ResultCacheStats(); s.Entries != 1 {
		t.Errorf("%d entries when the old revision has gone, want that of the new one", s.Entries)
	}
	wantServed(t, changed, total("a"), `[{"total":1}]`, "hit")
}

func TestResultCache_NobodyGetsRowsOfAnotherIdentity(t *testing.T) {
	const policies = `version: 1
attributes: {region: {type: string}}
roles:
  regional:
    datasets:
      orders: {rows: "status = :user.region", fields: all}
    metrics: [revenue]
  wide:
    datasets: {"*": {rows: all, fields: all}}
    metrics: [revenue]
  wider:
    datasets: {"*": {rows: all, fields: all}}
    metrics: all
`
	e := open(t, engine.Config{
		ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql")}, CacheMiB: 8, CacheTTL: time.Hour,
		PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
	})
	asRole := func(name, role, region string) *engine.Reader {
		r, err := e.AsClaims(t.Context(), access.Claims{Name: name, Roles: []string{role}, Attributes: map[string]any{"region": region}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	as := func(name, region string) *engine.Reader { return asRole(name, "regional", region) }
	revenue := metricQuery(t, `{"metrics":["revenue"]}`)
	wantServed(t, as("ana", "completed"), revenue, `[{"revenue":350}]`, "miss")
	wantServed(t, as("bob", "cancelled"), revenue, `[{"revenue":100}]`, "miss")
	wantServed(t, as("ana", "completed"), revenue, `[{"revenue":350}]`, "hit")
	wantServed(t, as("bob", "cancelled"), revenue, `[{"revenue":100}]`, "hit")
	wantServed(t, as("eve", "completed"), revenue, `[{"revenue":350}]`, "hit") // the rights of ana
	wantServed(t, asRole("max", "wide", ""), revenue, `[{"revenue":450}]`, "miss")
	wantServed(t, asRole("ida", "wider", ""), revenue, `[{"revenue":450}]`, "miss") // the same SQL with other rights
}

// A hit is audited with its rows, like any request.
func TestResultCache_FactsOfTheAuditLog(t *testing.T) {
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": {batches: 3}})
	for _, outcome := range []string{"miss", "hit"} {
		for _, streams := range []bool{false, true} {
			record := new(audit.Record)
			ctx := audit.WithRecord(t.Context(), record)
			if streams {
				s, err := askStream(ctx, e, total("a"))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Write(ctx, io.Discard); err != nil {
					t.Fatal(err)
				}
				_ = s.Close()
			} else if _, err := askRows(ctx, e, total("a")); err != nil {
				t.Fatal(err)
			}
			awaitStatements(t, e)
			want := outcome
			if streams {
				want = "hit" // after the rows as JSON
			}
			if f := record.Facts(); f.Cache != want || f.Rows != 3 || !f.Executed {
				t.Errorf("%s, %d rows, executed %v; want %s with 3 rows", f.Cache, f.Rows, f.Executed, want)
			}
		}
	}
}

func TestResultCache_IsAFeature(t *testing.T) {
	if f := caching(t, engine.Config{}, nil).Capabilities().Features; !slices.Contains(f, "cache") {
		t.Errorf("the features are %v", f)
	}
	e := shop(t)
	if f := e.Capabilities().Features; slices.Contains(f, "cache") {
		t.Errorf("without a cache the features are %v", f)
	}
	if _, on := e.ResultCacheStats(); on {
		t.Error("an engine without the setting has a cache")
	}
}

// An operator ends a statement that several requests wait for: its own request gets code timeout, and the others run it again.
func TestResultCache_OperatorEndsOneRequest(t *testing.T) {
	table := &numberTable{gate: make(chan struct{})}
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{
		CacheMiB: 1, CacheTTL: time.Hour, Logger: slog.New(slog.DiscardHandler), Drivers: []warehouse.Driver{duckdb.Driver()}, ListExecutions: true,
		Connections: []engine.ProgramConnection{{Name: "a", Executor: table}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	e, err := w.OpenModel(t.Context(), "m.yaml", []byte(oneNumber))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	run := func(id string) <-chan error {
		ended := make(chan error, 1)
		go func() {
			_, err := askRows(engine.WithQueryID(t.Context(), id), e, total("a"))
			ended <- err
		}()
		return ended
	}
	first := run("first")
	testwait.Until(t, "the statement runs", func() bool { return table.open.Load() == 1 })
	second := run("second")
	testwait.Until(t, "the statement is listed", func() bool { return len(w.Executions()) == 1 && w.Executions()[0].QueryID == "first" })
	if n := w.CancelExecution("first"); n != 1 {
		t.Errorf("%d executions are ended", n)
	}
	if err := testwait.Receive(t, "the first request", first); codeOf(err) != "timeout" {
		t.Errorf("the first request: %v", err)
	}
	close(table.gate)
	if err := testwait.Receive(t, "the second request", second); err != nil {
		t.Errorf("the second request: %v", err)
	}
	testwait.Until(t, "nothing is listed", func() bool { return len(w.Executions()) == 0 })
}

func TestResultCache_VolatileStatementsBypassIt(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	q := &query.MetricQuery{Metrics: []string{"recent"}, Connection: "a"}
	wantServed(t, e, q, `[{"recent":0}]`, "bypass")
	table.value.Store(1)
	wantServed(t, e, q, `[{"recent":1}]`, "bypass")
	if _, _, outcome := streamedBytes(t, e, q); outcome != "bypass" {
		t.Errorf("a stream is a %s", outcome)
	}
	if s, _ := e.ResultCacheStats(); s.Entries != 0 || s.Requests["bypass"] != 3 {
		t.Errorf("%+v", s)
	}
}

// A profile sets the time of its kept results, or keeps none.
func TestResultCache_ProfilesChangeIt(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "t.csv"), []byte("x,d\n7,2024-01-01\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := open(t, engine.Config{ModelText: []byte(oneNumber), CacheMiB: 1, CacheTTL: time.Nanosecond, ConnectionsText: []byte(
		"datasources:\n  kept: {type: duckdb, data: '" + folder + "', cache: {ttl_secs: 3600}}\n  off: {type: duckdb, data: '" + folder + "', cache: {enabled: false}}\n  plain: {type: duckdb, data: '" + folder + "'}\n",
	)})
	for _, test := range []struct{ connection, first, second string }{
		{"kept", "miss", "hit"}, {"off", "bypass", "bypass"}, {"plain", "miss", "miss"},
	} {
		wantServed(t, e, total(test.connection), `[{"total":7}]`, test.first)
		wantServed(t, e, total(test.connection), `[{"total":7}]`, test.second)
	}
}

func TestResultCache_MaxAgeZeroRunsAnew(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	wantServed(t, e, total("a"), `[{"total":0}]`, "miss")
	table.value.Store(1)
	now := total("a")
	now.MaxAge = new(int64(0))
	wantServed(t, e, now, `[{"total":1}]`, "bypass")
	wantServed(t, e, total("a"), `[{"total":1}]`, "hit") // its result has replaced the old one
	hour := total("a")
	hour.MaxAge = new(int64(1 << 62))
	wantServed(t, e, hour, `[{"total":1}]`, "hit")
}

// The rows quota belongs to a reader, and bounds kept rows too.
func TestResultCache_RowQuotaBoundsKeptRows(t *testing.T) {
	table := &numberTable{batches: 3}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	wantServed(t, e, total("a"), `[{"total":0},{"total":0},{"total":0}]`, "miss")
	if _, err := askRows(withRows(t.Context(), 2), e, total("a")); codeOf(err) != "result_too_large" {
		t.Errorf("a kept result of three rows with a quota of two: %v", err)
	}
	if _, err := askRows(withRows(t.Context(), 3), e, total("a")); err != nil {
		t.Errorf("with a quota of three: %v", err)
	}
	if table.sent.Load() != 1 {
		t.Errorf("%d statements", table.sent.Load())
	}
}

func TestResultCache_OneSlotForAllThatWait(t *testing.T) {
	table := &numberTable{gate: make(chan struct{})}
	e := caching(t, engine.Config{MaxExecutions: 1}, map[string]*numberTable{"a": table})
	first, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := askRows(first, e, total("a"))
		gone <- err
	}()
	testwait.Until(t, "the statement runs", func() bool { return table.open.Load() == 1 })
	const waiting = 32
	type answer struct {
		rows string
		err  error
	}
	got := make(chan answer, waiting)
	var begun sync.WaitGroup
	for range waiting {
		begun.Add(1)
		go func() {
			begun.Done()
			r, err := askRows(t.Context(), e, total("a"))
			if err != nil {
				got <- answer{err: err}
				return
			}
			got <- answer{rows: string(r.Rows)}
		}()
	}
	begun.Wait()
	another := &query.MetricQuery{Metrics: []string{"total"}, GroupBy: []query.GroupBy{{Field: "t.x"}}, Connection: "a"}
	if _, err := askRows(t.Context(), e, another); codeOf(err) != "busy" {
		t.Errorf("another statement: %v", err)
	}
	leave()
	if err := testwait.Receive(t, "the first request", gone); codeOf(err) != "timeout" {
		t.Errorf("the first request, whose client has left: %v", err)
	}
	close(table.gate)
	for range waiting {
		if a := testwait.Receive(t, "a waiting request", got); a.err != nil || a.rows != `[{"total":0}]` {
			t.Errorf("%s, %v", a.rows, a.err)
		}
	}
	awaitStatements(t, e)
	if e.RunningExecutions() != 0 || table.open.Load() != 0 {
		t.Errorf("%d slots, %d statements", e.RunningExecutions(), table.open.Load())
	}
}

func TestResultCache_ErrorsAreNotKept(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	table.failure.Store(new(error(&executor.Error{Code: executor.CodeSQLRejected, Message: "no such table"})))
	if _, err := askRows(t.Context(), e, total("a")); codeOf(err) != "sql_rejected" {
		t.Errorf("%v", err)
	}
	table.failure.Store(nil)
	wantServed(t, e, total("a"), `[{"total":0}]`, "miss")
	if table.sent.Load() != 2 {
		t.Errorf("%d statements", table.sent.Load())
	}
}

// An attribution runs its statements under one slot, and its kept rows need none.
func TestResultCache_AttributionTakesOneSlotAtMost(t *testing.T) {
	config := engine.Config{ModelPath: "testdata/ledger.yaml", Setup: []string{read(t, "testdata/ledger.sql")}, MaxExecutions: 1}
	want := wireOf(t, attribute(t, open(t, config), `{"metric":"net","dimensions":["cat"],`+januaryFebruary+`}`))
	config.CacheMiB, config.CacheTTL = 8, time.Hour
	e := open(t, config)
	q, err := query.DecodeAttribute([]byte(`{"metric":"net","dimensions":["cat"],` + januaryFebruary + `}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, outcome := range []string{"miss", "hit"} {
		ctx, use := engine.WithCacheUse(t.Context())
		r, err := e.Attribute(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, wireOf(t, r)); d != "" || use.Outcome() != outcome {
			t.Errorf("%s, want %s; %s", use.Outcome(), outcome, d)
		}
		awaitStatements(t, e)
		testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
	}
}

// One writer changes the table while readers ask with ages that they allow. Each result must be a state that was current within its bound.
func TestResultCache_HistoryOfOneWriterAndManyReaders(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{MaxExecutions: 64}, map[string]*numberTable{"a": table})
	var mu sync.Mutex
	ended := []time.Time{{}} // of each value; zero while it is current
	stop := make(chan struct{})
	var writer, readers sync.WaitGroup
	writer.Go(func() {
		for n := int64(1); ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			mu.Lock()
			table.value.Store(n)
			ended[n-1] = time.Now()
			ended = append(ended, time.Time{})
			mu.Unlock()
			runtime.Gosched()
		}
	})
	for reader := range 32 {
		readers.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(reader), 7))
			for range 100 {
				q := total("a")
				age := rnd.Int64N(2)
				q.MaxAge = &age
				asked := time.Now()
				r, err := askRows(t.Context(), e, q)
				if err != nil {
					t.Error(err)
					return
				}
				text := strings.TrimSuffix(strings.TrimPrefix(string(r.Rows), `[{"total":`), "}]")
				n, err := strconv.Atoi(text)
				if err != nil {
					t.Errorf("the rows are %s", r.Rows)
					return
				}
				mu.Lock()
				until := ended[n]
				mu.Unlock()
				if oldest := asked.Add(-time.Duration(age) * time.Second); !until.IsZero() && until.Before(oldest) {
					t.Errorf("the value %d was current until %s before the oldest time that the reader allows", n, oldest.Sub(until))
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writer.Wait()
}

// Requests leave at random. At the end no statement runs, no slot is taken and nothing but the entries is held.
func TestResultCache_RandomCancellations(t *testing.T) {
	table := &numberTable{}
	e := caching(t, engine.Config{MaxExecutions: 8}, map[string]*numberTable{"a": table})
	before := runtime.NumGoroutine()
	var readers sync.WaitGroup
	for reader := range 16 {
		readers.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(reader), 3))
			for range 625 {
				ctx, cancel := context.WithCancel(t.Context())
				q := total("a")
				limit := int64(1 + rnd.IntN(20))
				q.Limit = &limit
				if rnd.IntN(3) == 0 {
					q.MaxAge = new(int64(0))
				}
				switch rnd.IntN(3) {
				case 0:
					cancel()
				case 1:
					go func() { runtime.Gosched(); cancel() }()
				}
				if rnd.IntN(2) == 0 {
					if s, err := askStream(ctx, e, q); err == nil {
						_, _ = s.NextBatch(ctx)
						_ = s.Close()
					}
				} else if r, err := askRows(ctx, e, q); err == nil && string(r.Rows) != `[{"total":0}]` {
					t.Errorf("the rows are %s", r.Rows)
				}
				if s, _ := e.ResultCacheStats(); s.Bytes > 1<<20 {
					t.Errorf("%d bytes are held", s.Bytes)
				}
				cancel()
			}
		})
	}
	readers.Wait()
	testwait.Until(t, "all statements have ended", func() bool {
		return table.open.Load() == 0 && e.RunningExecutions() == 0 && runtime.NumGoroutine() <= before
	})
}

// A stream that was not read to its end is not kept.
func TestResultCache_CutStreamIsNotKept(t *testing.T) {
	table := &numberTable{gate: make(chan struct{}, 2), batches: 3}
	e := caching(t, engine.Config{}, map[string]*numberTable{"a": table})
	table.gate <- struct{}{}
	s, err := askStream(t.Context(), e, total("a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the statement has ended", func() bool { return table.open.Load() == 0 && e.RunningExecutions() == 0 })
	if s, _ := e.ResultCacheStats(); s.Entries != 0 || s.Bytes != 0 {
		t.Errorf("%+v", s)
	}
}
