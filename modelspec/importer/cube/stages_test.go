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

// The groups that stages add, leave out or keep are those of a metric at another level.
func TestRead_StagesAreLevels(t *testing.T) {
	const plain, timed = "[{name: a, sql: a, type: string}]", "[{name: a, sql: a, type: string}, {name: at, sql: at, type: time}]"
	const kept = "approximated: without the groups that it keeps, a query has the total, and in Cube the sum of the values of these groups"
	for _, c := range []struct{ dimensions, measure, outcome, payload string }{
		{plain, `type: avg, multi_stage: true, sql: "{n}", add_group_by: [a]`, "exact: ", `"derive": {"type": "at", "expr": "AVG(n)", "include": ["o.a"]}`},
		{plain, `type: max, multiStage: true, sql: "{n}", grain: {include: [CUBE.a]}`, "exact: ", `"derive": {"type": "at", "expr": "MAX(n)", "include": ["o.a"]}`},
		{plain, `type: sum, multi_stage: true, sql: "{n}", reduce_by: [a]`, "exact: ", `"derive": {"type": "at", "expr": "n", "exclude": ["o.a"]}`},
		{plain, `type: number, multi_stage: true, sql: "{n} / 2", group_by: []`, "exact: ", `"derive": {"type": "at", "expr": "n / 2", "only": []}`},
		{plain, `type: sum, multi_stage: true, sql: "{n}", grain: {keep_only: [a]}`, kept, `"derive": {"type": "at", "expr": "n", "only": ["o.a"]}`},
		{plain, `type: sum, multi_stage: true, sql: "{n}", add_group_by: [b]`, "dropped: it names b, which is not a field of the model", ""},
		{plain, `type: number, multi_stage: true, sql: "{n}", add_group_by: [a]`, "dropped: a number that adds groups has no counterpart: it is not a sum, avg, min or max of the values of these", ""},
		{plain, `type: sum, multi_stage: true, sql: "{n}", reduce_by: [a], group_by: []`, "dropped: a measure that keeps groups and leaves others out has no counterpart", ""},
		{plain, `type: sum, multi_stage: true, sql: "{n}", reduce_by: [a], filters: [{sql: "a = 1"}]`, "dropped: a measure of several stages with a filter, a window or an order, or without sql, has no counterpart", ""},
		{plain, `type: sum, multi_stage: true, sql: "{n}", grain: {}`, "dropped: its stages name no groups", ""},
		{timed, `type: sum, multi_stage: true, sql: "{w}", add_group_by: [a]`, "dropped: a measure of several stages over w, which has a window, has no counterpart", ""},
	} {
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
      - {name: shifted, sql: "{cars_total}", type: count, multi_stage: true, grain: {exclude: [harbour]}}
      - {name: other, sql: "{cars_total}", type: sum, multi_stage: true, wishes: 1}
`)
	if err != nil {
		t.Fatal(err)
	}
	const groups = " Cube computes it in other groups than those of the query, which has no counterpart"
	want := []string{
		"dropped cube key crossings.refresh_key: Cube keeps results until the key changes; a server keeps results for a time that its settings name",
		"dropped dimension key crossings.harbour.mask: Cube shows this in place of the value to users without access, and here all users see the value",
		"dropped dimension crossings.place: the type geo has no counterpart",
		"dropped measure crossings.shifted: with grain" + groups,
		"dropped measure key crossings.other.wishes: the key is not known",
		"dropped measure crossings.other: a measure of several stages aggregates the values of groups again, which has no counterpart",
	}
	if diff := cmp.Diff(want, lossesOf(result)); diff != "" {
		t.Error(diff)
	}
}
