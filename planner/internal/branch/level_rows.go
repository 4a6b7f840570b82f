package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/plan"
)

// HasLevelsOverExtendedRange reports whether the branch reads buckets beside those of its range, and has levels
// without the buckets, whose rows would count them.
func (p *Planner) HasLevelsOverExtendedRange() bool {
	return p.Br.ScanRange.ReadsBeyondRange() && len(p.Q.Levels.LevelsWithout(p.Br.ScanRange.Group)) > 0
}

// newRowsInRangeCount returns a measure that counts the rows in range.
func newRowsInRangeCount(p *Planner, names *naming.Namer) (plan.NamedExpr, error) {
	conds, err := p.NewBranchRangeConditions().rangeConds(p.Q.Ranges[max(p.Br.ScanRange.Tag, 0)])
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

// ExemptLevelsWithoutBucket returns a condition on buckets that holds at the levels without them too, for each group that has
// rows in range. Windows along the buckets are NULL at these levels. The one row of the level without
// group-bys is there without rows too.
func (p *Planner) ExemptLevelsWithoutBucket(conds []sqlexpr.Expr, rowsInRange int) []sqlexpr.Expr {
	level := &sqlexpr.Ref{ID: len(p.Q.Groups)}
	out := sqlexpr.And(conds...)
	total := p.Q.Levels.LevelOfGroupSet(nil)
	levels := slices.DeleteFunc(p.Q.Levels.LevelsWithout(p.Br.ScanRange.Group), func(l int) bool { return l == total })
	if len(levels) > 0 {
		counted := &sqlexpr.Binary{Op: sqlexpr.OpGt, L: &sqlexpr.Ref{ID: rowsInRange}, R: build.Integer(0)}
		out = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: out, R: sqlexpr.And(rollup.IsOneOf(level, levels), counted)}
	}
	if total >= 0 {
		out = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: out, R: rollup.IsOneOf(level, []int{total})}
	}
	return []sqlexpr.Expr{out}
}
