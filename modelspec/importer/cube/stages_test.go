package cube_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead_RanksAreWindows(t *testing.T) {
	const plain, timed = "[{name: a, sql: a, type: string}]", "[{name: a, sql: a, type: string}, {name: at, sql: at, type: time}]"
	const oneGroup = "a query without the groups of reduce_by is an error, and in Cube all its ranks are 1"
	for _, c := range []struct{ dimensions, measure, outcome, payload string }{
		{plain, `type: rank, multi_stage: true, order_by: [{sql: "{n}", dir: desc}], reduce_by: [a]`, "approximated: " + oneGroup, `"rank": {"function": "rank", "order": {"by": "value", "direction": "desc"}, "partition": {"mode": "query_dimensions_except", "exclude": ["o.a"]}}`},
		{plain, `type: rank, multi_stage: true, order_by: [{sql: "{n}"}]`, "exact: ", `"direction": "asc"}, "partition": {"mode": "query_dimensions"}`},
		{timed, `type: rank, multiStage: true, orderBy: [{sql: "{n}"}], reduceBy: [CUBE.a]`, "approximated: " + oneGroup + "; grouped by time, the rank is among the rows of all periods, and in Cube among those of one", `"exclude": ["o.a"]`},
		{plain, `type: rank, multi_stage: true, order_by: [{sql: "{n}"}], reduce_by: [b]`, "dropped: it names b, which is not a field of the model", ""},
		{plain, `type: rank, multi_stage: true`, "dropped: a rank that is not by one value in order_by has no counterpart", ""},
		{plain, `type: rank, multi_stage: true, order_by: [{sql: "{n}"}, {sql: "{w}"}]`, "dropped: a rank that is not by one value in order_by has no counterpart", ""},
		{plain, `type: rank, multi_stage: true, group_by: [a], order_by: [{sql: "{n}"}]`, "dropped: a rank with sql, filters, a time shift or other groups has no counterpart", ""},
		{plain, `type: rank, multi_stage: true, order_by: [{sql: "{n}", dir: up}]`, "dropped: the direction up of its order is not known", ""},
	} {
		if strings.Contains(c.measure, "{w}") {
			c.dimensions = timed // which w needs
		}
		outcome, model := readMeasure(t, c.dimensions, c.measure)
		if outcome != c.outcome || !strings.Contains(model, c.payload) {
			t.Errorf("%s: %s, want %s and %s in\n%s", c.measure, outcome, c.outcome, c.payload, model)
		}
	}
}

// A key that Cube documents is named with its effect: it is not an unknown key.
func TestRead_DocumentedKeysAreNamedWithTheirEffect(t *testing.T) {
	result, err := read(`
cubes:
  - name: crossings
    sql_table: crossings
    sql_alias: cr
    refresh_key: {every: 1 hour}
    dimensions:
      - {name: harbour, sql: harbour, type: string, mask: {sql: "'x'"}}
      - {name: place, type: geo, latitude: {sql: lat}, longitude: {sql: lon}}
    measures:
      - {name: cars_total, sql: cars, type: sum}
      - {name: without_harbour, sql: "{cars_total}", type: sum, multi_stage: true, grain: {exclude: [harbour]}}
      - {name: everywhere, sql: "{cars_total}", type: sum, multi_stage: true, group_by: []}
      - {name: by_harbour, sql: "{cars_total}", type: avg, multi_stage: true, add_group_by: [harbour]}
      - {name: other, sql: "{cars_total}", type: sum, multi_stage: true, wishes: 1}
`)
	if err != nil {
		t.Fatal(err)
	}
	const groups = " Cube computes it in other groups than those of the query, which has no counterpart"
	want := []string{
		"dropped cube key crossings.refresh_key: Cube keeps results until the key changes, and a query here reads the tables",
		"dropped dimension key crossings.harbour.mask: Cube shows this in place of the value to users without access, and here all users see the value",
		"dropped dimension crossings.place: the type geo has no counterpart",
		"dropped measure crossings.without_harbour: with grain" + groups,
		"dropped measure crossings.everywhere: with group_by" + groups,
		"dropped measure crossings.by_harbour: with add_group_by" + groups,
		"dropped measure key crossings.other.wishes: the key is not known",
		"dropped measure crossings.other: a measure of several stages aggregates the values of groups again, which has no counterpart",
	}
	if diff := cmp.Diff(want, lossesOf(result)); diff != "" {
		t.Error(diff)
	}
}
