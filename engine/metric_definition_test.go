package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

const definedModel = `{version: 0.2.0.dev0, semantic_model: [{name: m,
  custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.10","queries":[{"name":"by_kind","query":{"metrics":["total"],"group_by":[{"field":"d.kind"}]}}]}'}],
  datasets: [{name: d, source: d, primary_key: [id], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}], fields: [
    {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}},
    {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}},
    {name: kind, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}},
    {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}]}],
  metrics: [
    {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM( d.x )"}]}},
    {name: rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(d.id)}]}},
    {name: mean, expression: {dialects: [{dialect: ANSI_SQL, expression: total / rows}]}},
    {name: twice, expression: {dialects: [{dialect: ANSI_SQL, expression: mean + mean}]}},
    {name: above, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(CASE WHEN d.x > 0 THEN d.x END)"}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "filter", "base": "total", "where": "x > :t"}, "params": [{"name": "t", "type": "int", "min": 5}]}'}]},
    {name: share, expression: {dialects: [{dialect: ANSI_SQL, expression: above / total}]}},
    {name: so_far, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative"}}'}]},
    {name: stock, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "non_additive": {"by": "day", "take": "last", "per": ["kind", "id"]}}'}]},
    {name: mean_stock, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "non_additive": {"by": "day", "take": "avg"}}'}]},
    {name: cover, expression: {dialects: [{dialect: ANSI_SQL, expression: stock / total}]}},
    {name: positive, expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(d.x) FILTER (WHERE d.kind = 'a; b')"}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "fill_nulls_with": 0}'}]},
    {name: quarter_mean, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "rolling", "function": "avg", "periods": 3, "require_full_window": true}}'}]},
    {name: this_year, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative", "function": "sum", "reset": "year"}}'}]},
    {name: growth, expression: {dialects: [{dialect: ANSI_SQL, expression: total / rows}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "pop", "offset": "1 month", "calculation": "percent_change"}}'}]},
    {name: place, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"rank": {"function": "rank", "order": {"by": "value", "direction": "desc"}, "partition": {"mode": "none"}}}}'}]},
    {name: running, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"frame": {"function": "sum", "preceding": 2}}}'}]},
    {name: again, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT d.kind)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"recompute": {"span": {"count": 1, "granularity": "quarter"}}}}'}]},
    {name: in_range, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["window.population"], "grains": ["day"], "window": {"type": "cumulative", "population": "range"}}'}]},
    {name: place_of_all, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(d.x)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["window.population"], "window": {"rank": {"function": "rank"}, "population": "all"}}'}]}]}]}`

// overTime returns a query of a metric by month.
func overTime(metric string) string {
	return `{"metrics":["` + metric + `"],"group_by":[{"field":"metric_time","grain":"month"}]}`
}

func TestMetricDefinition_ExpandsMembersAndCompiles(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(definedModel)})
	for _, want := range []struct{ name, expression, definition, example string }{
		{"total", "SUM( d.x )", "SUM(d.x)", `{"metrics":["total"]}`},
		{"mean", "total / rows", "SUM(d.x) / COUNT(d.id)", `{"metrics":["mean"]}`},
		{"twice", "mean + mean", "SUM(d.x) / COUNT(d.id) + SUM(d.x) / COUNT(d.id)", `{"metrics":["twice"]}`},
		{"above", "SUM(CASE WHEN d.x > 0 THEN d.x END)", "total where x > :t; total = SUM(d.x)", `{"metrics":["above"],"params":{"t":5}}`},
		{"share", "above / total", "above / SUM(d.x); above = total where x > :t; total = SUM(d.x)", `{"metrics":["share"],"params":{"t":5}}`},
		{"so_far", "SUM(d.x)", "SUM(d.x) over a cumulative window (sum)", `{"metrics":["so_far"],"group_by":[{"field":"metric_time","grain":"month"}]}`},
		{"stock", "SUM(d.x)", "SUM(d.x) of the rows with the last d.day of each d.kind and d.id", `{"metrics":["stock"]}`},
		{"mean_stock", "SUM(d.x)", "SUM(d.x), the avg of its values by d.day", `{"metrics":["mean_stock"]}`},
		{"cover", "stock / total", "stock / SUM(d.x); stock = SUM(d.x) of the rows with the last d.day of each d.kind and d.id", `{"metrics":["cover"]}`},
		{"positive", "SUM(d.x) FILTER (WHERE d.kind = 'a; b')", "SUM(CASE WHEN d.kind = 'a; b' THEN d.x END), 0 in place of null", `{"metrics":["positive"]}`},
		{"quarter_mean", "SUM(d.x)", "SUM(d.x) over a rolling window (avg), the last 3 periods, null where a part of the window is missing", overTime("quarter_mean")},
		{"this_year", "SUM(d.x)", "SUM(d.x) over a cumulative window (sum), from the beginning of each year", overTime("this_year")},
		{"growth", "total / rows", "SUM(d.x) / COUNT(d.id) over a period-over-period window (percent_change), 1 month before", overTime("growth")},
		{"place", "SUM(d.x)", "SUM(d.x) over a rank window, by value, the largest first, over all groups", `{"metrics":["place"]}`},
		{"running", "SUM(d.x)", "SUM(d.x) over a frame window (sum), the current row and the 2 rows before it, by time", overTime("running")},
		{"again", "COUNT(DISTINCT d.kind)", "COUNT(DISTINCT d.kind) over a recomputed window, the rows of the last 1 quarter", overTime("again")},
		{"in_range", "SUM(d.x)", "SUM(d.x) over a cumulative window (sum), within the time range", `{"metrics":["in_range"],"group_by":[{"field":"metric_time","grain":"day"}]}`},
		{"place_of_all", "SUM(d.x)", "SUM(d.x) over a rank window, by value, the largest first, over all groups, also of rows outside of the time range", `{"metrics":["place_of_all"]}`},
	} {
		got, err := e.MetricDefinition(t.Context(), want.name)
		if err != nil {
			t.Error(want.name, err)
			continue
		}
		example, err := engine.MarshalWireJSON(got.Example)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{want.expression, want.definition, want.example}, []string{got.Expression, got.Definition, string(example)}); d != "" {
			t.Errorf("%s: %s", want.name, d)
		}
		if _, err := askSQL(t.Context(), e, got.Example); err != nil {
			t.Errorf("%s: the example does not compile: %v", want.name, err)
		}
		described, err := e.Metric(t.Context(), want.name)
		if err != nil || described.Definition != want.definition {
			t.Errorf("%s: the description has the definition %q, %v", want.name, described.Definition, err)
		}
		if saved := want.name == "total"; saved != (len(got.Saved) == 1) {
			t.Errorf("%s: saved %v", want.name, got.Saved)
		}
	}
	if _, err := e.MetricDefinition(t.Context(), "totl"); codeOf(err) != "unknown_metric" {
		t.Error(err)
	}
}
