package cube_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// A subquery dimension is a level-of-detail field, or its entry has the reason why not.
func TestSubQueries_BecomeFieldsOrAreDropped(t *testing.T) {
	for _, c := range []struct {
		dimension string
		outcome   importer.Outcome
		reason    string
	}{
		{`sql: "{orders.revenue}"`, importer.OutcomeExact, ""},
		{`sql: "{ orders.mean }"`, importer.OutcomeExact, ""},
		{`sql: "{latest}"`, importer.OutcomeExact, ""},
		{`sql: "{CUBE.latest}"`, importer.OutcomeExact, ""},
		{`sql: "{orders.count}"`, importer.OutcomeApproximated, "0"},
		{`sql: "{orders.share}"`, importer.OutcomeDropped, "number"},
		{`sql: "{orders.to_date}"`, importer.OutcomeDropped, "window"},
		{`sql: "{orders.revenue} / 2"`, importer.OutcomeDropped, "not one measure"},
		{`sql: "{orders}.revenue"`, importer.OutcomeDropped, "not one measure"},
		{`sql: "{orders.missing}"`, importer.OutcomeDropped, "not a measure"},
		{`sql: "{orders.id}"`, importer.OutcomeDropped, "not a measure"},
		{`sql: "{nobody.count}"`, importer.OutcomeDropped, "not imported"},
		{`sql: "SUM(amount)"`, importer.OutcomeDropped, "not one measure"},
		{`propagate_filters_to_sub_query: true, sql: "{orders.revenue}"`, importer.OutcomeDropped, "filters"},
		// The other table has no rows of one row of this one.
		{`sql: "{regions.count}"`, importer.OutcomeDropped, ""},
	} {
		result, err := read(`
cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
      - {name: value, type: number, sub_query: true, ` + c.dimension + `}
    joins: [{name: regions, relationship: many_to_one, sql: "{CUBE.region} = {regions.name}"}]
    measures: [{name: latest, sql: since, type: max}]
  - name: orders
    sql_table: orders
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    joins: [{name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}]
    measures:
      - {name: revenue, sql: amount, type: sum}
      - {name: mean, sql: amount * 2, type: avg}
      - {name: count, type: count}
      - {name: share, sql: "{revenue} / {count}", type: number}
      - {name: to_date, sql: amount, type: sum, rolling_window: {trailing: unbounded}}
  - name: regions
    sql_table: regions
    dimensions: [{name: name, sql: name, type: string, primary_key: true}]
    measures: [{name: count, type: count}]
`)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range result.Entries {
			if e.Name != "customers.value" {
				continue
			}
			if e.Outcome != c.outcome || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("%s: %s %q", c.dimension, e.Outcome, e.Reason)
			}
			if has := strings.Contains(string(result.Model), `"lod": {"grain": ["id"]}`); has != (c.outcome != importer.OutcomeDropped) {
				t.Errorf("%s: %s", c.dimension, result.Model)
			}
		}
	}
}

// A subquery dimension is not a column: SQL that computes with it is dropped, a measure of it alone is imported, and SQL that names
// the column of its name has the column.
func TestSubQueries_AreNotColumns(t *testing.T) {
	result, err := read(`
cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: value, type: number, sub_query: true, sql: "{latest}"}
      - {name: double, type: number, sql: "{value} * 2"}
      - {name: column, type: number, sql: "{CUBE}.value + 1"}
    measures:
      - {name: latest, sql: since, type: max}
      - {name: mean, sql: "{value}", type: avg}
      - {name: mean_column, sql: "{CUBE}.value", type: avg}
      - {name: mean_of_some, sql: "{value}", type: avg, filters: [{sql: "{CUBE}.id > 5"}]}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]importer.Outcome{"double": importer.OutcomeDropped, "column": importer.OutcomeExact, "mean": importer.OutcomeExact, "mean_column": importer.OutcomeExact, "mean_of_some": importer.OutcomeDropped}
	for _, e := range result.Entries {
		if outcome, named := want[strings.TrimPrefix(e.Name, "customers.")]; named && e.Outcome != outcome {
			t.Errorf("%s: %s %q", e.Name, e.Outcome, e.Reason)
		}
	}
}
