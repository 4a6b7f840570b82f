package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/sqlemit"
)

const (
	firstMonths = `"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}`
	springs     = `"baseline":{"start":"2024-03-01","end":"2024-04-01"},"current":{"start":"2024-04-01","end":"2024-05-01"}`
	halves      = `"baseline":{"start":"2024-01-01","end":"2024-04-01"},"current":{"start":"2024-04-01","end":"2024-07-01"}`
)

// attributions are questions to which every engine must return one result: of
// each strategy, over members of every type, NULL and texts that look like it.
var attributions = []struct{ fixture, body string }{
	{"ledger", `{"metric":"net","dimensions":["cat"],` + firstMonths + `}`},
	{"ledger", `{"metric":"avg_x","dimensions":["cat","entry_id"],` + firstMonths + `}`},
	{"ledger", `{"metric":"x_times_y","dimensions":["cat"],` + firstMonths + `}`},
	{"ledger", `{"metric":"cats","dimensions":["cat"],` + firstMonths + `}`},
	{"ledger", `{"metric":"sum_x","dimensions":["cat","d"],` + springs + `}`},
	{"ledger", `{"metric":"x_above","dimensions":["cat"],"params":{"t":100},` + firstMonths + `}`},
	{"ledger", `{"metric":"sum_x","dimensions":["entry_id"],"max_values_per_dimension":2,` + firstMonths + `}`},
	{"orders", `{"metric":"revenue_mom","dimensions":["status","customers.region"],"baseline":{"start":"2024-02-01","end":"2024-03-01"},"current":{"start":"2024-03-01","end":"2024-04-01"}}`},
	{"orders", `{"metric":"revenue_rolling_avg_2","dimensions":["status"],` + firstMonths + `}`},
	{"orders", `{"metric":"avg_order_value","dimensions":["products.category"],"where_sql":"customers.region = 'east'",` + firstMonths + `}`},
	{"retail", `{"metric":"revenue","dimensions":["order.gift","is_big","order.order_date","customers.customer_name"],` + halves + `}`},
	{"retail", `{"metric":"net_revenue","dimensions":["customers.region","products.category"],` + halves + `}`},
	{"retail", `{"metric":"return_rate","dimensions":["products.category"],` + halves + `}`},
	{"retail", `{"metric":"max_amount","dimensions":["customers.vip"],` + halves + `}`},
	{"retail", `{"metric":"last_order","dimensions":["customers.vip"],` + halves + `}`},
	{"retail", `{"metric":"units_per_order","dimensions":["order.ship_date"],` + halves + `}`},
	{"lifetime", `{"metric":"revenue","dimensions":["orders.status","customers.big_orders"],"params":{"least":100},` + halves + `}`},
	{"events", `{"metric":"total","dimensions":["happened_at","seen_at","kind"],"baseline":{"start":"2020-12-01","end":"2021-02-01"},"current":{"start":"2024-12-01","end":"2025-02-01"}}`},
}

func TestAttribution_SameOnEveryEngine(t *testing.T) {
	for _, b := range backends() {
		t.Run(b.name, func(t *testing.T) {
			b.start(t)
			for _, a := range attributions {
				t.Run(a.fixture+" "+a.body, func(t *testing.T) {
					c := &corpus.Case{Fixture: a.fixture}
					s := subjectOf(t, c)
					q, err := engine.DecodeAttribute([]byte(a.body))
					if err != nil {
						t.Fatal(err)
					}
					want, err := s.engine.Attribute(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					got, err := b.attribute(t.Context(), s, c, q)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(wireForm(t, want), wireForm(t, got), cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
						t.Errorf("- is the engine on DuckDB, + is %s\n%s", b.name, diff)
					}
					checkDrillDowns(t, s, a.body, got)
				})
			}
		})
	}
}

// attribute runs the queries of an attribution on a separate backend.
func (b *backend) attribute(ctx context.Context, s *subject, c *corpus.Case, q *engine.AttributeQuery) (*engine.Attribution, error) {
	d, _ := sqlemit.Lookup(b.dialect)
	planned, err := s.planner.PlanAttribution(context.Background(), q, planner.Target{Dialect: d.Name()})
	if err != nil {
		return nil, err
	}
	db, err := b.database(ctx, c)
	if err != nil {
		return nil, err
	}
	var rows []planner.Rows
	for _, p := range planned.Queries() {
		sql, err := sqlemit.Emit(ctx, p.Root, d, sqlemit.Options{})
		if err != nil {
			return nil, err
		}
		stream, err := db.Query(ctx, sql)
		if err != nil {
			return nil, err
		}
		read, err := jsonrows.Collect(ctx, stream, servers.TypeHints(p.Columns))
		_ = stream.Close()
		if err != nil {
			return nil, err
		}
		decoder := json.NewDecoder(bytes.NewReader(read.Rows))
		decoder.UseNumber()
		var objects []map[string]any
		if err := decoder.Decode(&objects); err != nil {
			return nil, err
		}
		var list planner.Rows
		for _, o := range objects {
			row := make([]any, len(p.Columns))
			for i, column := range p.Columns {
				row[i] = o[column.Name]
			}
			list = append(list, row)
		}
		rows = append(rows, list)
	}
	return planned.Report(rows)
}

// wireForm returns an attribution in the form that a client receives.
func wireForm(t *testing.T, r *engine.Attribution) map[string]any {
	t.Helper()
	text, err := engine.MarshalWire(r)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkDrillDowns sends every drill-down back as where_sql.
func checkDrillDowns(t *testing.T, s *subject, body string, r *engine.Attribution) {
	t.Helper()
	for _, d := range r.PerDimension {
		for _, v := range d.Values {
			if v.DrillDown == nil {
				t.Errorf("%s = %s has no drill-down", v.Dimension, v.Value)
				continue
			}
			q, err := engine.DecodeAttribute([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			q.WhereSQL = v.DrillDown.WhereSQL
			if _, err := s.planner.PlanAttribution(context.Background(), q, planner.Target{Dialect: "duckdb"}); err != nil {
				t.Errorf("%s: %v", q.WhereSQL, err)
			}
		}
	}
}
