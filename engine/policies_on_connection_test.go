package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
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
