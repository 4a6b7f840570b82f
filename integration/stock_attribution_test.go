package integration_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/query"
)

// attributionSides are the values of a dimension in the two windows, as hand-written SQL has them.
const attributionSides = `SELECT key, SUM(CASE WHEN side = 0 THEN v END) AS b, SUM(CASE WHEN side = 1 THEN v END) AS c FROM (SIDES) GROUP BY key`

// side is the rows of one window: those of a table under a condition.
func side(n, key, value, table, where string) string {
	return "SELECT " + n + " AS side, " + key + " AS key, " + value + " AS v FROM " + table + " WHERE " + where
}

// An attribution has the values of hand-written SQL: a running sum is read from the beginning of the data, of its period or of its range
// to the end of each window, and a stock at its last or first time in each window.
func TestAttribution_ReadsRunningSumsAndStocksAsSQLDoes(t *testing.T) {
	orders := func(a, b string) string {
		return side("0", "status", "amount", "orders", a) + " UNION ALL " + side("1", "status", "amount", "orders", b)
	}
	// A value without a row at the time of the snapshot is a group without a stock.
	stock := func(key, a, b string) string {
		const table = "stock LEFT JOIN shops USING (shop)"
		at := func(snapshot string) string { return "CASE WHEN " + snapshot + " THEN qty END" }
		return side("0", key, at(a), table, "day >= '2024-01-01' AND day < '2024-02-01'") + " UNION ALL " + side("1", key, at(b), table, "day >= '2024-02-01' AND day < '2024-03-01'")
	}
	const (
		february = `"baseline":{"start":"2024-02-01","end":"2024-03-01"},"current":{"start":"2024-03-01","end":"2024-04-01"}`
		days     = `"baseline":{"start":"2024-02-12","end":"2024-02-18"},"current":{"start":"2024-02-18","end":"2024-03-02"}`
	)
	for _, c := range []struct {
		fixture, metric, window, dimension, windows, sides string
		unequal                                            bool
	}{
		{"orders", "revenue_running", "", "status", february, orders("order_date < '2024-03-01'", "order_date < '2024-04-01'"), true},
		{"orders", "revenue_running", "", "status", days, orders("order_date < '2024-02-18'", "order_date < '2024-03-02'"), true},
		{"orders", "revenue_month_to_date", "", "status", days, orders("order_date >= '2024-02-01' AND order_date < '2024-02-18'", "order_date >= '2024-03-01' AND order_date < '2024-03-02'"), true},
		{"orders", "revenue_of_range", `"population": "range", "type": "cumulative"`, "status", days, orders("order_date >= '2024-02-12' AND order_date < '2024-02-18'", "order_date >= '2024-02-18' AND order_date < '2024-03-02'"), true},
		{"orders", "revenue_of_range", `"population": "range", "type": "cumulative", "reset": "month"`, "status", days, orders("order_date >= '2024-02-12' AND order_date < '2024-02-18'", "order_date >= '2024-03-01' AND order_date < '2024-03-02'"), true},
		{"orders", "revenue_so_far", `"recompute": {"periods": "unbounded"}`, "status", days, orders("order_date < '2024-02-18'", "order_date < '2024-03-02'"), true},
		{"orders", "revenue_of_20_days", `"recompute": {"span": {"count": 20, "granularity": "day"}}`, "status", days, orders("order_date >= '2024-01-29' AND order_date < '2024-02-18'", "order_date >= '2024-02-11' AND order_date < '2024-03-02'"), true},
		{"orders", "revenue_of_20_days", `"type": "rolling", "function": "sum", "span": {"count": 20, "granularity": "day"}`, "status", days, orders("order_date >= '2024-01-29' AND order_date < '2024-02-18'", "order_date >= '2024-02-11' AND order_date < '2024-03-02'"), true},
		{"stock", "last_qty", "", "stock.shop", firstMonths, stock("shop", "day = '2024-01-02'", "day = '2024-02-01'"), false},
		{"stock", "first_qty", "", "item", firstMonths, stock("item", "day = '2024-01-01'", "day = '2024-02-01'"), false},
		{"stock", "last_by_shop", "", "shops.town", firstMonths, stock("town", "day = '2024-01-02' AND shop = 'A' OR day = '2024-01-01' AND shop = 'B'", "day = '2024-02-01'"), false},
	} {
		model, err := os.ReadFile(filepath.Join(fixturesDir, c.fixture, "model.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if c.window != "" { // of a metric that the fixture does not have
			model = append(model, "      - {name: "+c.metric+", expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]},\n"+
				`         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["window"], "window": {`+c.window+"}}'}]}\n"...)
		}
		data, err := dataFor(&corpus.Case{Fixture: c.fixture}, "duckdb")
		if err != nil {
			t.Fatal(err)
		}
		s, err := open(model, data)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.engine.Close() })
		db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{data}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		q, err := query.DecodeAttribute([]byte(`{"metric":"` + c.metric + `","dimensions":["` + c.dimension + `"],` + c.windows + `}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := s.engine.Attribute(t.Context(), q)
		if err != nil {
			t.Errorf("%s: %v", c.metric, err)
			continue
		}
		wanted, err := servers.QueryTable(t.Context(), db, strings.Replace(attributionSides, "SIDES", c.sides, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][2]float64{}
		for _, row := range wanted.Rows {
			var pair [2]float64
			for i := range pair {
				if v := row[1+i]; v.Kind != table.CellKindNull {
					if pair[i], err = strconv.ParseFloat(v.Text, 64); err != nil {
						t.Fatal(err)
					}
				}
			}
			want[row[0].Text] = pair
		}
		got := map[string][2]float64{}
		for _, v := range report.PerDimension[c.dimension].Values {
			got[v.Value] = [2]float64{float64(v.BaselineValue), float64(v.CurrentValue)}
		}
		if diff := cmp.Diff(want, got); diff != "" || report.Strategy != "term_wise" {
			t.Errorf("%s of %s by %s is %s: - is SQL's, + is the attribution's\n%s", c.metric, c.fixture, c.dimension, report.Strategy, diff)
		}
		sum := 0.0
		for _, pair := range want {
			sum += pair[1] - pair[0]
		}
		if float64(report.TotalChange.Delta) != sum {
			t.Errorf("%s: the total changes by %v, its parts by %v", c.metric, report.TotalChange.Delta, sum)
		}
		if warned := slices.ContainsFunc(report.Warnings, func(w attribution.Warning) bool { return w.Code == "unequal_windows" }); warned != c.unequal {
			t.Errorf("%s: warned of the length of the windows: %v", c.metric, warned)
		}
	}
}

// A stock does not add up over the time of its snapshots.
func TestAttribution_OfStocksRejectsTheirTime(t *testing.T) {
	s := subjectOf(t, &corpus.Case{Fixture: "stock"})
	for dimension, code := range map[string]string{"stock.day": "unknown_dimension", "": "dimensions_required"} {
		list := ""
		if dimension != "" {
			list = `"` + dimension + `"`
		}
		q, err := query.DecodeAttribute([]byte(`{"metric":"last_qty","dimensions":[` + list + `],` + firstMonths + `}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.engine.Attribute(t.Context(), q)
		got, err := wireError(err)
		if err != nil || got.Code != code || !slices.Contains(got.Candidates, "stock.shop") || slices.Contains(got.Candidates, "stock.day") {
			t.Errorf("%q: %+v %v", dimension, got, err)
		}
	}
}
