package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

// derived holds a metric of each family over one table of days.
const derived = `
version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: sales
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: shop, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: shop}]}}
      - {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.x)}]}}
  - {name: rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.x)}]}}
  - name: running
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.x)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "cumulative", "function": "sum"}}'}]
  - name: change
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.x)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "pop", "offset": "1 month"}}'}]
  - name: place
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.x)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"rank": {"function": "rank"}}}'}]
  - name: above
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN sales.x > 50 THEN sales.x END)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "total", "where": "x > :t"}, "params": [{"name": "t", "type": "int", "default": 50, "allowed": [0, 50, 100]}]}'}]
  - name: blend
    expression: {dialects: [{dialect: ANSI_SQL, expression: 2 * SUM(sales.x) - COUNT(sales.x) / 4}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "compose", "expr": "2 * total - rows / 4"}}'}]
`

func TestMetrics_ListDerivedFamilies(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(derived)})
	for _, c := range e.CompileErrors() {
		t.Error(c)
	}
	for _, m := range metricsOf(t, e) {
		want, ok := map[string]string{
			"running": `"window_family":"cumulative","window_function":"sum","requires_time_axis":true,"attribution":"exact"}`,
			"change":  `"window_family":"pop","window_function":"percent_change","requires_time_axis":true,"attribution":"exact"}`,
			"place":   `"window_family":"rank","window_function":"rank","attribution":"unsupported"}`,
			"above": `"derive_family":"filter","derive_base":"total","derive_expr":"x > :t","leaf_measures":["sales_x_sum"],` +
				`"params":{"t":50},"param_schema":{"t":{"type":"int","required":false,"default":50,"allowed":[0,50,100]}},"attribution":"exact"}`,
			"blend": `"derive_family":"compose","derive_expr":"2 * total - rows / 4","derive_members":[{"metric":"total","coefficient":2},{"metric":"rows","coefficient":-0.25}],` +
				`"leaf_measures":["sales_x_sum","sales_x_count"],"conformed_dimensions":["sales.day","sales.shop","sales.x"],"attribution":"exact"}`,
		}[m.Name]
		if !ok {
			continue
		}
		got := wire(t, m)
		if len(got) < len(want) || got[len(got)-len(want):] != want {
			t.Errorf("%s: %s", m.Name, cmp.Diff(want, got))
		}
	}
}

func TestDimensions_OfWindowMetrics(t *testing.T) {
	t.Run("a window metric that requires its time axis still lists its dimensions", func(t *testing.T) {
		e := open(t, engine.Config{ModelText: []byte(derived)})
		for _, metric := range []string{"total", "running", "change", "place", "above", "blend"} {
			found, err := e.Dimensions(t.Context(), metric)
			if err != nil {
				t.Fatal(err)
			}
			names := map[string]bool{}
			for _, d := range found {
				names[d.Name] = true
			}
			if !names["metric_time"] || !names["sales.shop"] {
				t.Errorf("%s: %v", metric, names)
			}
		}
	})
}

func TestCodes_DescribedOncePerStage(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range engine.Codes() {
		key := c.Stage + " " + c.Code + " " + c.Severity
		if seen[key] || c.When == "" || c.Since == "" || (c.Severity != "error" && c.Severity != "warning") {
			t.Errorf("%+v", c)
		}
		seen[key] = true
	}
	for _, key := range []string{"validate duplicate_name error", "compile unknown_field error", "plan fan_out_risk error", "execute timeout error", "server busy error"} {
		if !seen[key] {
			t.Errorf("%s is missing", key)
		}
	}
}

func TestMetrics_BrokenDimensionNotConformed(t *testing.T) {
	broken := strings.Replace(derived, "metrics:\n", "      - {name: lost, expression: {dialects: [{dialect: ANSI_SQL, expression: nosuch.column}]}}\nmetrics:\n", 1)
	metrics := metricsOf(t, open(t, engine.Config{ModelText: []byte(broken)}))
	i := slices.IndexFunc(metrics, func(m describe.Metric) bool { return m.Name == "blend" })
	if i < 0 {
		t.Fatal("the model lists no metric blend")
	}
	if d := cmp.Diff([]string{"sales.day", "sales.shop", "sales.x"}, metrics[i].ConformedDimensions); d != "" {
		t.Error(d)
	}
}
