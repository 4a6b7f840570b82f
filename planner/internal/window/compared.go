package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// matchComparedWindows matches the branches of each range of compare, computes the windows over each, and matches the two sides. Both have
// a row for each bucket that either shows, because windows have a value there:
//
//	current branches ─┬─► current and moved earlier rows ─┬─► windows ──────────────────────┬─► match
//	                  ▲                                   ▼                                 ▲
//	earlier branches ─┴─► earlier and moved current rows ───► windows ─► moved to the current buckets
func matchComparedWindows(a *branch.Query, branches []*branch.Branch, slots []branch.Position, planned []branch.Grouped, names *naming.Namer) (*branch.Combined, error) {
	current, earlier := branch.MatchByRange(a, branches, slots, planned)
	of := func(isEarlier bool) func(u *measure.Ref) bool {
		return func(u *measure.Ref) bool {
			return u.Window != nil && (u.Tag == measure.PreviousRangeIndex) == isEarlier
		}
	}
	rows := func(c *branch.Combined, alias string) *branch.Combined {
		return c.WithRows(build.SharedRows(c.Node, alias, "compare"))
	}
	moved := comparedRows{rows(earlier, "moved_rows"), earlier.ShownConditions()}
	keys, err := branch.MoveEarlierBuckets(a, moved.shownRows(), names)
	if err != nil {
		return nil, err
	}
	shown := comparedRows{current, current.ShownConditions()}.addKeys(a, keys, names.UniqueName("is_of_earlier_range"))
	if keys, err = branch.MoveCurrentBuckets(a, comparedRows{rows(shown.rows, "current_rows"), shown.conds}.shownRows(), names); err != nil {
		return nil, err
	}
	reached := comparedRows{rows(earlier, "earlier_rows"), moved.conds}.addKeys(a, keys, names.UniqueName("is_of_current_range"))

	current, err = addWindowsOf(a, rows(shown.rows, "current_rows"), of(false), shown.conds, names)
	if err != nil {
		return nil, err
	}
	if earlier, err = addWindowsOf(a, reached.rows, of(true), reached.conds, names); err != nil {
		return nil, err
	}
	node, err := branch.MoveEarlierBuckets(a, earlier.Node, names)
	if err != nil {
		return nil, err
	}
	return branch.MatchRanges(current, earlier.WithRows(node)), nil
}

// comparedRows are the matched rows of one range of compare, and the conditions on the shown ones; none where all are.
type comparedRows struct {
	rows  *branch.Combined
	conds []sqlexpr.Expr
}

func (r comparedRows) shownRows() plan.Node {
	if len(r.conds) == 0 {
		return r.rows.Node
	}
	return &plan.Filter{Input: r.rows.Node, Conds: r.conds, Why: "rows in range"}
}

// addKeys adds a shown row for each key of other rows, with a column that marks them.
func (r comparedRows) addKeys(a *branch.Query, others plan.Node, mark string) comparedRows {
	keys, width := a.KeyCount(), len(r.rows.Node.Schema())
	marked := slices.Concat(others.Schema().ColumnRefs()[:keys], []plan.NamedExpr{{Name: mark, Expr: build.Integer(1), Type: sqlexpr.TypeInt}})
	node := &plan.Combine{Keys: keys, Branches: []plan.Node{r.rows.Node, &plan.Project{Input: others, Cols: marked}}, Zero: make([]bool, width+1-keys)}
	out := comparedRows{rows: r.rows.WithMoreRows(node)}
	if len(r.conds) > 0 {
		isAdded := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: width}}
		out.conds = []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpOr, L: sqlexpr.And(r.conds...), R: isAdded}}
	}
	return out
}
