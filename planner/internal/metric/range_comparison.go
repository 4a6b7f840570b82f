package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// moveKeysToCurrentRange returns the keys of a branch as the current range has them.
func (p *branchPlanner) moveKeysToCurrentRange(keys []plan.NamedExpr) []plan.NamedExpr {
	if p.kept == nil || !p.movesBuckets() || p.q.compare.Periods != nil {
		return keys
	}
	moved := slices.Clone(keys)
	bucket, m := moved[p.q.compare.BucketGroup].Expr, p.q.compare.Move
	moved[p.q.compare.BucketGroup].Expr = m.ShiftBucket(bucket, m.Count)
	if m.DropsPreviousDays {
		moved[p.q.compare.BucketGroup].Expr = build.CaseWhen(m.ShiftedMonthHasDayCondition(bucket, m.Count), m.ShiftBucket(bucket, m.Count))
	}
	return moved
}

// movesBuckets reports whether the branch is of the earlier range, and its buckets move.
func (p *branchPlanner) movesBuckets() bool {
	return p.q.compare.MeetsOnMovedBuckets() && p.br.scanRange.Tag == measure.PreviousRangeIndex
}

// resultExpr returns the value of a column over the matched branches.
func resultExpr(c measure.Column, in *CombinedBranches, compare *compare.Comparison) sqlexpr.Expr {
	if c.Previous == nil {
		return in.RewriteOverColumns(c.Expr)
	}
	return c.ComparisonColumnExpr(in.RewriteOverColumns(c.Expr), previousValue(compare, in, in.RewriteOverColumns(c.Previous)))
}

// scanRangeOf returns the scan range of a measure reference.
func (f *branchBuilder) scanRangeOf(u *measure.Ref, axis *catalog.Field) where.Scan {
	if u.Window == nil && u.InputOf == nil && u.Measure.NonAdditive != nil {
		return where.Scan{Tag: u.Tag} // each range has its own snapshots
	}
	if f.q.compare == nil || u.Window != nil || u.InputOf != nil || f.q.compare.BucketGroup < 0 && f.readsPreviousRange(u, axis) {
		return where.ScanOf(u, f.q.groups, f.q.ranges)
	}
	return where.Scan{Tag: u.Tag}
}

// readsPreviousRange reports whether compare reads the earlier range of a home and an axis.
func (f *branchBuilder) readsPreviousRange(u *measure.Ref, axis *catalog.Field) bool {
	return slices.ContainsFunc(f.q.cols.MeasureRefs, func(o *measure.Ref) bool {
		return o.Tag == measure.PreviousRangeIndex && o.Measure.Home == u.Measure.Home && f.axisOfMeasure(o) == axis
	})
}
