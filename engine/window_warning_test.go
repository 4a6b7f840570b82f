package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// Two buyers in two months each: a running sum of distinct counts has 4 of them.
const buyers = `
version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: SELECT * FROM (VALUES (DATE '2024-01-05', 'a'), (DATE '2024-01-06', 'b'), (DATE '2024-02-05', 'a'), (DATE '2024-02-06', 'b')) AS s (day, buyer)
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: buyer, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: buyer}]}}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.day)}]}}
  - name: buyers_so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT sales.buyer)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "cumulative", "function": "sum"}}'}]
  - name: sales_so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.day)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "cumulative", "function": "sum"}}'}]
  - {name: buyers_per_sale, expression: {dialects: [{dialect: ANSI_SQL, expression: buyers_so_far / sales_so_far}]}}
`

func TestResult_WarnsOfWindowOverDistinctCounts(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(buyers)})
	for _, c := range []struct{ metrics, columns string }{
		{`"n"`, ""},
		{`"sales_so_far"`, ""},
		{`"n","buyers_so_far"`, `"columns":["buyers_so_far"]`},
		{`"buyers_per_sale","sales_so_far","buyers_so_far"`, `"columns":["buyers_per_sale","buyers_so_far"]`},
	} {
		t.Run(c.metrics, func(t *testing.T) {
			body := `{"metrics":[` + c.metrics + `],"group_by":[{"field":"metric_time","grain":"month"}]}`
			compiled, err := askSQL(t.Context(), e, metricQuery(t, body))
			if err != nil {
				t.Fatal(err)
			}
			for what, text := range map[string]string{"compile": wire(t, compiled), "execute": string(answered(t, e, body))} {
				if warned := strings.Contains(text, `"code":"window_adds_non_additive"`); warned != (c.columns != "") || !strings.Contains(text, c.columns) {
					t.Errorf("%s: %s", what, text)
				}
			}
		})
	}
	rows := answered(t, e, `{"metrics":["buyers_so_far"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}]}`)
	if !bytes.Contains(rows, []byte(`{"metric_time__month":"2024-01-01","buyers_so_far":2},{"metric_time__month":"2024-02-01","buyers_so_far":4}`)) {
		t.Errorf("the rows changed: %s", rows)
	}
}
