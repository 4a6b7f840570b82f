package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	arrowmemory "github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

const freshNumber = `
version: 0.2.0.dev0
name: m
datasets:
  - name: t
    source: t
    fields: [{name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "freshness": "MAX(loaded_at)"}'}]
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(t.x)}]}}
`

// loadedTable is a warehouse with a number and the number of its last load.
type loadedTable struct {
	value, load  atomic.Int64
	sent, checks atomic.Int64 // statements for the number, and for the load
	during       func()       // after the number was read, while its statement runs
	failing      atomic.Bool  // the load cannot be read
}

func (*loadedTable) Dialect() string { return "duckdb" }
func (*loadedTable) Close() error    { return nil }

func (l *loadedTable) Query(_ context.Context, sql string) (executor.Rows, error) {
	if strings.Contains(sql, "loaded_at") {
		l.checks.Add(1)
		if l.failing.Load() {
			return nil, &executor.Error{Code: executor.CodeSQLRejected, Message: "no column loaded_at"}
		}
		return &oneNumberRows{value: l.load.Load()}, nil
	}
	l.sent.Add(1)
	rows := &oneNumberRows{value: l.value.Load()}
	if l.during != nil {
		l.during()
	}
	return rows, nil
}

type oneNumberRows struct {
	value int64
	read  bool
}

var oneNumberSchema = arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}}, nil)

func (*oneNumberRows) Schema() *arrow.Schema { return oneNumberSchema }
func (*oneNumberRows) Close() error          { return nil }

func (r *oneNumberRows) Next(context.Context) (arrow.RecordBatch, error) {
	if r.read {
		return nil, io.EOF
	}
	r.read = true
	b := array.NewRecordBuilder(arrowmemory.DefaultAllocator, oneNumberSchema)
	defer b.Release()
	b.Field(0).(*array.Int64Builder).Append(r.value) //nolint:forcetypeassert // by the schema
	return b.NewRecordBatch(), nil
}

// freshEngine opens an engine over a table whose load counts for some time.
func freshEngine(t *testing.T, table *loadedTable, check time.Duration) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Config{
		ModelText: []byte(freshNumber), CacheMiB: 1, CacheTTL: time.Hour, Logger: slog.New(slog.DiscardHandler),
		Connections: []ProgramConnection{{Name: "a", Executor: table}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	e.warehouses.connections.Load().list[0].cache.Check = &check
	return e
}

func askTotal(t *testing.T, e *Engine) (rows, outcome string) {
	t.Helper()
	ctx, use := WithCacheUse(t.Context())
	s, err := e.Prepare(ctx, &query.MetricQuery{Metrics: []string{"total"}, Connection: "a"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Execute(ctx)
	if err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "no statement runs", func() bool { stats, _ := e.ResultCacheStats(); return stats.Waiting == 0 })
	return string(r.Rows), use.Outcome()
}

func wantAsked(t *testing.T, e *Engine, rows, outcome string) {
	t.Helper()
	if r, o := askTotal(t, e); r != rows || o != outcome {
		t.Errorf("%s %s, want %s %s", o, r, outcome, rows)
	}
}

func TestFreshness_KeptResultCountsWhileTheTableIsUnchanged(t *testing.T) {
	table := &loadedTable{}
	e := freshEngine(t, table, 0)
	wantAsked(t, e, `[{"total":0}]`, "miss")
	wantAsked(t, e, `[{"total":0}]`, "hit")
	table.value.Store(1)
	wantAsked(t, e, `[{"total":0}]`, "hit") // the load does not show the change
	table.load.Store(1)
	wantAsked(t, e, `[{"total":1}]`, "miss")
	wantAsked(t, e, `[{"total":1}]`, "hit")
	if e.RunningExecutions() != 0 {
		t.Error("a slot is taken")
	}
}

// A load that comes while the statement runs belongs to no kept result: the state is that before the statement.
func TestFreshness_IsReadBeforeTheStatement(t *testing.T) {
	table := &loadedTable{}
	table.during = func() { table.value.Store(7); table.load.Store(7) }
	e := freshEngine(t, table, 0)
	wantAsked(t, e, `[{"total":0}]`, "miss")
	table.during = nil
	wantAsked(t, e, `[{"total":7}]`, "miss")
}

// Statements of two sessions have two results, though their SQL is equal.
func TestResultCache_SessionsDoNotShareResults(t *testing.T) {
	table := &loadedTable{}
	e := freshEngine(t, table, 0)
	e.warehouses.connections.Load().list[0].session = &profile.Session{Role: &profile.SessionValue{Attribute: "team"}, AllowedRoles: []string{"red", "blue"}}
	for i, test := range []struct {
		team, rows, outcome string
	}{{"red", `[{"total":0}]`, "miss"}, {"blue", `[{"total":1}]`, "miss"}, {"red", `[{"total":0}]`, "hit"}} {
		table.value.Store(int64(i))
		id := access.Identity{Attributes: map[string]access.Value{"team": {Type: access.AttributeString, Items: []string{test.team}}}}
		ctx, use := WithCacheUse(access.WithIdentity(t.Context(), id))
		s, err := e.Prepare(ctx, &query.MetricQuery{Metrics: []string{"total"}, Connection: "a"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Execute(ctx)
		if err != nil {
			t.Fatal(err)
		}
		testwait.Until(t, "no statement runs", func() bool { stats, _ := e.ResultCacheStats(); return stats.Waiting == 0 })
		if string(r.Rows) != test.rows || use.Outcome() != test.outcome {
			t.Errorf("%s: %s %s, want %s %s", test.team, use.Outcome(), r.Rows, test.outcome, test.rows)
		}
	}
}

func TestFreshness_OneReadingForSomeTime(t *testing.T) {
	table := &loadedTable{}
	e := freshEngine(t, table, time.Hour)
	for _, outcome := range []string{"miss", "hit", "hit"} {
		wantAsked(t, e, `[{"total":0}]`, outcome)
	}
	if n := table.checks.Load(); n != 1 {
		t.Errorf("the load is read %d times", n)
	}
}

// Where the state cannot be read, the statement runs and nothing is kept.
func TestFreshness_UnreadStateKeepsNothing(t *testing.T) {
	table := &loadedTable{}
	e := freshEngine(t, table, 0)
	table.failing.Store(true)
	for n := range int64(2) {
		table.value.Store(n)
		if rows, outcome := askTotal(t, e); outcome != "miss" || !strings.Contains(rows, `"total"`) || table.sent.Load() != n+1 {
			t.Errorf("%s %s after %d statements", outcome, rows, table.sent.Load())
		}
	}
	if s, _ := e.ResultCacheStats(); s.Entries != 0 {
		t.Errorf("%d results are kept", s.Entries)
	}
	table.failing.Store(false)
	wantAsked(t, e, `[{"total":1}]`, "miss")
	wantAsked(t, e, `[{"total":1}]`, "hit")
}

// Without an age, a value is one that was read after it was asked for, and requests share readings.
func TestFreshnessReadings_BeginAfterTheRequest(t *testing.T) {
	f := newFreshnessReadings()
	var table, reads, asked atomic.Int64
	stop := make(chan struct{})
	var writer, readers sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				table.Add(1)
				runtime.Gosched()
			}
		}
	})
	for range 16 {
		readers.Go(func() {
			for range 200 {
				least := table.Load()
				asked.Add(1)
				text, err := f.value(t.Context(), "t", 0, func(context.Context) (string, error) {
					reads.Add(1)
					n := table.Load()
					runtime.Gosched()
					return strings.Repeat("x", int(n%1000)) + "|" + time.Duration(n).String(), nil
				})
				if err != nil {
					t.Error(err)
					return
				}
				_, shown, _ := strings.Cut(text, "|")
				if n, err := time.ParseDuration(shown); err != nil || int64(n) < least {
					t.Errorf("the value %s was read before %d", shown, least)
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writer.Wait()
	if reads.Load() > asked.Load() {
		t.Errorf("%d readings for %d requests", reads.Load(), asked.Load())
	}
}

// A request that leaves ends no reading for others, and an error of a reading is that of all that wait for it.
func TestFreshnessReadings_ErrorsAndLeaving(t *testing.T) {
	f := newFreshnessReadings()
	gone, leave := context.WithCancel(t.Context())
	began := make(chan struct{})
	first := make(chan error, 1)
	go func() {
		_, err := f.value(gone, "t", time.Hour, func(ctx context.Context) (string, error) {
			close(began)
			<-ctx.Done()
			return "", ctx.Err()
		})
		first <- err
	}()
	<-began
	second := make(chan string, 1)
	go func() {
		value, _ := f.value(t.Context(), "t", time.Hour, func(context.Context) (string, error) { return "read", nil })
		second <- value
	}()
	leave()
	if err := testwait.Receive(t, "the first request", first); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if value := testwait.Receive(t, "the second request", second); value != "read" {
		t.Errorf("the second request has %q", value)
	}
	broken := errors.New("broken")
	if _, err := f.value(t.Context(), "u", 0, func(context.Context) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if value, err := f.value(t.Context(), "u", time.Hour, func(context.Context) (string, error) { return "whole", nil }); value != "whole" || err != nil {
		t.Errorf("after an error: %q, %v", value, err)
	}
}
