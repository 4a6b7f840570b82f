package refine

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// levelColumnIndex returns the position of the level in the result.
func (a resultPlanner) levelColumnIndex() int { return len(a.q.Groups) + len(a.q.Cols.Columns) }

// planResultRows returns the rows of the shown levels with all columns of the result.
func (a resultPlanner) planResultRows(in *combine.Combined) plan.Node {
	project := a.projectColumns(in)
	if !a.q.Levels.HasSeveralLevels() && len(a.q.Cols.Shares) == 0 {
		return project
	}
	if len(a.q.Cols.Shares) == 0 {
		return project
	}
	rows, shares := a.computeShares(project)
	if len(a.q.Levels.GroupSets) > a.q.Levels.ShownCount {
		level := &sqlexpr.Ref{ID: len(project.Cols) - 1}
		hidden := &sqlexpr.Binary{Op: sqlexpr.OpLt, L: level, R: build.Integer(a.q.Levels.ShownCount)}
		if a.q.Levels.ShownCount == 1 {
			hidden.Op, hidden.R = sqlexpr.OpEq, build.Integer(0)
		}
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{hidden}, Why: "levels"}
	}
	out := &plan.Project{Input: rows, Cols: make([]plan.NamedExpr, 0, len(project.Cols)+len(a.q.Cols.Shares)+1)} // and the positions for a limit
	shown := make([]sqlexpr.Ref, len(project.Cols))
	add := func(at int) {
		c := project.Cols[at]
		shown[at].ID = at
		out.Cols = append(out.Cols, plan.NamedExpr{Name: c.Name, Expr: &shown[at], Type: c.Type})
	}
	for i := range a.q.Groups {
		add(i)
	}
	next := len(a.q.Groups)
	for i, c := range a.q.Cols.Columns {
		if c.Kind != plan.KindShare {
			add(next)
			if a.q.GapFill.FillsColumn(c, a.q.Cols.MeasureRefs) {
				last := &out.Cols[len(out.Cols)-1]
				last.Expr = a.q.GapFill.FillNullValue(last.Expr, a.q.GapFill.FilledMarkerCondition(a.q.Groups, a.q.Cols))
			}
			next++
			continue
		}
		out.Cols = append(out.Cols, plan.NamedExpr{Name: c.Name, Expr: shares[i], Type: c.Typ})
	}
	if a.q.Levels.HasTotals() {
		add(len(project.Cols) - 1)
	}
	return out
}

// computeShares adds the denominators of shares to the projected rows, and makes the shares by their column. A denominator
// is the value in the one row of its level that has the group-bys of the level in common with a row.
func (a resultPlanner) computeShares(project *plan.Project) (plan.Node, []sqlexpr.Expr) {
	level := &sqlexpr.Ref{ID: len(project.Cols) - 1}
	window := &plan.Window{Input: project, Funcs: make([]plan.NamedExpr, 0, len(a.q.Cols.Shares)+1)}
	wholes := naming.NewNumbers[measure.Share](len(a.q.Cols.Shares)) // the denominators, in the order of the windows
	shares := make([]sqlexpr.Expr, len(a.q.Cols.Columns))
	for _, s := range a.q.Cols.Shares {
		value := &sqlexpr.Ref{ID: len(a.q.Groups) + s.DividedColumn}
		whole := value
		if s.Level != 0 {
			key := measure.Share{DividedColumn: s.DividedColumn, Level: s.Level}
			at, known := wholes.Find(key)
			if !known {
				at = wholes.AddNewKey(key)
				window.Funcs = append(window.Funcs, a.shareDenominatorColumn(project, window, s, level))
			}
			whole = &sqlexpr.Ref{ID: len(project.Cols) + at}
		}
		var divided sqlexpr.Expr = &sqlexpr.SafeDivide{L: value, R: whole}
		// A level without the group-bys that the share is of has no such row.
		if with := a.q.Levels.LevelsContaining(a.q.Levels.GroupSets[s.Level]); len(with) < a.q.Levels.ShownCount {
			divided = build.CaseWhen(levels.IsOneOf(level, with), divided)
		}
		shares[s.ShareColumn] = divided
	}
	if len(window.Funcs) == 0 {
		return project, shares
	}
	return window, shares
}

// shareDenominatorColumn returns a column's value in the row of a share's level, beside the other windows.
func (a resultPlanner) shareDenominatorColumn(project *plan.Project, window *plan.Window, s measure.Share, level sqlexpr.Expr) plan.NamedExpr {
	c := project.Cols[len(a.q.Groups)+s.DividedColumn]
	value := build.CaseWhen(levels.IsOneOf(level, []int{s.Level}), &sqlexpr.Ref{ID: len(a.q.Groups) + s.DividedColumn})
	over := &sqlexpr.WindowCall{Call: build.Call(sqlexpr.FnMax, "MAX", value)}
	for _, g := range a.q.Levels.GroupSets[s.Level] {
		over.Partition = append(over.Partition, &sqlexpr.Ref{ID: g})
	}
	name := naming.Unused(c.Name+"__whole", func(name string) bool {
		isNamed := func(c plan.NamedExpr) bool { return strings.EqualFold(c.Name, name) }
		return slices.ContainsFunc(project.Cols, isNamed) || slices.ContainsFunc(window.Funcs, isNamed)
	})
	return plan.NamedExpr{Name: name, Expr: over, Type: c.Type}
}

// resultConditions returns the conditions on results, which hide rows of level 0 alone.
func (a resultPlanner) resultConditions() []sqlexpr.Expr {
	if !a.q.Levels.HasTotals() {
		return a.q.Conds.Result
	}
	out := slices.Clone(a.q.Conds.Result)
	for i, c := range out {
		out[i] = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: a.totalRowCondition(), R: c}
	}
	return out
}

// totalRowCondition returns the condition that a row of the result is not of level 0.
func (a resultPlanner) totalRowCondition() sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: a.levelColumnIndex()}, R: build.Integer(0)}
}
