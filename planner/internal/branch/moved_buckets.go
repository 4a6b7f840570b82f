package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// MoveEarlierBuckets returns rows of the earlier range of a comparison with their buckets moved to those of the current range.
func MoveEarlierBuckets(q *Query, c *compare.Comparison, in plan.Node, names *naming.Namer) (plan.Node, error) {
	bucket := &sqlexpr.Ref{ID: c.BucketGroup}
	in = c.MatchedPreviousRows(in)
	if c.Periods != nil {
		return MoveRows(q, c, in, bucket, names)
	}
	moved := c.Move.ShiftBucket(bucket, c.Move.Count)
	if c.OverWindows && q.Groups[c.BucketGroup].Type == sqlexpr.TypeDate { // whose type nothing shows behind a shared table
		moved = sqlexpr.DayOf(moved)
	}
	return MoveRows(q, c, in, moved, names)
}

// MoveRows replaces the buckets of rows by others, and what belongs to them.
func MoveRows(q *Query, c *compare.Comparison, in plan.Node, bucket sqlexpr.Expr, names *naming.Namer) (plan.Node, error) {
	cols := in.Schema().ColumnRefs()
	if !c.HasAttributes(q.Groups) {
		if r, ok := bucket.(*sqlexpr.Ref); ok && r.ID == c.BucketGroup {
			return in, nil
		}
		cols[c.BucketGroup].Expr = bucket
		return &plan.Project{Input: in, Cols: cols}, nil
	}
	attributes := q.AttributesOf(c.Axis(), clock.TimeBounds{})
	var level sqlexpr.Expr
	if q.Levels.HasSeveralLevels() {
		level = &sqlexpr.Ref{ID: len(q.Groups)}
	}
	own := slices.Clone(cols)
	if err := attributes.MoveKeys(cols, bucket, level); err != nil {
		return nil, err
	}
	// At a level that has an attribute without the bucket, the groups of both ranges meet by their values.
	var kept []sqlexpr.When
	var keptGroups []int
	for i := range q.Groups {
		if with := q.Levels.LevelsWithButNot(i, c.BucketGroup); attributes.Has(i) && len(with) > 0 {
			kept = append(kept, sqlexpr.When{Cond: levels.IsOneOf(level, with), Then: &sqlexpr.Ref{ID: len(cols)}})
			keptGroups = append(keptGroups, i)
			cols = append(cols, plan.NamedExpr{Name: names.UniqueName("own_" + own[i].Name), Expr: own[i].Expr, Type: own[i].Type})
		}
	}
	moved, err := attributes.Join(&plan.Project{Input: in, Cols: cols}, "moved", "compare", names)
	if err != nil || len(kept) == 0 {
		return moved, err
	}
	out := moved.Schema().ColumnRefs()[:len(own)]
	for at, i := range keptGroups {
		out[i].Expr = &sqlexpr.Case{Whens: kept[at : at+1], Else: out[i].Expr}
	}
	return &plan.Project{Input: moved, Cols: out}, nil
}
