package metricflow_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// The label of a metric and the synonyms of its metadata are one list.
func TestRead_LabelsAndSynonymsAreOneList(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, `
semantic_models:
  - name: crossings
    model: ref('crossings')
    label: Ferry crossings
    config: {meta: {synonyms: [sailings]}}
    defaults: {agg_time_dimension: sailed_on}
    entities: [{name: crossing, type: primary, expr: crossing_id}]
    dimensions: [{name: sailed_on, type: time, label: Day of departure, config: {meta: {synonyms: [day]}}, type_params: {time_granularity: day}}]
    measures: [{name: cars, agg: sum, expr: cars}]
metrics:
  - {name: cars_total, label: Cars carried, type: simple, type_params: {measure: cars}, config: {meta: {synonyms: [vehicles, cars carried]}}}
`)
	i := slices.IndexFunc(m.Datasets[0].Fields, func(f *modelspec.Field) bool { return f.Label == "Day of departure" })
	if i < 0 {
		t.Fatal("no field has the label")
	}
	got := []any{m.Datasets[0].AIContext, m.Datasets[0].Fields[i].AIContext, m.Metrics[0].AIContext}
	want := []any{
		map[string]any{"synonyms": []any{"sailings"}},
		map[string]any{"synonyms": []any{"day"}},
		map[string]any{"synonyms": []any{"Cars carried", "vehicles"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if text := losses(entries); text != "" {
		t.Error(text)
	}
}
