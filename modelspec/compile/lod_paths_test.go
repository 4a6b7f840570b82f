package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// roles returns a model in which orders lead to the calendar on two paths and to zones on
// two others; the payload is on calendar.total, the sum over orders.
func roles(payload string) string {
	return `
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      ~ order_id: order_id
      ~ ordered: ordered
      ~ shipped: shipped
      ~ amount: amount
  - name: calendar
    source: calendar
    primary_key: [day]
    fields:
      ~ day: day
      ~ weekday: weekday
      ~ total: SUM(orders.amount)
        @ ` + payload + `
  - name: zones
    source: zones
    primary_key: [zone]
    fields:
      ~ zone: zone
  - name: notes
    source: notes
    fields:
      ~ day: day
relationships:
  - {name: ordered_on, from: orders, to: calendar, from_columns: [ordered], to_columns: [day]}
  - {name: shipped_on, from: orders, to: calendar, from_columns: [shipped], to_columns: [day]}
  - {name: zone_of_order, from: orders, to: zones, from_columns: [ordered], to_columns: [zone]}
  - {name: zone_of_day, from: calendar, to: zones, from_columns: [weekday], to_columns: [zone]}
  - {name: note_of_order, from: orders, to: notes, from_columns: [ordered], to_columns: [day]}
  - {name: day_before, from: calendar, to: calendar, from_columns: [weekday], to_columns: [day]}
`
}

func viaNames(path []catalog.JoinStep) string {
	var names []string
	for _, s := range path {
		names = append(names, s.Rel.Name)
	}
	return strings.Join(names, " ")
}

func TestLOD_FollowsTheNamedPath(t *testing.T) {
	for via, want := range map[string]string{`["shipped_on"]`: "shipped_on", `["ORDERED_ON"]`: "ordered_on"} {
		cat := sound(t, roles(`{"v": "1.10", "lod": {"grain": ["day"], "where": "calendar.weekday = 'mon'", "via": `+via+`}}`))
		if got := viaNames(cat.Dataset("calendar").Field("total").LOD.Via); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestLOD_NamesThePathsThatCompete(t *testing.T) {
	cat := compiled(t, roles(`{"v": "1.10", "lod": {"grain": ["day"]}}`)+"metrics:\n  ~ mean: AVG(calendar.total)\n")
	if len(cat.Errors) != 1 {
		t.Fatal(cat.Errors)
	}
	err := cat.Errors[0]
	if err.Code != compile.CodeAmbiguousJoinPath || err.Message != "several relationship paths lead from orders to calendar" {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"ordered_on", "shipped_on"}, err.Candidates); d != "" {
		t.Error(d)
	}
	if cat.Dataset("calendar").Field("total").Err != err || cat.Metric("mean").Err != err {
		t.Error("the field and the metric over it do not carry the error")
	}
}

func TestLOD_RefusesAPathThatDoesNotLeadToTheCarrier(t *testing.T) {
	for _, c := range []struct {
		what, via, location, message string
		candidates                   []string
	}{
		{"an unknown name", `["shipd_on"]`, "[0]", `via of calendar.total: "shipd_on" names no relationship`, []string{"shipped_on", "ordered_on"}},
		{"a step that does not chain", `["shipped_on", "ordered_on"]`, "[1]", "via of calendar.total: relationship ordered_on does not leave calendar", nil},
		{"a path that ends elsewhere", `["zone_of_order"]`, "[0]", "via of calendar.total: the path ends at zones, not at calendar", nil},
		{"a self-relationship behind a step", `["shipped_on", "day_before"]`, "[1]",
			"via of calendar.total: a self-relationship can only be the single step of a path that leaves its own dataset", nil},
		{"a step to several rows", `["note_of_order"]`, "[0]",
			"via of calendar.total: the relationship note_of_order does not lead to one row of notes, so a row would count for several", nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": `+c.via+`}}`))
			want := []string{"invalid_vendor_extension datasets[1].fields[2]" + payloadOf + ".lod.via" + c.location}
			if d := cmp.Diff(want, listed(cat.Errors)); d != "" {
				t.Fatal(d)
			}
			if got := cat.Errors[0].Message; got != c.message {
				t.Errorf("%s, want %s", got, c.message)
			}
			for i, name := range c.candidates {
				if i >= len(cat.Errors[0].Candidates) || cat.Errors[0].Candidates[i] != name {
					t.Errorf("candidates %v, want %v", cat.Errors[0].Candidates, c.candidates)
				}
			}
		})
	}
}

// A field that one dialect computes over rows with a single path to it could be
// queried on that dialect, and still can.
func TestLOD_StaysUsableOnADialectWithOnePath(t *testing.T) {
	model := strings.Replace(roles(`{"v": "1.10", "lod": {"grain": ["day"]}}`), "      ~ total: SUM(orders.amount)\n",
		"      - name: total\n        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}, {dialect: POSTGRES, expression: COUNT(calendar.day)}]}\n", 1)
	cat := compiled(t, model)
	if d := cmp.Diff([]string{"ambiguous_join_path datasets[1].fields[2]" + payloadOf + ".lod"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
	if err := cat.Dataset("calendar").Field("total").ErrorForDialect("postgres"); err != nil {
		t.Error(err)
	}
}

func TestLOD_ChecksTheDatasetOfEachDialect(t *testing.T) {
	model := strings.Replace(roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["shipped_on"]}}`), "      ~ total: SUM(orders.amount)\n",
		"      - name: total\n        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}, {dialect: POSTGRES, expression: COUNT(calendar.day)}]}\n", 1)
	cat := compiled(t, model)
	if d := cmp.Diff([]string{"invalid_vendor_extension datasets[1].fields[2]" + payloadOf + ".lod.via[0]"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
	f := cat.Dataset("calendar").Field("total")
	if f.ErrorForDialect("duckdb") != nil || f.ErrorForDialect("postgres") == nil {
		t.Errorf("duckdb %v, postgres %v", f.ErrorForDialect("duckdb"), f.ErrorForDialect("postgres"))
	}
}
