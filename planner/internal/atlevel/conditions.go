package atlevel

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// countedConditions returns what the metric counts of the conditions and the ranges, with the measure references of these. It drops all row
// conditions but ranges, or those over its unfiltered fields alone, and the range over one of these. context_filter stays.
func (p tablePlanner) countedConditions(inner branch.Query) (where.Conditions, []where.Range, measure.Expansion) {
	conds, ranges, cols := inner.Conds, inner.Ranges, inner.Cols
	if !p.table.IsUnfiltered() {
		return conds, ranges, cols
	}
	conds.Input = slices.DeleteFunc(slices.Clone(conds.Input), p.isDropped)
	if inner.Compare == nil && slices.ContainsFunc(ranges, p.isRangeDropped) {
		ranges, cols.MeasureRefs = nil, branch.WithoutTags(cols.MeasureRefs)
	}
	return conds, ranges, cols
}

// isDropped reports whether the metric does not count a condition.
func (p tablePlanner) isDropped(c where.Conjunct) bool {
	if p.table.Metric.At.DropsRowConditions {
		return c.Range == nil
	}
	return len(c.Refs) > 0 && !slices.ContainsFunc(c.Refs, func(id int) bool { return !p.isUnfiltered(p.query.Conds.Refs[id]) })
}

// isRangeDropped reports whether the metric does not count a range.
func (p tablePlanner) isRangeDropped(r where.Range) bool {
	if !r.OnAxis {
		return p.isUnfiltered(r.Ref)
	}
	return p.table.UnfilteredAxis || slices.ContainsFunc(p.table.Inner.MeasureRefs, func(u *measure.Ref) bool {
		return u.Axis != nil && slices.ContainsFunc(p.table.Unfiltered, resolve.Ref{Field: u.Axis}.IsSame)
	})
}

// isUnfiltered reports whether conditions over a field do not count.
func (p tablePlanner) isUnfiltered(ref resolve.Ref) bool {
	if slices.ContainsFunc(p.table.Unfiltered, ref.IsSame) {
		return true
	}
	isAxis := func(axis *catalog.Field) bool { return axis != nil && ref.IsSame(resolve.Ref{Field: axis}) }
	return p.table.UnfilteredAxis && slices.ContainsFunc(p.table.Inner.MeasureRefs, func(u *measure.Ref) bool { return isAxis(u.Axis) })
}
