package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// MovesRows reports whether a window moves the rows of the branch to other groups.
func (g Grouped) MovesRows() bool { return g.Branch != nil && g.Branch.Br.MovesRows() }

// RowsInRange returns the column that counts the rows in range, which is the last one; -1 where the branch reads no others.
func (g Grouped) RowsInRange() int {
	if g.Branch == nil || !g.Branch.Br.CountsRowsInRange(g.Branch.Q) {
		return -1
	}
	return len(g.Node.Schema()) - 1
}

// newRowsInRangeCount returns a measure that counts the rows in range.
func newRowsInRangeCount(p *Planner, names *naming.Namer) (plan.NamedExpr, error) {
	conds, err := p.NewBranchRangeConditions().rangeConds(p.Br.ScanRange.Range())
	if err != nil {
		return plan.NamedExpr{}, err
	}
	inRange := sqlexpr.And(conds...)
	if p.Once != nil {
		inRange = p.Once.anyJoinedRowMeetsCondition(inRange, "rows_in_range")
	}
	count := build.Call(sqlexpr.FnCount, "COUNT", build.CaseWhen(inRange, build.Integer(1)))
	return plan.NamedExpr{Name: names.UniqueName("rows_in_range"), Expr: count, Type: sqlexpr.TypeInt}, nil
}

// IsInBranchCondition returns the condition that the row of a group is one of the branch. first is the index of its first column.
func (g Grouped) IsInBranchCondition(first int) sqlexpr.Expr {
	count := &sqlexpr.Ref{ID: first + g.Rows}
	if g.Branch != nil && g.Branch.Q.HasRowWithoutGroups() {
		return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: count, R: build.Integer(0)}
	}
	return &sqlexpr.IsNull{Not: true, X: count}
}

// IsShownCondition returns the condition that the branch has rows in range in a group; nil for a branch that shows no rows, as
// those that were moved to other buckets.
func (g Grouped) IsShownCondition(first int) sqlexpr.Expr {
	p := g.Branch
	switch {
	case p == nil || g.Rows >= 0 && !p.Br.ScanRange.Beyond:
		return g.IsInBranchCondition(first)
	case g.MovesRows():
		return nil
	case p.Br.CountsRowsInRange(p.Q):
		width := len(g.Node.Schema()) - p.Q.KeyCount()
		return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: first + width - 1}, R: build.Integer(0)}
	case g.Rows >= 0:
		return sqlexpr.And(append([]sqlexpr.Expr{g.IsInBranchCondition(first)}, p.NewBranchRangeConditions().BucketsInRangeConditions()...)...)
	}
	return nil
}
