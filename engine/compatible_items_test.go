package engine_test

import (
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// visitsOfRegions has two ways from visits to regions, one of which repeats rows: the code of a region is not a key.
const visitsOfRegions = `
version: 0.2.0.dev0
name: m
datasets:
  - name: visits
    source: visits
    primary_key: [visit_id]
    fields:
      - {name: visit_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: visit_id}]}}
      - {name: region_code, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region_code}]}}
      - {name: user_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: user_id}]}}
  - name: users
    source: users
    primary_key: [user_id]
    fields:
      - {name: user_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: user_id}]}}
      - {name: nickname, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: nickname}]}}
      - {name: home_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: home_id}]}}
  - name: regions
    source: regions
    primary_key: [region_id]
    fields:
      - {name: region_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: region_id}]}}
      - {name: code, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: code}]}}
      - {name: item_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: item_id}]}}
  - name: items
    source: items
    primary_key: [item_id]
    fields:
      - {name: item_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: item_id}]}}
      - {name: title, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: title}]}}
relationships:
  - {name: visited, from: visits, to: regions, from_columns: [region_code], to_columns: [code]}
  - {name: made_by, from: visits, to: users, from_columns: [user_id], to_columns: [user_id]}
  - {name: lives_in, from: users, to: regions, from_columns: [home_id], to_columns: [region_id]}
  - {name: sells, from: regions, to: items, from_columns: [item_id], to_columns: [item_id]}
metrics:
  - {name: first_visit, expression: {dialects: [{dialect: ANSI_SQL, expression: MIN(visits.visit_id)}]}}
`

// A condition on a path through a dataset leaves the bare names of that dataset's fields in doubt.
func TestCompatible_ListsWhatCompilesBesideANamedPath(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(visitsOfRegions)})
	const where = "visited.sells.title = 'x'"
	for _, metrics := range [][]string{nil, {"first_visit"}} {
		fits, err := e.CompatibleItems(t.Context(), &query.CompatibleQuery{MetricQuery: query.MetricQuery{Metrics: metrics, WhereSQL: where}})
		if err != nil {
			t.Fatal(err)
		}
		listed := map[string]bool{}
		for _, d := range fits.Dimensions {
			listed[d.Name] = true
		}
		for _, field := range []string{"regions.region_id", "regions.code", "users.nickname", "users.user_id", "visits.region_code", "items.title"} {
			_, err := askSQL(t.Context(), e, &query.MetricQuery{Metrics: []string{"first_visit"}, WhereSQL: where, GroupBy: []query.GroupBy{{Field: field}}})
			if listed[field] != (err == nil) {
				t.Errorf("%q: %s is listed: %t, and its query gives %v", metrics, field, listed[field], err)
			}
		}
	}
}
