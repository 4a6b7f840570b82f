package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// matchComparedWindows matches the branches of each range of compare, computes the windows over each, and matches the sides. All have
// a row for each bucket that one of them shows, because windows have a value there:
//
//	current branches ─┬─► current and moved earlier rows ─┬─► windows ──────────────────────┬─► match
//	                  ▲                                   ▼                                 ▲
//	earlier branches ─┴─► earlier and moved current rows ───► windows ─► moved to the current buckets
func matchComparedWindows(a *branch.Query, branches []*branch.Branch, slots []branch.Position, planned []grouping.Grouped, names *naming.Namer) (*combine.Combined, error) {
	sides := combine.MatchByRange(a, branches, slots, planned)
	ofTag := func(tag int) func(u *measure.Ref) bool {
		return func(u *measure.Ref) bool { return u.Window != nil && max(u.Tag, measure.CurrentRangeIndex) == tag }
	}
	rows := func(c *combine.Combined, alias string) *combine.Combined {
		return c.WithRows(build.SharedRows(c.Node, alias, "compare"))
	}
	current := sides[measure.CurrentRangeIndex]
	shown, ownConds := comparedRows{current, current.ShownConditions()}, make([][]sqlexpr.Expr, len(a.Compare))
	for i, c := range a.Compare {
		earlier := sides[measure.FirstPreviousRangeIndex+i]
		if earlier == nil {
			continue
		}
		ownConds[i] = earlier.ShownConditions()
		moved := comparedRows{rows(earlier, "moved_rows"), ownConds[i]}
		keys, err := branch.MoveEarlierBuckets(a, c, moved.shownRows(), names)
		if err != nil {
			return nil, err
		}
		shown = shown.addKeys(a, keys, names.UniqueName("is_of_earlier_range"))
	}
	reached := make([]comparedRows, len(a.Compare))
	for i := range a.Compare {
		earlier := sides[measure.FirstPreviousRangeIndex+i]
		if earlier == nil {
			continue
		}
		keys, err := moveCurrentBuckets(a, measure.FirstPreviousRangeIndex+i, comparedRows{rows(shown.rows, "current_rows"), shown.conds}.shownRows(), names)
		if err != nil {
			return nil, err
		}
		reached[i] = comparedRows{rows(earlier, "earlier_rows"), ownConds[i]}.addKeys(a, keys, names.UniqueName("is_of_current_range"))
	}
	out, err := addWindowsOf(a, rows(shown.rows, "current_rows"), ofTag(measure.CurrentRangeIndex), shown.conds, names)
	if err != nil {
		return nil, err
	}
	for i, c := range a.Compare {
		if reached[i].rows == nil {
			continue
		}
		earlier, err := addWindowsOf(a, reached[i].rows, ofTag(measure.FirstPreviousRangeIndex+i), reached[i].conds, names)
		if err != nil {
			return nil, err
		}
		node, err := branch.MoveEarlierBuckets(a, c, earlier.Node, names)
		if err != nil {
			return nil, err
		}
		out = combine.MatchRanges(out, earlier.WithRows(node))
	}
	return out, nil
}

// moveCurrentBuckets returns rows of the current range, those with a bucket, with their buckets moved to those of an earlier range.
func moveCurrentBuckets(q *branch.Query, tag int, in plan.Node, names *naming.Namer) (plan.Node, error) {
	c := q.Compare.OfTag(tag)
	bucket := &sqlexpr.Ref{ID: c.BucketGroup}
	conds := c.MatchedCurrentConditions()
	if without := q.Levels.LevelsWithout(c.BucketGroup); len(without) > 0 {
		conds = append(conds, &sqlexpr.Unary{Op: sqlexpr.OpNot, X: levels.IsOneOf(&sqlexpr.Ref{ID: len(q.Groups)}, without)})
	}
	if len(conds) > 0 {
		in = &plan.Filter{Input: in, Conds: conds, Why: "buckets that meet one of the earlier range"}
	}
	moved := c.Move.ShiftBucket(bucket, -c.Move.Count)
	if q.Groups[c.BucketGroup].Type == sqlexpr.TypeDate {
		moved = sqlexpr.DayOf(moved)
	}
	return branch.MoveRows(q, c, in, moved, names)
}

// comparedRows are the matched rows of one range of compare, and the conditions on the shown ones; none where all are.
type comparedRows struct {
	rows  *combine.Combined
	conds []sqlexpr.Expr
}

func (cr comparedRows) shownRows() plan.Node {
	if len(cr.conds) == 0 {
		return cr.rows.Node
	}
	return &plan.Filter{Input: cr.rows.Node, Conds: cr.conds, Why: "rows in range"}
}

// addKeys adds a shown row for each key of other rows, with a column that marks them.
func (cr comparedRows) addKeys(a *branch.Query, others plan.Node, mark string) comparedRows {
	keys, width := a.KeyCount(), len(cr.rows.Node.Schema())
	marked := slices.Concat(others.Schema().ColumnRefs()[:keys], []plan.NamedExpr{{Name: mark, Expr: build.Integer(1), Type: sqlexpr.TypeInt}})
	node := &plan.Combine{Keys: keys, Branches: []plan.Node{cr.rows.Node, &plan.Project{Input: others, Cols: marked}}, Zero: make([]bool, width+1-keys)}
	out := comparedRows{rows: cr.rows.WithMoreRows(node)}
	if len(cr.conds) > 0 {
		isAdded := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: width}}
		out.conds = []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpOr, L: sqlexpr.And(cr.conds...), R: isAdded}}
	}
	return out
}
