package planner_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

const viewedModel = `
version: 0.2.0.dev0
name: viewed
datasets:
  - name: orders
    source: orders
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: day, datatype: Date, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: status, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.id)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: '{"v": "1.10", "views": [{"name": "v", VIEW}]}'
`

func TestCheckViews_ReadsRangesAndConditionsAsQueriesDo(t *testing.T) {
	for view, want := range map[string]string{
		`"time_range": {"last": {"n": 3, "unit": "month"}}`:                        "",
		`"time_range": {"start": "2024-01-01", "dimension": "orders.day"}`:         "",
		`"filters": ["orders.status = 1"]`:                                         "filters",
		`"time_range": {"last": {"count": 3, "granularity": "month"}}`:             "time_range",
		`"time_range": {"start": "2024-01-01", "last": {"n": 3, "unit": "month"}}`: "time_range",
		`"time_range": {"start": "2024-13-01"}`:                                    "time_range",
		`"time_range": {"start": "2024-01-01", "dimension": "orders.status"}`:      "time_range",
		`"time_range": {"start": "2024-01-01", "dimension": "orders.days"}`:        "time_range",
	} {
		doc, err := modelspec.Parse([]byte(strings.Replace(viewedModel, "VIEW", strings.ReplaceAll(view, "'", "''"), 1)))
		if err != nil {
			t.Fatal(err)
		}
		cat, err := compile.Compile(t.Context(), doc, compile.Options{})
		if err != nil || len(cat.Errors) > 0 {
			t.Fatal(view, err, cat.Errors)
		}
		found, err := planner.CheckViews(t.Context(), cat, planner.Target{Dialect: "duckdb"})
		switch {
		case err != nil:
			t.Fatal(err)
		case want == "":
			if len(found) > 0 {
				t.Errorf("%s: %s", view, found[0].Message)
			}
		case len(found) != 1 || !strings.Contains(found[0].Message, "because of its "+want+": ") || !strings.Contains(found[0].Location, "views[0]"):
			t.Errorf("%s: %v", view, found)
		}
	}
}
