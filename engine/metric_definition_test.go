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
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative"}}'}]}]}]}`

func TestMetricDefinition_ExpandsMembersAndCompiles(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(definedModel)})
	for _, want := range []struct{ name, expression, definition, example string }{
		{"total", "SUM( d.x )", "SUM(d.x)", `{"metrics":["total"]}`},
		{"mean", "total / rows", "SUM(d.x) / COUNT(d.id)", `{"metrics":["mean"]}`},
		{"twice", "mean + mean", "SUM(d.x) / COUNT(d.id) + SUM(d.x) / COUNT(d.id)", `{"metrics":["twice"]}`},
		{"above", "SUM(CASE WHEN d.x > 0 THEN d.x END)", "total where x > :t; total = SUM(d.x)", `{"metrics":["above"],"params":{"t":5}}`},
		{"share", "above / total", "above / SUM(d.x); above = total where x > :t; total = SUM(d.x)", `{"metrics":["share"],"params":{"t":5}}`},
		{"so_far", "SUM(d.x)", "SUM(d.x) over a cumulative window (sum)", `{"metrics":["so_far"],"group_by":[{"field":"metric_time","grain":"month"}]}`},
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
		if _, err := e.CompileMetrics(t.Context(), got.Example); err != nil {
			t.Errorf("%s: the example does not compile: %v", want.name, err)
		}
		if saved := want.name == "total"; saved != (len(got.Saved) == 1) {
			t.Errorf("%s: saved %v", want.name, got.Saved)
		}
	}
	if _, err := e.MetricDefinition(t.Context(), "totl"); codeOf(err) != "unknown_metric" {
		t.Error(err)
	}
}
