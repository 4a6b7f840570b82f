package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// fillsColumn reports whether fill.value replaces NULL in a column: it does so in metrics, but in
// neither windows nor what is computed from metrics.
func (f *gapFill) fillsColumn(c metricColumn, measures []*MeasureRef) bool {
	return f != nil && f.value != nil && c.kind == "" && !c.readsWindow(measures)
}

// fillNullValue returns the value of a metric, with fill.value for NULL on a filled row.
func (f *gapFill) fillNullValue(value, isFilled sqlexpr.Expr) sqlexpr.Expr {
	missing := sqlexpr.And(&sqlexpr.IsNull{X: value}, isFilled)
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: missing, Then: f.value}}, Else: value}
}

// needsFilledMarker reports whether the projected rows carry a mark: shares divide the values before
// fill.value replaces any.
func (f *gapFill) needsFilledMarker(cols Expansion) bool {
	return f != nil && f.value != nil && len(cols.shares) > 0
}

// filledMarkerColumn is 1 on a filled row and 0 on any other. It follows some columns.
func (f *gapFill) filledMarkerColumn(isFilled sqlexpr.Expr, cols []plan.NamedExpr) plan.NamedExpr {
	names := naming.NewNamer()
	for _, c := range cols {
		names.UniqueName(c.Name)
	}
	mark := &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: isFilled, Then: build.Integer(1)}}, Else: build.Integer(0)}
	return plan.NamedExpr{Name: names.UniqueName("is_filled"), Expr: mark, Type: sqlexpr.TypeInt}
}

// filledMarkerCondition returns the condition that a projected row is marked as filled, where the mark follows the group-bys and
// all columns but those of shares.
func (f *gapFill) filledMarkerCondition(groups []scope.Group, cols Expansion) sqlexpr.Expr {
	mark := len(groups) + len(cols.columns) - len(cols.shares)
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Ref{ID: mark}, R: build.Integer(1)}
}
