package planner_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/internal/plancases"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// wideCatalogText returns a model of metrics w0, w1, … over one dataset.
func wideCatalogText(metrics int) string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: wide\n    datasets:\n      - name: d\n        source: d\n        primary_key: [id]\n        fields:\n")
	for _, field := range []string{"id", "x", "day, datatype: Date"} {
		column, _, _ := strings.Cut(field, ",")
		fmt.Fprintf(&b, "          - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", field, column)
	}
	b.WriteString("    metrics:\n")
	for i := range metrics {
		fmt.Fprintf(&b, "      - {name: w%d, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]}}\n", i)
	}
	return b.String()
}

// MetricNames lists w0, w1, … as a request does.
func metricNames(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"w%d"`, i)
	}
	return "[" + strings.Join(names, ",") + "]"
}

// compare adds three columns for each column that it compares, totals one, and each share one. All of them count, and
// the retry of a query with too many compares as many columns as fit.
func TestColumns_OfCompareSharesAndTotalsCount(t *testing.T) {
	cat, err := plancases.Compile([]byte(wideCatalogText(1000)))
	if err != nil {
		t.Fatal(err)
	}
	const (
		grouped = `"group_by":[{"field":"d.id"}],`
		ranged  = `"time_range":{"start":"2024-01-01","end":"2024-02-01","dimension":"d.day"},"compare":{"offset":{"count":1,"unit":"month"}`
		added   = `,"totals":[[]],"shares":[{"metric":"w0"}]`
	)
	for _, c := range []struct {
		name, body string
		columns    int
		compared   int // of the retry, where the columns are too many
	}{
		{"all metrics", `{"metrics":` + metricNames(500) + `,` + ranged + `}}`, 4 * 500, 0},
		{"all metrics and a group", `{` + grouped + `"metrics":` + metricNames(500) + `,` + ranged + `}}`, 1 + 4*500, (2000 - 1 - 500) / 3},
		{"some metrics", `{` + grouped + `"metrics":` + metricNames(1000) + `,` + ranged + `,"metrics":` + metricNames(333) + `}}`, 1 + 1000 + 3*333, 0},
		{"too many of them", `{` + grouped + `"metrics":` + metricNames(1000) + `,` + ranged + `,"metrics":` + metricNames(334) + `}}`, 1 + 1000 + 3*334, 333},
		{"totals and shares", `{` + grouped + `"metrics":` + metricNames(499) + `,` + ranged + `}` + added + `}`, 1 + 4*499 + 1 + 1, 0},
		{"too many with totals and shares", `{` + grouped + `"metrics":` + metricNames(998) + `,` + ranged + `,"metrics":` + metricNames(334) + `}` + added + `}`, 1 + 998 + 3*334 + 1 + 1, (2000 - 1 - 998 - 2) / 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := decoded(t, query.DecodeMetric, c.body)
			planned, err := planner.New(cat).PlanMetrics(t.Context(), q, duckdb)
			if c.columns <= limits.QueryColumns {
				if err != nil || len(planned.Columns) != c.columns {
					t.Fatalf("%d columns, %v, want %d", len(planned.Columns), err, c.columns)
				}
				return
			}
			var refused *planerr.Error
			if !errors.As(err, &refused) || refused.Code != planerr.CodeBadRequest || !strings.Contains(refused.Message, fmt.Sprintf(" make %d result columns", c.columns)) {
				t.Fatalf("%v, want an error of %d columns", err, c.columns)
			}
			retry, ok := refused.Fragment["compare"].(query.Comparisons)
			if !ok || len(retry[0].Metrics) != c.compared {
				t.Fatalf("the retry compares %+v, want %d metrics", refused.Fragment["compare"], c.compared)
			}
			q.Compare = retry
			if _, err := planner.New(cat).PlanMetrics(t.Context(), q, duckdb); err != nil {
				t.Errorf("the retry: %v", err)
			}
		})
	}
}
