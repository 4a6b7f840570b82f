package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// levelMetric adds a metric at another level to a question; ok is false where none of its metrics can be one.
func (r *maker) levelMetric(q *question, among []*metric) (ok bool) {
	members := slices.DeleteFunc(slices.Clone(among), func(x *metric) bool {
		return !x.number || x.windows && r.chance(50) || x.value == tolerant || len(x.params) > 0 || !slices.Contains(q.Metrics, x.name)
	})
	if len(members) == 0 || q.Distinct {
		return false
	}
	x := pick(r, members)
	places := r.places(x.homes)
	at := &query.At{}
	expression := x.name
	if x.windows && r.chance(60) {
		at.Include = []string{"metric_time:" + pick(r, []string{"day", "month", "month", "quarter"})}
	}
	if r.chance(65) {
		for range 1 + r.IntN(2) {
			if p, found := r.place(places); found && !slices.Contains(at.Include, p.ref) && p.field.value == exact {
				text := p.ref
				if p.field.isTime() && r.chance(60) {
					text += ":" + pick(r, []string{"month", "quarter", "year"})
				}
				if !slices.Contains(at.Include, text) {
					at.Include = append(at.Include, text)
				}
			}
		}
	}
	if len(at.Include) > 0 {
		form := pick(r, []string{"SUM(%s)", "MAX(%s)", "COUNT(%s)", "COUNT(*) + 0 * COUNT(%s)", "COUNT_IF(%s > 2.137)", "MIN(%s) FILTER (WHERE %[1]s > 2.137)"})
		expression = fmt.Sprintf(form, x.name)
		if r.chance(20) {
			expression += " - " + x.name
		}
	}
	names := r.groupNames(q)
	for _, g := range q.GroupBy {
		if g.Field != "" && !slices.Contains(names, g.Field) {
			names = append(names, g.Field)
		}
	}
	if len(names) > 0 && (len(at.Include) == 0 || r.chance(35)) {
		if chosen := some(r, names, 1+r.IntN(2)); r.chance(60) {
			at.Exclude = chosen
		} else {
			at.Only, at.OnlyThese = chosen[:r.IntN(len(chosen)+1)], true
		}
	}
	if at.IsZero() || r.chance(25) {
		if p, found := r.place(places); found && r.chance(50) {
			at.Unfiltered = []string{p.ref}
		} else {
			at.UnfilteredRows = true
		}
	}
	if q.inline == nil {
		q.inline = map[string]query.InlineMetric{}
	}
	q.inline["leveled"] = query.InlineMetric{Name: "leveled", Expression: expression, At: at}
	q.Metrics = append(q.Metrics, "leveled")
	return true
}

// levelWindow adds a metric at another level to the model, and a window over it.
func (r *maker) levelWindow() {
	members := r.timedFirst(slices.DeleteFunc(slices.Clone(r.m.metrics), func(x *metric) bool {
		return !x.number || x.windows || x.value == tolerant || len(x.params) > 0
	}))
	if len(members) == 0 {
		return
	}
	x := pick(r, members)
	level := &metric{name: "level", expr: x.expr, needs: []string{x.name}, homes: x.homes, number: true, value: rounded}
	places := slices.DeleteFunc(r.places(x.homes), func(p place) bool { return p.field.value != exact || len(p.field.params) > 0 })
	key, expression := "include", fmt.Sprintf(pick(r, []string{"SUM(%s)", "MAX(%s)", "COUNT(%s)", "COUNT(*) + 0 * COUNT(%s)", "MIN(%s)"}), x.name)
	if r.chance(40) {
		key, expression = "exclude", x.name
	}
	p, found := r.place(places)
	if !found {
		return
	}
	level.payload = fmt.Sprintf(`"derive": {"type": "at", "expr": "%s", "%s": ["%s"]}`, expression, key, p.ref)
	r.add(level)
	w := &metric{name: "over", expr: x.expr, needs: []string{level.name, x.name}, homes: x.homes, windows: true, number: true, value: rounded}
	base := level.name
	if r.chance(30) {
		base += pick(r, []string{" - ", " + 2 * "}) + x.name
	}
	window := r.offsetWindow(w)
	switch r.IntN(5) {
	case 0:
		w.params, window = nil, r.rankWindow(w)
	case 1:
		w.params, window = nil, r.valueWindow(w)
	}
	w.payload = fmt.Sprintf(`"derive": {"type": "compose", "expr": "%s"}, "window": %s%s`, base, window, paramsOf(w.params))
	r.m.levelWindows = append(r.m.levelWindows, r.add(w))
}

func TestLaws_SumsOverIncludedGroupsAddUp(t *testing.T) { holdLaw(t, levelLaw) }

// levelLaw: a sum over the sums of included groups is the sum, in each group and in the total; and without any kept group a metric
// is its total.
func levelLaw(r *maker, ask asker) (string, bool) {
	x := pick(r, r.m.additive())
	q := &question{Metrics: []string{x.name, "same", "whole"}, Totals: [][]string{{}}}
	if r.outerGroups(q, x, 2); len(q.GroupBy) == 0 {
		return "", false
	}
	include := &question{}
	if r.outerGroups(include, x, 1); len(include.GroupBy) == 0 {
		return "", false
	}
	at := &query.At{Include: []string{include.GroupBy[0].Field}}
	q.inline = map[string]query.InlineMetric{
		"same":  {Name: "same", Expression: "SUM(" + x.name + ")", At: at},
		"whole": {Name: "whole", Expression: x.name, At: &query.At{OnlyThese: true}},
	}
	all, err := ask(q)
	if err != nil || len(all.Rows) < 2 {
		return "", false
	}
	n := len(q.GroupBy)
	total := all.Rows[len(all.Rows)-1][n]
	for _, row := range all.Rows {
		if row[len(row)-1].Text != "0" && row[len(row)-1].Text != decimal(0) {
			total = row[n]
		}
	}
	want, got := &table.Table{Columns: []string{"same", "whole"}}, &table.Table{Columns: []string{"same", "whole"}}
	for _, row := range all.Rows {
		want.Rows = append(want.Rows, table.Row{row[n], total})
		got.Rows = append(got.Rows, table.Row{row[n+1], row[n+2]})
	}
	return compareTables(q, want, got), true
}

func TestLaws_IncludedGroupsOfTheQueryGiveTheMetric(t *testing.T) { holdLaw(t, includedGroupLaw) }

// includedGroupLaw: an aggregate of one value over a group of the query, included once more, is the metric there.
func includedGroupLaw(r *maker, ask asker) (string, bool) {
	numbers := slices.DeleteFunc(slices.Clone(r.m.metrics), func(x *metric) bool { return !x.number || x.windows || x.value == tolerant || len(x.params) > 0 })
	if len(numbers) == 0 {
		return "", false
	}
	x := pick(r, numbers)
	q := &question{Metrics: []string{x.name, "same"}}
	if r.outerGroups(q, x, 2); len(q.GroupBy) == 0 {
		return "", false
	}
	item := pick(r, q.GroupBy)
	text := item.Field
	if item.Grain != "" {
		text += ":" + item.Grain
	}
	form := pick(r, []string{"MAX(%s)", "MIN(%s)", "SUM(%s)"})
	q.inline = map[string]query.InlineMetric{"same": {Name: "same", Expression: fmt.Sprintf(form, x.name), At: &query.At{Include: []string{text}}}}
	all, err := ask(q)
	if err != nil || len(all.Rows) == 0 {
		return "", false
	}
	n := len(q.GroupBy)
	want, got := &table.Table{Columns: []string{"same"}}, &table.Table{Columns: []string{"same"}}
	for _, row := range all.Rows {
		want.Rows = append(want.Rows, table.Row{row[n]})
		got.Rows = append(got.Rows, table.Row{row[n+1]})
	}
	return compareTables(q, want, got), true
}
