package fill

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// FillsColumn reports whether fill.value replaces NULL in a column: it does so in metrics, but in
// neither windows nor what is computed from metrics.
func (f *Fill) FillsColumn(c measure.Column, measures []*measure.Ref) bool {
	return f != nil && f.Value != nil && c.Kind == "" && !c.ReadsWindow(measures)
}

// FillNullValue returns the value of a metric, with fill.value for NULL on a filled row.
func (f *Fill) FillNullValue(value, isFilled sqlexpr.Expr) sqlexpr.Expr {
	missing := sqlexpr.And(&sqlexpr.IsNull{X: value}, isFilled)
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: missing, Then: f.Value}}, Else: value}
}

// NeedsFilledMarker reports whether the projected rows carry a mark: shares divide the values before
// fill.value replaces any.
func (f *Fill) NeedsFilledMarker(cols measure.Expansion) bool {
	return f != nil && f.Value != nil && len(cols.Shares) > 0
}

// FilledMarkerColumn is 1 on a filled row and 0 on any other. It follows some columns.
func (f *Fill) FilledMarkerColumn(isFilled sqlexpr.Expr, cols []plan.NamedExpr) plan.NamedExpr {
	names := naming.NewNamer()
	for _, c := range cols {
		names.UniqueName(c.Name)
	}
	mark := &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: isFilled, Then: build.Integer(1)}}, Else: build.Integer(0)}
	return plan.NamedExpr{Name: names.UniqueName("is_filled"), Expr: mark, Type: sqlexpr.TypeInt}
}

// FilledMarkerCondition returns the condition that a projected row is marked as filled, where the mark follows the group-bys and
// all columns but those of shares.
func (f *Fill) FilledMarkerCondition(groups []scope.Group, cols measure.Expansion) sqlexpr.Expr {
	mark := len(groups) + len(cols.Columns) - len(cols.Shares)
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Ref{ID: mark}, R: build.Integer(1)}
}
