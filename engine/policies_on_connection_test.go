package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// SQLite has no SPLIT_PART, and other engines have.
func TestCheckPoliciesOnConnection_FindsWhatADialectCannotExpress(t *testing.T) {
	const policies = `version: 1
attributes:
  part: {type: string}
  limit: {type: int, list: true}
roles:
  whole: {all: true}
  parts:
    datasets:
      sales:
        rows: "SPLIT_PART(region, '-', 1) = :user.part"
        fields: all
  masked:
    datasets:
      sales:
        rows: "amount IN (:user.limit)"
        fields: all
        mask: {region: "SPLIT_PART(region, '-', 1)"}
  plain:
    datasets:
      sales:
        rows: "amount IN (:user.limit)"
        fields: all
`
	const profiles = "datasources: {lite: {type: sqlite, uri: ':memory:'}, pg: {type: postgres, host: pg.invalid, username: u}, broken: {type: mysql, host: h, password: \"${SEMLAYER_TEST_UNSET}\"}}"
	c := engine.Config{ModelText: []byte(numbers), PoliciesText: []byte(policies), ConnectionsPath: file(t, profiles)}
	if issues, err := engine.CheckPolicies(t.Context(), c); err != nil || len(issues) > 0 {
		t.Fatalf("%v %v", issues, err)
	}
	for connection, want := range map[string][]int{"pg": nil, "lite": {10, 17}} {
		found, err := engine.CheckPoliciesOnConnection(t.Context(), c, connection)
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, one := range found {
			lines = append(lines, one.Position.Line)
		}
		slices.Sort(lines)
		if d := cmp.Diff(want, lines); d != "" {
			t.Errorf("%s: %s %v", connection, d, found)
		}
	}
	for _, connection := range []string{"broken", "none"} {
		if _, err := engine.CheckPoliciesOnConnection(t.Context(), c, connection); codeOf(err) != "config" {
			t.Errorf("%s: %v", connection, err)
		}
	}
}

// The keys that a rule joins on are counted, and the values of them that several rows have are reported.
func TestCheckPoliciesOnConnection_CountsDuplicatesOfJoinedKeys(t *testing.T) {
	const model = `version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: sale
        source: sale
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: buyer, expression: {dialects: [{dialect: ANSI_SQL, expression: buyer}]}, datatype: Integer}
      - name: person
        source: person
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: region, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}, datatype: String}
    relationships:
      - {name: bought_by, from: sale, to: person, from_columns: [buyer], to_columns: [id]}
`
	const policies = `version: 1
attributes: {region: {type: string}}
roles:
  joined:
    datasets:
      sale: {rows: "person.region = :user.region", fields: all}
      person: {rows: all, fields: all}
  own:
    datasets:
      person: {rows: "region = :user.region", fields: all}
`
	for rows, want := range map[string]string{
		"(1, 'n'), (1, 's'), (2, 'n'), (2, 'n'), (3, 'n'), (NULL, 'n'), (NULL, 's')": "2 values",
		"(1, 'n'), (2, 'n'), (NULL, 'n'), (NULL, 's')":                               "",
	} {
		c := engine.Config{ModelText: []byte(model), PoliciesText: []byte(policies), Drivers: []warehouse.Driver{duckdb.Driver()}, Setup: []string{
			"CREATE TABLE sale (id INTEGER, buyer INTEGER)", "CREATE TABLE person (id INTEGER, region VARCHAR)", "INSERT INTO person VALUES " + rows,
		}}
		found, err := engine.CheckPoliciesOnConnection(t.Context(), c, "")
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			if len(found) > 0 {
				t.Errorf("unique keys: %v", found)
			}
			continue
		}
		if len(found) != 1 || found[0].Code != "key_not_unique" || found[0].Position.Line != 6 || !strings.Contains(found[0].Message, "bought_by") || !strings.Contains(found[0].Message, want) {
			t.Errorf("%v", found)
		}
	}
}
