package properties_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner/query"
)

// snapshot is what makes a metric semi-additive.
type snapshot struct {
	by    *field
	take  string
	plain *metric // the same aggregate over all rows
}

// snapshotMetric adds a semi-additive metric of an aggregate that suits, maybe with a window or under a filter.
func (r *maker) snapshotMetric(takes []string, suits func(*metric) bool) {
	var plain []*metric
	for _, x := range r.plain() {
		if x.filter == "" && suits(x) && slices.ContainsFunc(x.homes[0].fields, (*field).isTime) {
			plain = append(plain, x)
		}
	}
	if len(plain) == 0 {
		return
	}
	base := pick(r, plain)
	d := base.homes[0]
	by := pick(r, slices.DeleteFunc(slices.Clone(d.fields), func(f *field) bool { return !f.isTime() }))
	s := &snapshot{by: by, take: pick(r, takes), plain: base}
	x := &metric{name: "stock", expr: base.expr, homes: base.homes, number: true, value: base.value, snapshot: s}
	if s.take == "avg" {
		x.value = max(x.value, rounded)
	}
	x.payload = fmt.Sprintf(`"requires": ["non_additive"], "non_additive": {"by": "%s", "take": "%s"%s}`, by.name, s.take, r.perKey(d, s))
	switch {
	case r.chance(20):
		x.windows = true
		x.payload += `, "window": ` + pick(r, []string{
			r.offsetWindow(x), r.rankWindow(x), r.valueWindow(x), `{"type": "cumulative", "function": "max"}`,
			`{"type": "rolling", "function": "min", "periods": 2}`,
		}) + paramsOf(x.params)
		r.add(x)
	case r.chance(25):
		r.add(x)
		where := r.predicate(d, func(f *field) string { return d.name + "." + f.name })
		r.add(&metric{
			name: "stock_of", expr: fallback(base.base, where), homes: x.homes, number: true, value: x.value, needs: []string{x.name},
			payload: fmt.Sprintf(`"derive": {"type": "filter", "base": "%s", "where": %s}`, x.name, jsonText(where)),
		})
	default:
		r.add(x)
	}
}

func isAny(*metric) bool { return true }

// isExactSum reports whether the values of a plain aggregate add up without rounding.
func isExactSum(x *metric) bool {
	return x.value == exact && (x.base.function == "SUM" || x.base.function == "COUNT")
}

// perKey returns the key per, or "". The time of the snapshots is not one of its fields.
func (r *maker) perKey(d *dataset, s *snapshot) string {
	if s.take != "last" && s.take != "first" || r.chance(50) {
		return ""
	}
	entities := withoutParams(d.fieldsOf(text, whole, day, truth))
	names := []string{pick(r, slices.DeleteFunc(entities, func(f *field) bool { return f == s.by })).name}
	var joined []string
	for _, rel := range r.m.relations {
		if rel.from == d && rel.to != d && (rel.proves == "many_to_one" || rel.proves == "one_to_one") {
			joined = append(joined, rel.name+"."+pick(r, withoutParams(rel.to.fieldsOf(text, whole))).name)
		}
	}
	if len(joined) > 0 && r.chance(40) {
		names = append(names, pick(r, joined))
	}
	return `, "per": ["` + strings.Join(names, `", "`) + `"]`
}

// withoutParams lists the fields whose values do not depend on parameters.
func withoutParams(fields []*field) []*field {
	return slices.DeleteFunc(fields, func(f *field) bool { return len(f.params) > 0 })
}

// snapshotMetrics lists the semi-additive metrics without windows.
func (m *model) snapshotMetrics(takes ...string) []*metric {
	var out []*metric
	for _, x := range m.metrics {
		if x.snapshot != nil && !x.windows && slices.Contains(takes, x.snapshot.take) {
			out = append(out, x)
		}
	}
	return out
}

// snapshotSumLaw: values of last and first add up over every dimension but time.
func snapshotSumLaw(r *maker, ask asker) (string, bool) {
	list := slices.DeleteFunc(r.m.snapshotMetrics("last", "first"), func(x *metric) bool {
		return !isExactSum(x.snapshot.plain)
	})
	if len(list) == 0 {
		return "", false
	}
	x := pick(r, list)
	q := &question{Metrics: []string{x.name}}
	r.outerGroups(q, x, 2)
	q.GroupBy = slices.DeleteFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Field == x.homes[0].name+"."+x.snapshot.by.name })
	if len(q.GroupBy) == 0 {
		return "", false
	}
	parts, err := ask(q)
	if err != nil {
		return "", false
	}
	whole := q.clone()
	whole.GroupBy = nil
	want, err := ask(whole)
	if err != nil {
		return err.Error(), true
	}
	sum := 0.0
	for _, row := range parts.Rows {
		if cell := row[len(row)-1]; cell.Kind != table.CellKindNull {
			sum += cellNumber(cell)
		}
	}
	total := 0.0
	if cell := want.Rows[0][0]; cell.Kind != table.CellKindNull {
		total = cellNumber(cell)
	}
	if math.Abs(sum-total) > 1e-6*math.Max(1, math.Abs(total)) {
		return fmt.Sprintf("%s\nthe groups add up to %v, and the whole is %v", q.json(), sum, total), true
	}
	return "", true
}

// oneSnapshotLaw: over the rows of one day, a metric over days is the plain aggregate.
func oneSnapshotLaw(r *maker, ask asker) (string, bool) {
	list := slices.DeleteFunc(r.m.snapshotMetrics("last", "first", "min", "max", "avg"), func(x *metric) bool {
		return x.snapshot.by.kind != day || x.snapshot.by.encoded != "" || len(x.homes[0].rows) == 0 ||
			strings.Contains(x.payload, `"per"`) && r.m.hasInner()
	})
	if len(list) == 0 {
		return "", false
	}
	x := pick(r, list)
	d := x.homes[0]
	stored, ok := pick(r, d.rows)[x.snapshot.by.name].(reference.Date)
	if !ok {
		return "", false
	}
	first, err := time.Parse(time.DateOnly, stored.String())
	if err != nil {
		return err.Error(), true
	}
	q := &question{Metrics: []string{x.name}, TimeRange: &query.TimeRange{
		Start: stored.String(), End: first.AddDate(0, 0, 1).Format(time.DateOnly), Dimension: d.name + "." + x.snapshot.by.name,
	}}
	r.outerGroups(q, x, 2)
	got, err := ask(q)
	if err != nil {
		return "", false
	}
	plain := q.clone()
	plain.Metrics = []string{x.snapshot.plain.name}
	want, err := ask(plain)
	if err != nil {
		return err.Error(), true
	}
	got.Columns = want.Columns
	return compareTables(q, want, got), true
}

// hasInner reports whether a relationship drops rows.
func (m *model) hasInner() bool {
	return slices.ContainsFunc(m.relations, func(rel *relation) bool { return rel.inner })
}
