package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// checkGroupsOfAxes rejects, beside windows that are ordered by time, filled buckets and a comparison, a group-by that is
// an attribute of the bucket for some axes only; and the choice of values of an attribute.
func (e *evaluator) checkGroupsOfAxes() {
	beside := e.fill != nil || len(e.comparisons) > 0 || slices.ContainsFunc(e.metrics, func(m *catalog.Metric) bool {
		return slices.ContainsFunc(measuresOfMetric(m, nil), func(l measureInMetric) bool { return isTimeOrderedWindow(l.window) })
	})
	for i, g := range e.groups {
		var attribute, group, isBucket bool
		for _, axis := range e.axesOfQuery() {
			_, bucket := e.finestGrainOfAxis(axis.field)
			isBucket = isBucket || bucket == i
			if axis.field == nil || bucket < 0 || bucket == i || g.isOther {
				continue
			}
			if e.isAttributeOfBucket(g, axis.field, e.groups[bucket]) {
				attribute = true
			} else {
				group = true
			}
		}
		if attribute && (group && beside || e.top != nil && e.top.dimension == i) {
			e.addMustRejectCode("not_implemented")
		}
		if attribute && isBucket && beside {
			e.addMayRejectCode("not_implemented") // the bucket of one axis, beside any bucket of another
		}
	}
}

// isTimeOrderedWindow reports whether a window has a value at every bucket; none is not a window.
func isTimeOrderedWindow(w *catalog.Window) bool {
	if w == nil {
		return false
	}
	p := &windowPopulation{l: &measureLeaf{measureInMetric: measureInMetric{window: w}}, order: effectiveWindowOrder(w)}
	return p.isTimeOrdered()
}

// checkComparedGroupsWithoutBucket rejects a comparison without buckets of a group-by whose values do not come again in
// the other range: an expression over the axis that is not made of its parts, and a field of the date dimension where the
// ranges overlap.
func (e *evaluator) checkComparedGroupsWithoutBucket(current, previous timeRange) {
	overlap := intersectRanges(current, previous)
	overlaps := overlap.start == nil || overlap.end == nil || compareNullsLast(overlap.start, overlap.end) < 0
	for _, axis := range e.axesOfQuery() {
		if axis.field == nil || !current.onAxis && !current.equals(axis) {
			continue
		}
		for _, g := range e.groups {
			dimension := g.expr == nil && !g.isOther && !g.onAxis && !g.equals(axis) && e.dateDimensionStep(g, axis.field) != nil
			if g.expr != nil && isOverAxisAlone(g, axis) && !readsPartsOnly(g.expr) || dimension && overlaps {
				e.addMustRejectCode("time_grain_required")
			}
		}
	}
}

func isOverAxisAlone(g groupByItem, axis fieldTarget) bool {
	for _, t := range g.fields {
		if !t.equals(axis) {
			return false
		}
	}
	return len(g.fields) > 0
}

// readsPartsOnly reports whether an expression reads its fields only as parts of a time. The year is not one of them.
func readsPartsOnly(x sqlexpr.Expr) bool {
	only := true
	sqlexpr.Walk(x, func(n sqlexpr.Expr) bool {
		switch n := n.(type) {
		case *sqlexpr.Column:
			only = false
		case *sqlexpr.Extract:
			return n.Part == "year"
		case *sqlexpr.Call:
			if _, ok := unitOfCall(n); ok {
				return n.Fn == sqlexpr.FnYear || n.Fn == sqlexpr.FnDateTrunc
			}
		}
		return true
	})
	return only
}
