package refine

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
)

// conditionLimitsWindowsWarnings lists the conditions and the range that filter the rows which time-ordered windows read, where
// they are about the axis of a window, or choose the buckets of another metric.
func (a resultPlanner) conditionLimitsWindowsWarnings() []planerr.QueryWarning {
	if !slices.ContainsFunc(a.q.Cols.MeasureRefs, isOverTime) {
		return nil
	}
	var out []planerr.QueryWarning
	for _, c := range a.q.Conds.Input {
		columns, axis := a.windowsLimitedBy(func(axis *catalog.Field) bool { return a.limitsWindows(c, axis) })
		if len(columns) > 0 {
			out = append(out, a.windowsLimitedWarning("the condition "+c.Text, columns, axis))
		}
	}
	for _, r := range a.q.Ranges {
		if r.OnAxis || len(r.Ref.Prefix) > 0 || !a.isAxis(r.Ref.Field) {
			continue
		}
		columns, axis := a.windowsLimitedBy(func(axis *catalog.Field) bool { return !r.IsOver(axis) })
		if len(columns) > 0 {
			out = append(out, a.windowsLimitedWarning("the time range over "+r.Ref.String(), columns, axis))
		}
	}
	return out
}

// limitsWindows reports whether a condition filters the rows that windows over an axis read, although it is about times that choose
// rows of the result.
func (a resultPlanner) limitsWindows(c where.Conjunct, axis *catalog.Field) bool {
	if null, ok := c.Expr.(*sqlexpr.IsNull); ok && null.Not {
		return false
	}
	return c.Range != nil && c.Range.Axis != axis || c.Range == nil && slices.ContainsFunc(c.Refs, func(id int) bool {
		ref := a.q.Conds.Refs[id]
		isShown := ref.Field.Shown != nil && ref.Field.Shown.At == axis
		return (ref.Field == axis || isShown) && len(ref.Prefix) == 0
	})
}

func (a resultPlanner) isAxis(field *catalog.Field) bool {
	return slices.ContainsFunc(a.q.Cols.MeasureRefs, func(u *measure.Ref) bool { return u.Axis == field })
}

// windowsLimitedBy lists the columns of time-ordered windows over axes that meet a condition, and the first of the axes.
func (a resultPlanner) windowsLimitedBy(limits func(axis *catalog.Field) bool) (columns []string, axis *catalog.Field) {
	for _, c := range a.q.Cols.Columns {
		found := false
		for r := range sqlexpr.Refs(c.Expr) {
			u := a.q.Cols.MeasureRefs[r.ID]
			if isOverTime(u) && limits(u.Axis) {
				found = true
				if axis == nil {
					axis = u.Axis
				}
			}
		}
		if found {
			columns = append(columns, c.Name)
		}
	}
	return columns, axis
}

// isOverTime reports whether a measure is read by a window that goes along a time axis.
func isOverTime(u *measure.Ref) bool {
	return u.Window != nil && u.Window.Spec.IsTimeOrdered() && u.Axis != nil
}

func (a resultPlanner) windowsLimitedWarning(limit string, columns []string, axis *catalog.Field) planerr.QueryWarning {
	instead := "a range of " + axis.QualifiedName()
	for _, g := range a.q.Groups {
		if g.HasBuckets() && !g.IsRemainder && g.ReadsAxis(axis) {
			instead += ", or a condition on the column " + g.Name + ","
			break
		}
	}
	return planerr.QueryWarning{
		Code: planerr.WarningConditionLimitsWindows, Columns: columns,
		Message: limit + " filters the rows that the windows of " + joinNames(columns) + " read; " + instead + " chooses rows of the result and leaves the windows as they are",
	}
}
