package properties_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// nearRollups makes rollups near to each question: those that are suggested for it alone, and copies of them that differ in a part.
func (r *maker) nearRollups(t *testing.T, questions []*question) []rollupText {
	t.Helper()
	e := openRolled(t, r.m, []string{})
	defer func() { _ = e.Close() }()
	var out []rollupText
	add := func(x rollupText) {
		x.Name = "near_" + strconv.Itoa(len(out))
		out = append(out, x)
	}
	for i, q := range questions {
		found, err := e.SuggestRollups(t.Context(), []engine.RequestLogEntry{{Line: i, Path: "/v1/query/execute", Body: []byte(q.json())}})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(found.Rollups)
		if err != nil {
			t.Fatal(err)
		}
		var suggested []rollupText
		if err := json.Unmarshal(text, &suggested); err != nil {
			t.Fatal(err)
		}
		for _, x := range suggested {
			for at, m := range x.Measures {
				m["column"] = "m" + strconv.Itoa(at) // the names of some are longer than MariaDB takes
			}
			if r.chance(80) {
				add(x)
			}
			if r.chance(70) {
				add(r.varied(x, q))
			}
		}
	}
	return out
}

// varied returns a rollup that differs from another one in a part or two: it may serve the question of that, and others.
func (r *maker) varied(x rollupText, q *question) rollupText {
	places := slices.DeleteFunc(r.places([]*dataset{r.m.dataset(x.Of)}), func(p place) bool { return !p.safe || len(p.field.params) > 0 || p.field.payload != "" })
	x.GroupBy, x.Measures = cloneMaps(x.GroupBy), cloneMaps(x.Measures)
	for range 1 + r.IntN(2) {
		group := -1
		if len(x.GroupBy) > 0 {
			group = r.IntN(len(x.GroupBy))
		}
		switch change := r.IntN(12); {
		case change == 0 && group >= 0:
			x.GroupBy = slices.Delete(x.GroupBy, group, group+1)
		case change <= 3 && group >= 0 && r.isTimeGroup(x.GroupBy[group], places):
			r.changeGrain(x.GroupBy[group])
		case change <= 5 && group >= 0:
			r.changePath(x.GroupBy[group], places)
		case change <= 7 && len(places) > 0:
			p := pick(r, places)
			if inner := slices.DeleteFunc(slices.Clone(places), func(p place) bool { return !r.dropsRows(p) }); len(inner) > 0 && r.chance(70) {
				p = pick(r, inner)
			}
			x.GroupBy = append(x.GroupBy, map[string]string{"field": p.ref, "column": "added" + strconv.Itoa(len(x.GroupBy))})
		case change == 8 && len(x.Measures) > 1:
			at := r.IntN(len(x.Measures))
			x.Measures = slices.Delete(x.Measures, at, at+1)
		case change <= 10 && x.Where == "":
			x.Where = r.conditionNear(x, q, places)
		case change == 11:
			x.Connections = []string{"elsewhere"}
		}
	}
	return x
}

func cloneMaps(in []map[string]string) []map[string]string {
	out := make([]map[string]string, len(in))
	for i, x := range in {
		out[i] = maps.Clone(x)
	}
	return out
}

// dropsRows reports whether a place is at the end of an INNER relationship.
func (r *maker) dropsRows(p place) bool {
	name, _, _ := strings.Cut(p.ref, ".")
	return slices.ContainsFunc(r.m.relations, func(rel *relation) bool { return rel.inner && rel.name == name })
}

// isTimeGroup reports whether a group of a rollup is of a field with grains.
func (r *maker) isTimeGroup(group map[string]string, places []place) bool {
	return slices.ContainsFunc(places, func(p place) bool { return p.ref == group["field"] && p.field.isRollupTime() })
}

// changeGrain gives a group another grain, or none.
func (r *maker) changeGrain(group map[string]string) {
	delete(group, "grain")
	if r.chance(85) {
		group["grain"] = pick(r, []string{"hour", "day", "day", "week", "month", "month", "quarter", "year"})
	}
}

// changePath makes a group of the same field by another path, where there is one.
func (r *maker) changePath(group map[string]string, places []place) {
	at := slices.IndexFunc(places, func(p place) bool { return p.ref == group["field"] })
	if at < 0 {
		return
	}
	others := slices.DeleteFunc(slices.Clone(places), func(p place) bool { return p.field != places[at].field || p.ref == places[at].ref })
	if len(others) > 0 {
		group["field"] = pick(r, others).ref
	}
}

// conditionNear returns a condition of a rollup: that of the question, one that its time range may imply, or any.
func (r *maker) conditionNear(x rollupText, q *question, places []place) string {
	switch r.IntN(3) {
	case 0:
		if q.WhereSQL != "" {
			return q.WhereSQL
		}
	case 1:
		for _, p := range places {
			if p.field.kind == day && p.field.encoded == "" && slices.ContainsFunc(x.GroupBy, func(g map[string]string) bool { return g["field"] == p.ref }) {
				return p.ref + pick(r, []string{" >= DATE '2023-12-01'", " >= DATE '2024-01-01'", " < DATE '2024-06-01'", " < DATE '2024-04-01'"})
			}
		}
	}
	return r.inputCondition(places)
}
