package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/planerr"
)

// variedShop returns the shop with values that are like others.
func variedShop(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql"), `
		INSERT INTO customers VALUES (4, 'north', NULL), (5, 'Northeast', NULL), (6, 'it''s', NULL), (7, 'WEST', NULL), (8, NULL, NULL)`}}).AwaitHints()
}

// metricWarnings runs a metric query and returns its warnings.
func metricWarnings(t *testing.T, e *engine.Engine, body string) []planerr.QueryWarning {
	t.Helper()
	r, err := askRows(t.Context(), e, metricQuery(t, body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return r.Warnings
}

func TestHints_NameTheValuesThatTheDataHave(t *testing.T) {
	e := variedShop(t)
	for _, c := range []struct{ body, want string }{
		{`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"where_sql":"customers.region = 'North' AND orders.amount > 0","hints":true}`,
			`[{"code":"filter_matched_nothing","message":"no row has customers.region = 'North'; near: 'north', 'Northeast'","field":"customers.region","value":"North","near":["north","Northeast"],` +
				`"suggested_retry":"{\"where_sql\":\"customers.region = 'north' AND orders.amount > 0\"}"}]`},
		{`{"metrics":["revenue"],"where_sql":"'Éast ' = region","hints":true}`,
			`[{"code":"filter_matched_nothing","message":"no row has customers.region = 'Éast '; near: 'east'","field":"customers.region","value":"Éast ","near":["east"],` +
				`"suggested_retry":"{\"where_sql\":\"'east' = region\"}"}]`},
		{`{"metrics":["order_count"],"context_filter":"orders.status IN ('CANCELLED', 'lost')","hints":true}`,
			`[{"code":"filter_matched_nothing","message":"no row has orders.status = 'CANCELLED'; near: 'cancelled'","field":"orders.status","value":"CANCELLED","near":["cancelled"],` +
				`"suggested_retry":"{\"context_filter\":\"orders.status IN ('cancelled', 'lost')\"}"},{"code":"filter_matched_nothing","message":"no row has orders.status = 'lost'","field":"orders.status","value":"lost"}]`},
		// With one of two texts respelt, the query would have rows and no warning about the other.
		{`{"metrics":["revenue"],"where_sql":"customers.region IN ('NORTH', 'nowhere at all', 'EAST')","hints":true}`,
			`[{"code":"filter_matched_nothing","message":"no row has customers.region = 'NORTH'; near: 'north', 'Northeast'","field":"customers.region","value":"NORTH","near":["north","Northeast"],` +
				`"suggested_retry":"{\"where_sql\":\"customers.region IN ('north', 'nowhere at all', 'east')\"}"},` +
				`{"code":"filter_matched_nothing","message":"no row has customers.region = 'nowhere at all'","field":"customers.region","value":"nowhere at all"},` +
				`{"code":"filter_matched_nothing","message":"no row has customers.region = 'EAST'; near: 'east'","field":"customers.region","value":"EAST","near":["east"],` +
				`"suggested_retry":"{\"where_sql\":\"customers.region IN ('north', 'nowhere at all', 'east')\"}"}]`},
		// Two spellings differ by case alone, so none is suggested.
		{`{"metrics":["revenue"],"where_sql":"customers.region = 'West'","hints":true}`,
			`[{"code":"filter_matched_nothing","message":"no row has customers.region = 'West'; near: 'WEST', 'west'","field":"customers.region","value":"West","near":["WEST","west"]}]`},
		{`{"metrics":["revenue"],"time_range":{"start":"2025-01-01","end":"2026-01-01"},"hints":true}`,
			`[{"code":"time_range_matched_nothing","message":"time_range lies outside of the data: orders.order_date is from 2024-01-05 to 2024-03-01","field":"orders.order_date","min":"2024-01-05","max":"2024-03-01"}]`},
		{`{"metrics":["customers"],"time_range":{"end":"2023-11-15","dimension":"customers.signup_date"},"hints":true}`,
			`[{"code":"time_range_matched_nothing","message":"time_range lies outside of the data: customers.signup_date is from 2023-11-15 to 2024-01-10","field":"customers.signup_date","min":"2023-11-15","max":"2024-01-10"}]`},
		{`{"distinct":true,"group_by":[{"field":"orders.status"}],"where_sql":"order_customer.region = 'nort'","hints":true}`,
			`[{"code":"filter_matched_nothing","message":"no row has order_customer.region = 'nort'; near: 'north'","field":"order_customer.region","value":"nort","near":["north"]}]`},
		// The texts of the filter occur, so nothing is known of it.
		{`{"metrics":["revenue"],"where_sql":"customers.region = 'north' AND orders.status <> 'x'","hints":true}`, `null`},
		{`{"metrics":["revenue"],"where_sql":"customers.region = 'North' OR orders.status = 'x'","hints":true}`, `null`},
		{`{"metrics":["revenue"],"where_sql":"customers.region = 'North'","hints":false}`, `null`},
		{`{"metrics":["revenue"],"where_sql":"customers.region = 'North'"}`, `null`},
		{`{"metrics":["revenue"],"where_sql":"customers.region = 'east'","hints":true}`, `null`},
		{`{"metrics":["revenue"],"where_sql":"customers.region IN ('East', 'east')","hints":true}`, `null`},
	} {
		text, err := engine.MarshalWireJSON(metricWarnings(t, e, c.body))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, string(text)); d != "" {
			t.Errorf("%s: %s", c.body, d)
		}
	}
	rows, err := askRows(t.Context(), e, detail(t, `{"from":"orders","fields":["order_id"],"where_sql":"order_customer.region = 'EAST'","hints":true}`))
	if err != nil || len(rows.Warnings) != 1 || rows.Warnings[0].SuggestedRetry != `{"where_sql":"order_customer.region = 'east'"}` {
		t.Errorf("records: %+v %v", rows.Warnings, err)
	}
	body, err := rows.Body()
	if err != nil || !bytes.Contains(body, []byte(`"warnings":[{"code":"filter_matched_nothing"`)) || !json.Valid(body) {
		t.Errorf("%s %v", body, err)
	}
}

// Hints change neither rows nor SQL, and a query without them has the bytes that it had.
func TestHints_ChangeOnlyTheWarningsOfEmptyResults(t *testing.T) {
	e := variedShop(t)
	for _, body := range []string{
		`{"metrics":["revenue"]`, `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]`, `{"metrics":["revenue"],"where_sql":"customers.region = 'North'"`,
		`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"totals":[[]],"where_sql":"customers.region = 'North'"`,
		`{"metrics":["revenue","order_count"],"where_sql":"revenue > 1000"`, `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"limit":0`,
	} {
		var without, with map[string]json.RawMessage
		for text, into := range map[string]*map[string]json.RawMessage{body + "}": &without, body + `,"hints":true}`: &with} {
			r, err := askRows(t.Context(), e, metricQuery(t, text))
			if err != nil {
				t.Fatal(err)
			}
			wire, err := r.Body()
			if err != nil || json.Unmarshal(wire, into) != nil {
				t.Fatal(err)
			}
		}
		empty := strings.Contains(body, "North")
		if _, warned := with["warnings"]; warned != empty || without["warnings"] != nil {
			t.Errorf("%s: warnings %s and %s", body, without["warnings"], with["warnings"])
		}
		delete(with, "warnings")
		if d := cmp.Diff(without, with); d != "" {
			t.Errorf("%s: %s", body, d)
		}
	}
}

// lookedUp is a warehouse that counts its statements and waits before those after the first.
type lookedUp struct {
	executor.Executor
	statements atomic.Int32
	running    atomic.Int32
	wait       func(ctx context.Context)
}

func (l *lookedUp) Query(ctx context.Context, sql string) (executor.Rows, error) {
	l.running.Add(1)
	defer l.running.Add(-1)
	if l.statements.Add(1) > 1 && l.wait != nil {
		l.wait(ctx)
	}
	return l.Executor.Query(ctx, sql)
}

func lookedUpShop(t *testing.T, wait func(context.Context)) (*engine.Engine, *lookedUp) {
	t.Helper()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{read(t, "testdata/orders.sql")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	l := &lookedUp{Executor: db, wait: wait}
	return open(t, engine.Config{ModelPath: "testdata/orders.yaml", MaxExecutions: 1, Connections: []engine.ProgramConnection{{Name: "w", Executor: l}}}), l
}

func TestHints_LookUpThreeConditions(t *testing.T) {
	e, l := lookedUpShop(t, nil)
	e.AwaitHints()
	w := metricWarnings(t, e, `{"metrics":["revenue"],"connection":"w","hints":true,"time_range":{"start":"2030-01-01"},
		"where_sql":"customers.region = 'a' AND orders.status = 'b' AND products.category = 'c' AND order_customer.region = 'd'"}`)
	if len(w) != 3 || l.statements.Load() != 1+2*3 {
		t.Errorf("%d statements: %+v", l.statements.Load(), w)
	}
	l.statements.Store(0)
	if w := metricWarnings(t, e, `{"metrics":["revenue"],"connection":"w","where_sql":"customers.region = 'a'"}`); len(w) != 0 || l.statements.Load() != 1 {
		t.Errorf("%d statements without hints: %+v", l.statements.Load(), w)
	}
}

// A look-up that is late adds nothing, and keeps the slot until it has ended.
func TestHints_AreGivenUpAfterHalfASecond(t *testing.T) {
	const body = `{"metrics":["revenue"],"connection":"w","hints":true,"where_sql":"customers.region = 'North'"}`
	for name, ask := range map[string]func(*engine.Engine) ([]planerr.QueryWarning, error){
		"rows": func(e *engine.Engine) ([]planerr.QueryWarning, error) {
			r, err := askRows(t.Context(), e, metricQuery(t, body))
			if err != nil {
				return nil, err
			}
			return r.Warnings, nil
		},
		"stream": func(e *engine.Engine) ([]planerr.QueryWarning, error) {
			s, err := askStream(t.Context(), e, metricQuery(t, body))
			if err != nil {
				return nil, err
			}
			_, err = s.Write(t.Context(), &bytes.Buffer{})
			_ = s.Close()
			return s.Warnings, err
		},
	} {
		deaf := make(chan struct{})
		e, _ := lookedUpShop(t, func(context.Context) { <-deaf })
		begun := time.Now()
		warnings, err := ask(e)
		if took := time.Since(begun); err != nil || len(warnings) > 0 || took < 400*time.Millisecond {
			t.Errorf("%s: %v after %s: %v", name, warnings, took, err)
		}
		if e.RunningExecutions() != 1 {
			t.Errorf("%s: the slot came back while a look-up ran", name)
		}
		close(deaf)
		testwait.Until(t, name+": the slot is free", func() bool { return e.RunningExecutions() == 0 })
	}
}

func TestHints_AreInTheMetadataOfArrow(t *testing.T) {
	e := variedShop(t)
	for body, want := range map[string]string{
		`{"metrics":["revenue"],"where_sql":"customers.region = 'North'"`:                                                      `[{"code":"filter_matched_nothing",`,
		`{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"totals":[[]],"where_sql":"customers.region = 'North'"`: `[{"code":"filter_matched_nothing",`,
		`{"metrics":["revenue"],"where_sql":"customers.region = 'east'"`:                                                       "",
	} {
		var streams [2]bytes.Buffer
		read := func(i int, hints string) {
			streams[i].Reset()
			s, err := askStream(t.Context(), e, metricQuery(t, body+hints))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Write(t.Context(), &streams[i]); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		read(0, "}")
		read(1, `,"hints":true}`)
		var rows [2]int64
		for i := range streams {
			schema, err := arrowstream.Read(bytes.NewReader(streams[i].Bytes()), countRows(&rows[i]))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := schema.Metadata().GetValue("warnings")
			if i == 0 && got != "" || i == 1 && !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("%s: %q", body, got)
			}
		}
		if rows[0] != rows[1] || want == "" && !bytes.Equal(streams[0].Bytes(), streams[1].Bytes()) {
			t.Errorf("%s: %d and %d rows, or other bytes", body, rows[0], rows[1])
		}
	}
	if e.RunningExecutions() != 0 {
		t.Error("a slot was not released")
	}
}

func countRows(into *int64) func(arrow.RecordBatch) error {
	return func(b arrow.RecordBatch) error {
		*into += b.NumRows()
		return nil
	}
}
