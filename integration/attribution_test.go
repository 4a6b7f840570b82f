package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

const (
	firstMonths = `"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}`
	springs     = `"baseline":{"start":"2024-03-01","end":"2024-04-01"},"current":{"start":"2024-04-01","end":"2024-05-01"}`
	// A day that has 23 hours in Berlin, and one that has 25.
	changesOfClock = `"baseline":{"start":"2024-03-31","end":"2024-04-01"},"current":{"start":"2024-10-27","end":"2024-10-28"}`
	halves         = `"baseline":{"start":"2024-01-01","end":"2024-04-01"},"current":{"start":"2024-04-01","end":"2024-07-01"}`
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
	{"lifetime", `{"metric":"revenue","dimensions":["customers.class"],"with":[{"dataset":"customers","name":"worth","expression":"SUM(orders.amount)","lod":{"grain":["customer_id"]}},{"dataset":"customers","name":"class","expression":"CASE WHEN worth >= 120 THEN 'high' ELSE 'low' END"}],"where_sql":"worth < 1000",` + halves + `}`},
	{"events", `{"metric":"total","dimensions":["happened_at","seen_at","kind"],"baseline":{"start":"2020-12-01","end":"2021-02-01"},"current":{"start":"2024-12-01","end":"2025-02-01"}}`},
	{"stock", `{"metric":"last_qty","dimensions":["stock.shop","shops.town"],` + firstMonths + `}`},
	{"stock", `{"metric":"last_by_shop","dimensions":["item"],` + firstMonths + `}`},
	{"orders", `{"metric":"revenue_running","dimensions":["status"],` + firstMonths + `}`},
	{"moments", `{"metric":"total","dimensions":["id"],"time_zone":"Europe/Berlin",` + changesOfClock + `}`},
	{"moments", `{"metric":"moments_count","dimensions":["on_day"],"time_dimension":"secs","time_zone":"Europe/Berlin",` + changesOfClock + `}`},
}

func TestAttribution_SameOnEveryEngine(t *testing.T) {
	for _, b := range backends() {
		t.Run(b.name, func(t *testing.T) {
			b.start(t)
			for _, a := range attributions {
				t.Run(a.fixture+" "+a.body, func(t *testing.T) {
					c := &corpus.Case{Fixture: a.fixture}
					s := subjectOf(t, c)
					q, err := query.DecodeAttribute([]byte(a.body))
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
func (b *backend) attribute(ctx context.Context, s *subject, c *corpus.Case, q *query.AttributeQuery) (*engine.Attribution, error) {
	d, _ := sqlemit.LookupDialect(b.dialect)
	planned, err := s.planner.PlanAttribution(context.Background(), q, planner.Target{Dialect: d.Name()})
	if err != nil {
		return nil, err
	}
	db, err := b.database(ctx, c)
	if err != nil {
		return nil, err
	}
	var rows []planner.QueryResultRows
	for _, p := range planned.Queries() {
		sql, err := sqlemit.Emit(ctx, p.Root, d, sqlemit.FormatOptions{})
		if err != nil {
			return nil, err
		}
		stream, err := db.Query(ctx, sql)
		if err != nil {
			return nil, err
		}
		read, err := jsonrows.CollectResult(ctx, stream, servers.TypeHints(p.Columns))
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
		var list planner.QueryResultRows
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

func TestAttribution_FieldOfTheQueryIsLikeOneOfTheModel(t *testing.T) {
	s := subjectOf(t, &corpus.Case{Fixture: "lifetime"})
	report := func(field, with string) string {
		body := `{"metric":"revenue","dimensions":["customers.` + field + `"],"where_sql":"customers.` + field + ` > 60",` + with + halves + `}`
		q, err := query.DecodeAttribute([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.engine.Attribute(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		text, err := engine.MarshalWireJSON(r)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), field, "FIELD")
	}
	want := report("lifetime_value", "")
	got := report("worth", `"with":[{"dataset":"customers","name":"worth","expression":"SUM(orders.amount)","lod":{"grain":["customer_id"]}}],`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("- is the field of the model, + is that of the query\n%s", diff)
	}
	if !strings.Contains(want, "120") {
		t.Errorf("no segment of 120: %s", want)
	}
}

// The windows of an attribution are days of its time zone. The wanted sums are those of
//
//	SELECT SUM(amount) FROM moments WHERE seen_at >= '2024-03-30 23:00:00+00' AND seen_at < '2024-03-31 22:00:00+00'
//	SELECT SUM(amount) FROM moments WHERE seen_at >= '2024-10-26 22:00:00+00' AND seen_at < '2024-10-27 23:00:00+00'
//
// and of the same days of UTC.
func TestAttribution_WindowsAreDaysOfTheTimeZone(t *testing.T) {
	s := subjectOf(t, &corpus.Case{Fixture: "moments"})
	for _, c := range []struct {
		zone, name        string
		baseline, current float64
	}{
		{`"time_zone":"Europe/Berlin",`, "Europe/Berlin", 2 + 4 + 8 + 16, 64 + 128 + 256 + 512},
		{"", "", 4 + 8 + 16 + 32, 128 + 256 + 512 + 1024},
	} {
		for _, axis := range []string{"seen_at", "secs", "millis"} {
			body := `{"metric":"total","dimensions":["on_day"],"time_dimension":"` + axis + `",` + c.zone + changesOfClock + `}`
			q, err := query.DecodeAttribute([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			report, err := s.engine.Attribute(t.Context(), q)
			if err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			got := []any{float64(report.TotalChange.BaselineValue), float64(report.TotalChange.CurrentValue), report.ComparisonMetadata.TimeZone}
			if diff := cmp.Diff([]any{c.baseline, c.current, c.name}, got); diff != "" {
				t.Errorf("%s\n%s", body, diff)
			}
		}
	}
}

// wireForm returns an attribution in the form that a client receives.
func wireForm(t *testing.T, r *engine.Attribution) map[string]any {
	t.Helper()
	text, err := engine.MarshalWireJSON(r)
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
			q, err := query.DecodeAttribute([]byte(body))
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
