package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

// leadsToOneRow reports whether a row of the relationship's from has one row of its to.
func (r *relation) leadsToOneRow() bool {
	return r.from != r.to && (r.proves == "many_to_one" || r.proves == "one_to_one")
}

// relationsFrom lists the relationships that lead from a dataset to one row each.
func (m *model) relationsFrom(d *dataset) []*relation {
	var out []*relation
	for _, rel := range m.relations {
		if rel.from == d && rel.leadsToOneRow() {
			out = append(out, rel)
		}
	}
	return out
}

// joinedFields adds fields to a dataset whose values come from the datasets that it leads to.
func (r *maker) joinedFields(d *dataset) {
	for _, rel := range r.m.relationsFrom(d) {
		if rel.inner || !r.chance(45) {
			continue
		}
		f := pick(r, slices.DeleteFunc(rel.to.fieldsOf(text, whole, truth, day), func(f *field) bool { return len(f.params) > 0 }))
		out := &field{name: rel.name + "_" + f.name, expr: rel.name + "." + f.name, kind: f.kind, typed: f.typed, value: f.value}
		switch {
		case f.kind == text && r.chance(40):
			out.expr = "COALESCE(" + out.expr + ", 'none')"
		case f.kind == whole && r.chance(50):
			out.expr = out.expr + " + " + d.name + "_level"
		case f.kind == text && r.chance(50):
			out.expr, out.kind, out.typed = out.expr+" = "+d.name+"_kind", truth, true
		}
		if d.field(out.name) == nil {
			d.fields = append(d.fields, out)
		}
	}
}

// joinedMetric adds an aggregate with a condition over a dataset that its home leads to.
func (r *maker) joinedMetric() {
	rel, ok := r.joinable()
	if !ok {
		return
	}
	d := rel.from
	f := pick(r, d.fieldsOf(whole, quarters))
	condition := r.predicate(rel.to, func(f *field) string { return rel.name + "." + f.name })
	x := &metric{name: d.name + "_joined", homes: []*dataset{d}, number: true, value: f.value}
	switch r.IntN(4) {
	case 0:
		x.base = &aggregate{"COUNT", fmt.Sprintf("CASE WHEN %s THEN %s.%s_id END", condition, d.name, d.name), d}
		x.value = exact
	case 1:
		x.base = &aggregate{"MAX", fmt.Sprintf("CASE WHEN %s THEN %s.%s END", condition, d.name, f.name), d}
	case 2:
		x.base = &aggregate{"SUM", fmt.Sprintf("CASE WHEN %s THEN 0 ELSE %s.%s END", condition, d.name, f.name), d}
	default:
		x.base = &aggregate{"SUM", fmt.Sprintf("CASE WHEN %s THEN %s.%s END", condition, d.name, f.name), d}
	}
	if x.base.function == "SUM" && x.value != exact {
		x.value = tolerant
	}
	x.expr = x.base.over(x.base.arg)
	r.add(x)
}

func (r *maker) joinable() (*relation, bool) {
	var list []*relation
	for _, d := range r.m.datasets {
		list = append(list, r.m.relationsFrom(d)...)
	}
	if len(list) == 0 {
		return nil, false
	}
	return pick(r, list), true
}

func TestLaws_JoinedConditionEqualsItsGroupAndItsComplement(t *testing.T) { holdLaw(t, joinedLaw) }

// joinedLaw holds a sum under a condition over a joined dataset against the rest, with which it makes
// the whole, and against the groups of the joined field, whose rows are those of the flat table.
func joinedLaw(r *maker, ask asker) (string, bool) {
	rel, ok := r.joinable()
	if !ok || rel.inner {
		return "", false
	}
	d := rel.from
	arg := d.name + "." + pick(r, d.fieldsOf(whole)).name
	group := rel.name + "." + rel.to.name + "_kind"
	inline := map[string]query.InlineMetric{
		"whole": {Name: "whole", Expression: "SUM(" + arg + ")"},
		"met":   {Name: "met", Expression: "SUM(CASE WHEN " + group + " = 'a' THEN " + arg + " END)"},
		"rest":  {Name: "rest", Expression: "SUM(CASE WHEN " + group + " = 'a' THEN 0 ELSE " + arg + " END)"},
	}
	alone, err := ask(&question{Metrics: []string{"whole"}, inline: inline})
	if err != nil {
		return "", false
	}
	all, err := ask(&question{Metrics: []string{"whole", "met", "rest"}, inline: inline})
	if err != nil {
		return fmt.Sprintf("%v", err), true
	}
	groups, err := ask(&question{Metrics: []string{"whole"}, inline: inline, GroupBy: []query.GroupBy{{Field: group}}})
	if err != nil {
		return "", false // a text that the engine compares without regard to case
	}
	whole, met, rest := cellNumber(all.Rows[0][0]), cellNumber(all.Rows[0][1]), cellNumber(all.Rows[0][2])
	grouped := 0.0
	for _, row := range groups.Rows {
		if row[0].Text == "a" {
			grouped = cellNumber(row[1])
		}
	}
	if cellNumber(alone.Rows[0][0]) != whole || met+rest != whole || met != grouped {
		return fmt.Sprintf("%s of %s: alone %v, whole %v, met %v, rest %v, group %v", arg, group, alone.Rows[0][0], whole, met, rest, grouped), true
	}
	return "", true
}
