package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

func TestMetrics_SingleEqualsListEntry(t *testing.T) {
	e := shop(t)
	for _, want := range metricsOf(t, e) {
		got, err := e.Metric(t.Context(), want.Name)
		if want.Name == "unfinished" {
			if codeOf(err) != "not_an_aggregate" {
				t.Errorf("%s: %v", want.Name, err)
			}
			continue
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	if _, err := e.Metric(t.Context(), "revenu"); codeOf(err) != "unknown_metric" {
		t.Error(err)
	}
}

func TestModel_AIContextPassedThrough(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(`{version: 0.2.0.dev0, semantic_model: [{name: m, ai_context: {instructions: Be brief.},
  datasets: [{name: d, source: d, fields: [{name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: f}]}}]}]}]}`)})
	if d := cmp.Diff(any(map[string]any{"instructions": "Be brief."}), e.AIContext()); d != "" {
		t.Error(d)
	}
	if got := shop(t).AIContext(); got != nil {
		t.Error(got)
	}
}

// A metric lists the homes of its aggregates before the datasets that they join.
func TestMetrics_ListHomesBeforeJoinedDatasets(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(`{version: 0.2.0.dev0, name: m, datasets: [
  {name: members, source: members, primary_key: [id], fields: [
    {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}, {name: town, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}]},
  {name: visits, source: visits, primary_key: [id], fields: [
    {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}, {name: member, expression: {dialects: [{dialect: ANSI_SQL, expression: member}]}}]}],
  relationships: [{name: member_of, from: visits, to: members, from_columns: [member], to_columns: [id]}],
  metrics: [{name: oslo, expression: {dialects: [{dialect: ANSI_SQL, expression: "COUNT(CASE WHEN members.town = 'oslo' THEN visits.id END)"}]}},
    {name: half, expression: {dialects: [{dialect: ANSI_SQL, expression: "oslo / 2"}]}}]}`)})
	for _, m := range metricsOf(t, e) {
		if d := cmp.Diff([]string{"visits", "members"}, m.Datasets); d != "" {
			t.Errorf("%s: %s", m.Name, d)
		}
	}
}
