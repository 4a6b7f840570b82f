package clients_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"

	"github.com/semlayer/semlayer/integration/internal/serving"
)

func metrics(names ...string) client.MetricQuery { return client.MetricQuery{Metrics: names} }

func by(q client.MetricQuery, groups ...client.GroupBy) client.MetricQuery {
	q.GroupBy = groups
	return q
}

// The results of the six orders, worked out by hand.
func TestExecute_WorkedFigures(t *testing.T) {
	c := shop(t)
	ranges := metrics("revenue", "order_count")
	ranges.TimeRanges = client.TimeRanges{
		{Tag: "now", Range: client.TimeRange{Start: "2024-02-01", End: "2024-03-01", Dimension: "orders.order_date"}},
		{Tag: "before", Range: client.TimeRange{Start: "2024-01-01", End: "2024-02-01", Dimension: "orders.order_date"}},
	}
	sorted := by(metrics("revenue"), client.GroupBy{Field: "orders.status"})
	sorted.OrderBy = []client.OrderBy{{Key: "revenue", Desc: true}}
	largest := sorted
	largest.Limit = new(1)
	nothing := sorted
	nothing.Limit = new(0)
	east := metrics("revenue")
	east.WhereSQL, east.ContextFilter = "customers.region = 'east'", "orders.status = 'completed'"
	month := by(metrics("revenue"), client.GroupBy{Field: "orders.order_date", Grain: "month"})
	february := metrics("revenue")
	february.TimeRange = &client.TimeRange{Start: "2024-02-01", End: "2024-03-01", Dimension: "orders.order_date"}
	for _, x := range []struct {
		name  string
		query client.MetricQuery
		rows  string
	}{
		{"totals", metrics("revenue", "order_count", "unique_customers", "avg_order_value", "total_margin"),
			`[{"revenue":450,"order_count":6,"unique_customers":3,"avg_order_value":75,"total_margin":360}]`},
		{"by status", sorted, `[{"status":"completed","revenue":350},{"status":"cancelled","revenue":100}]`},
		{"by month", month, `[{"order_date__month":"2024-01-01","revenue":150},{"order_date__month":"2024-02-01","revenue":230},{"order_date__month":"2024-03-01","revenue":70}]`},
		{"limited", largest, `[{"status":"completed","revenue":350}]`},
		{"no rows", nothing, `[]`},
		{"filtered", east, `[{"revenue":270}]`},
		{"one range", february, `[{"revenue":230}]`},
		{"ranges in their order", ranges, `[{"revenue__now":230,"revenue__before":150,"order_count__now":3,"order_count__before":2}]`},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := c.Execute(ctx, x.query)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := json.Marshal(got.Rows)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(x.rows, string(rows)); d != "" {
				t.Error(d)
			}
			if got.RowCount != len(got.Rows) || got.Dialect != "duckdb" || len(got.Columns) == 0 {
				t.Errorf("%+v", got)
			}
			compiled, err := c.Compile(ctx, x.query)
			if err != nil || compiled.SQL != got.SQL {
				t.Errorf("compile says %+v, %v", compiled, err)
			}
		})
	}
}

func TestDetail_ReturnsRecords(t *testing.T) {
	c := shop(t)
	q := client.DetailQuery{
		From:     "orders",
		Fields:   []string{"order_id", "customers.region", "order_date:month", "amount"},
		WhereSQL: "status = 'cancelled'",
		OrderBy:  []client.OrderBy{{Key: "order_id"}},
	}
	got, err := c.SelectExecute(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := json.Marshal(got.Rows)
	want := `[{"order_id":4,"region":"west","order_date__month":"2024-02-01","amount":30},{"order_id":6,"region":"east","order_date__month":"2024-03-01","amount":70}]`
	if d := cmp.Diff(want, string(rows)); d != "" {
		t.Error(d)
	}
	first := got.Rows[0]
	if at, err := first.Time("order_date__month"); err != nil || at.Format("2006-01-02 MST") != "2024-02-01 UTC" {
		t.Error(at, err)
	}
	if n, err := first.Int64("amount"); err != nil || n != 30 {
		t.Error(n, err)
	}
	compiled, err := c.SelectCompile(ctx, q)
	if err != nil || compiled.SQL != got.SQL {
		t.Errorf("%+v %v", compiled, err)
	}
	explained, err := c.SelectExplain(ctx, q)
	if err != nil || !strings.Contains(explained.Plan, "\n") {
		t.Errorf("%+v %v", explained, err)
	}
}

// January to February: completed 150 to 200, cancelled 0 to 30.
func TestAttribute_ExplainsChange(t *testing.T) {
	c := shop(t)
	got, err := c.Attribute(ctx, client.AttributeQuery{
		Metric: "revenue", Dimensions: []string{"orders.status"}, TimeDimension: "orders.order_date",
		Baseline: &client.DateWindow{Start: "2024-01-01", End: "2024-02-01"},
		Current:  &client.DateWindow{Start: "2024-02-01", End: "2024-03-01"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(client.Change{BaselineValue: 150, CurrentValue: 230, Delta: 80}, got.TotalChange.Change); d != "" || got.Strategy != "term_wise" {
		t.Error(got.Strategy, d)
	}
	segments := map[string]client.Change{}
	for _, s := range got.PerDimension["orders.status"].Values {
		segments[s.Value+" "+s.SegmentKind] = s.Change
		drill := metrics("revenue")
		drill.WhereSQL = s.DrillDown.WhereSQL
		if _, err := c.Compile(ctx, drill); err != nil {
			t.Errorf("%s: %v", s.DrillDown.WhereSQL, err)
		}
	}
	want := map[string]client.Change{
		"completed normal":  {BaselineValue: 150, CurrentValue: 200, Delta: 50},
		"cancelled entered": {CurrentValue: 30, Delta: 30},
	}
	if d := cmp.Diff(want, segments); d != "" {
		t.Error(d)
	}
}

func TestParams_ColumnsInOrder(t *testing.T) {
	c := dial(t, serving.Serve(t, open(t, "ledger"), config()))
	q := metrics("x_above")
	q.Params = client.Params{{Name: "t", Value: []int{100, 50}}}
	got, err := c.Execute(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	// Above 100: 120 + 130; above 50 also 100, 80, 100, 60.
	rows, _ := json.Marshal(got.Rows)
	if d := cmp.Diff(`[{"x_above__100":250,"x_above__50":590}]`, string(rows)); d != "" {
		t.Error(d)
	}
}
