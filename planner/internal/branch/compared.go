package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// MoveEarlierBuckets returns rows of the earlier range with their buckets moved to those of the current range.
func MoveEarlierBuckets(q *Query, in plan.Node) plan.Node {
	cols, c := in.Schema().ColumnRefs(), q.Compare
	if c.Periods != nil {
		return dropPreviousPeriodsWithoutCurrent(q, in)
	}
	bucket := &sqlexpr.Ref{ID: c.BucketGroup}
	if conds := c.Move.MatchConditions(bucket, c.Move.MatchedPrevious, c.Move.DropsPreviousDays, c.Move.Count); len(conds) > 0 {
		in = &plan.Filter{Input: in, Conds: c.ExemptLevelsWithoutBucket(conds), Why: "buckets that meet one of the current range"}
	}
	cols[c.BucketGroup].Expr = c.Move.ShiftBucket(bucket, c.Move.Count)
	if c.OverWindows && q.Groups[c.BucketGroup].Type == sqlexpr.TypeDate { // whose type nothing shows behind a shared table
		cols[c.BucketGroup].Expr = sqlexpr.DayOf(cols[c.BucketGroup].Expr)
	}
	return &plan.Project{Input: in, Cols: cols}
}

// MoveCurrentBuckets returns rows of the current range, those with a bucket, with their buckets moved to those of the earlier range.
func MoveCurrentBuckets(q *Query, in plan.Node) plan.Node {
	cols, c := in.Schema().ColumnRefs(), q.Compare
	bucket := &sqlexpr.Ref{ID: c.BucketGroup}
	conds := c.Move.MatchConditions(bucket, c.Move.MatchedCurrent, c.Move.DropsCurrentDays, -c.Move.Count)
	if without := q.Levels.LevelsWithout(c.BucketGroup); len(without) > 0 {
		conds = append(conds, &sqlexpr.Unary{Op: sqlexpr.OpNot, X: rollup.IsOneOf(&sqlexpr.Ref{ID: len(q.Groups)}, without)})
	}
	if len(conds) > 0 {
		in = &plan.Filter{Input: in, Conds: conds, Why: "buckets that meet one of the earlier range"}
	}
	cols[c.BucketGroup].Expr = c.Move.ShiftBucket(bucket, -c.Move.Count)
	if q.Groups[c.BucketGroup].Type == sqlexpr.TypeDate {
		cols[c.BucketGroup].Expr = sqlexpr.DayOf(cols[c.BucketGroup].Expr)
	}
	return &plan.Project{Input: in, Cols: cols}
}

// moveKeysToCurrentRange returns the keys of a branch as the current range has them.
func moveKeysToCurrentRange(p *Planner, keys []plan.NamedExpr) []plan.NamedExpr {
	if p.Kept == nil || !p.isOfEarlierRange() || p.Q.Compare.Periods != nil {
		return keys
	}
	moved := slices.Clone(keys)
	bucket, m := moved[p.Q.Compare.BucketGroup].Expr, p.Q.Compare.Move
	moved[p.Q.Compare.BucketGroup].Expr = m.ShiftBucket(bucket, m.Count)
	if m.DropsPreviousDays {
		moved[p.Q.Compare.BucketGroup].Expr = build.CaseWhen(m.ShiftedMonthHasDayCondition(bucket, m.Count), m.ShiftBucket(bucket, m.Count))
	}
	return moved
}

// isOfEarlierRange reports whether the branch is of the earlier range, whose buckets meet others.
func (p *Planner) isOfEarlierRange() bool {
	return p.Q.Compare.MeetsOnMovedBuckets() && p.Br.ScanRange.Tag == measure.PreviousRangeIndex
}

// movesBuckets reports whether the buckets of the branch move before it is matched with others.
func (p *Planner) movesBuckets() bool {
	return p.isOfEarlierRange() && !p.Q.Compare.OverWindows
}

// scanRangeOf returns the scan range of a measure reference.
func (f *branchBuilder) scanRangeOf(u *measure.Ref, axis *catalog.Field) where.Scan {
	switch {
	case u.InputOf != nil:
		return where.ScanOf(f.q.In, u, f.q.Groups, f.q.Ranges)
	case u.Measure.NonAdditive != nil: // each range has its own snapshots
	case f.q.Compare == nil:
		return f.scanWithWindows(u, axis)
	case f.q.Compare.BucketGroup < 0 && f.readsPreviousRange(u, axis):
		return where.Scan{Tag: -1}
	}
	return where.Scan{Tag: u.Tag}
}

// scanWithWindows returns the scan of a plain measure: that of a window over the same rows, where the range consists of whole
// buckets, so that the shown ones have the value of the range; else that of the range.
func (f *branchBuilder) scanWithWindows(u *measure.Ref, axis *catalog.Field) where.Scan {
	plain := where.Scan{Tag: -1}
	if !f.windowed || len(f.q.Ranges) != 1 {
		return plain
	}
	for _, o := range f.q.Cols.MeasureRefs {
		if o.InputOf == nil || o.Read.Kind != measure.ReadKindBucketRows || o.Measure.Home != u.Measure.Home || f.axisOfMeasure(o) != axis ||
			o.Measure.NonAdditive != nil || !joinpath.SameSets(o.Inner, u.Inner) {
			continue
		}
		if s := where.ScanOf(f.q.In, o, f.q.Groups, f.q.Ranges); s.Beyond && s.IsAligned() && len(f.q.Levels.LevelsWithout(s.Group)) == 0 {
			return s
		}
	}
	return plain
}

// readsPreviousRange reports whether compare reads the earlier range of a home and an axis.
func (f *branchBuilder) readsPreviousRange(u *measure.Ref, axis *catalog.Field) bool {
	return slices.ContainsFunc(f.q.Cols.MeasureRefs, func(o *measure.Ref) bool {
		return o.Tag == measure.PreviousRangeIndex && o.Measure.Home == u.Measure.Home && f.axisOfMeasure(o) == axis
	})
}
