package cube_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

// The title of an object and the synonyms of its meta are one list.
func TestRead_TitlesAndSynonymsAreOneList(t *testing.T) {
	result, err := read(`
cubes:
  - name: crossings
    sql_table: crossings
    title: Ferry crossings
    meta: {synonyms: [sailings]}
    dimensions:
      - {name: crossing_id, sql: crossing_id, type: number, primary_key: true}
      - {name: harbour, sql: harbour, type: string, title: Port of departure, meta: {synonyms: [quay, port of departure]}}
    measures:
      - {name: cars_total, sql: cars, type: sum, title: Cars carried, meta: {synonyms: [vehicles, Cars carried], owner: port office}}
`)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := modelspec.Parse(result.Model)
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Model()
	got := []any{m.Datasets[0].AIContext, m.Datasets[0].Fields[1].AIContext, m.Metrics[0].AIContext}
	want := []any{
		map[string]any{"synonyms": []any{"sailings"}},
		map[string]any{"synonyms": []any{"quay", "port of departure"}},
		map[string]any{"synonyms": []any{"Cars carried", "vehicles"}, "owner": "port office"},
	}
	if diff := cmp.Diff(want, got); diff != "" || m.Datasets[0].Fields[1].Label != "Port of departure" || !strings.Contains(string(result.Model), `"label": "Ferry crossings"`) {
		t.Errorf("-want +got\n%s", diff)
	}
	if result.HasLosses() {
		t.Errorf("%v", lossesOf(result))
	}
}
