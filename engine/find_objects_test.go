package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// cargoOfVoyages has two relationships from voyages to ports, which lines of cargo reach through their voyage.
const cargoOfVoyages = `
version: 0.2.0.dev0
name: m
datasets:
  - name: cargo
    source: cargo
    primary_key: [cargo_id]
    fields:
      - {name: cargo_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: cargo_id}]}}
      - {name: voyage_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: voyage_id}]}}
      - {name: tonnes, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: tonnes}]}}
  - name: voyages
    source: voyages
    primary_key: [voyage_id]
    fields:
      - {name: voyage_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: voyage_id}]}}
      - {name: from_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: from_id}]}}
      - {name: to_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: to_id}]}}
  - name: ports
    source: ports
    primary_key: [port_id]
    fields:
      - {name: port_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: port_id}]}}
      - {name: harbour, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: harbour}]}}
  - name: tariffs
    source: tariffs
    primary_key: [tariff_id]
    fields:
      - {name: tariff_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: tariff_id}]}}
relationships:
  - {name: carried_on, from: cargo, to: voyages, from_columns: [voyage_id], to_columns: [voyage_id]}
  - {name: origin, from: voyages, to: ports, from_columns: [from_id], to_columns: [port_id]}
  - {name: destination, from: voyages, to: ports, from_columns: [to_id], to_columns: [port_id]}
metrics:
  - {name: total_tonnes, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(cargo.tonnes)}]}}
  - {name: voyage_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(voyages.voyage_id)}]}}
`

// With metrics, a dimension has the name under which their query accepts it, and use compiles beside them.
func TestFind_NamesDimensionsAsTheMetricsReachThem(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(cargoOfVoyages)})
	for _, c := range []struct {
		metrics []string
		text    string
		want    []string // names, in any order
	}{
		{nil, "harbour", []string{"destination.harbour", "origin.harbour", "ports.harbour"}},
		{[]string{"voyage_count"}, "harbour", []string{"destination.harbour", "origin.harbour"}},
		{[]string{"total_tonnes"}, "harbour", []string{"carried_on.destination.harbour", "carried_on.origin.harbour"}},
		{[]string{"total_tonnes", "voyage_count"}, "tariff", nil},
	} {
		found, err := e.Find(t.Context(), &query.FindQuery{Text: c.text, Metrics: c.metrics, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range found.Hits {
			if h.Kind != "dimension" || found.Match != "" {
				continue
			}
			got = append(got, h.Name)
			if c.metrics == nil {
				continue
			}
			q := &query.MetricQuery{Metrics: c.metrics}
			for _, g := range h.Use.GroupBy {
				q.GroupBy = append(q.GroupBy, query.GroupBy{Field: g.Field, Grain: g.Grain})
			}
			if _, err := askSQL(t.Context(), e, q); err != nil {
				t.Errorf("%q with %s: %v", c.metrics, h.Name, err)
			}
		}
		slices.Sort(got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q %q: %s", c.metrics, c.text, d)
		}
	}
}
