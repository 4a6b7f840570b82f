package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
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

// moveKeysToCurrentRange returns the keys of a branch as the current range has them.
func moveKeysToCurrentRange(p *Planner, keys []plan.NamedExpr) ([]plan.NamedExpr, error) {
	c := p.comparison()
	if p.Kept == nil || c == nil || c.Periods != nil {
		return keys, nil
	}
	out := slices.Clone(keys)
	bucket := out[c.BucketGroup].Expr
	moved := c.Move.ShiftBucket(bucket, c.Move.Count)
	if c.Move.DropsPreviousDays {
		moved = build.CaseWhen(c.Move.ShiftedMonthHasDayCondition(bucket, c.Move.Count), moved)
	}
	out[c.BucketGroup].Expr = moved
	if !c.HasAttributes(p.Q.Groups) {
		return out, nil
	}
	attributes := p.Q.AttributesOf(c.Axis(), clock.TimeBounds{})
	if attributes.NeedsJoin() {
		return nil, scope.NotImplementedError("top beside fields of the date dimension does not take compare", "leave out top, or these fields", p.Br.MetricNames()...)
	}
	return out, attributes.MoveKeys(out, moved, nil)
}

// comparison returns the one whose earlier range the branch is of, and whose buckets meet others; nil for another branch.
func (p *Planner) comparison() *compare.Comparison { return p.Q.Compare.OfTag(p.Br.ScanRange.Tag) }

// movesBuckets reports whether the buckets of the branch move before it is matched with others.
func (p *Planner) movesBuckets() bool {
	c := p.comparison()
	return c != nil && !c.OverWindows
}

// scanRangeOf returns the scan range of a measure reference.
func (f *branchBuilder) scanRangeOf(u *measure.Ref, axis *catalog.Field) where.Scan {
	switch {
	case u.InputOf != nil:
		s := where.ScanOf(f.q.In, u, f.q.Groups, f.q.Ranges, f.q.Conds, f.axesDiffer)
		if f.q.Compare == nil && u.Measure.NonAdditive == nil && !s.Beyond && u.Read.Kind.ReadsOwnBucket() && u.InputOf.ReadsBeyondRange() {
			return f.scanWithWindows(u, axis, s) // its values do not depend on what more is read
		}
		return s
	case u.Measure.NonAdditive != nil: // each range has its own snapshots
	case f.q.Compare == nil:
		return f.scanWithWindows(u, axis, where.Scan{Tag: -1})
	case !f.q.Compare.MeetOnMovedBuckets():
		if tags := f.comparedTags(u, axis); tags != 1<<measure.CurrentRangeIndex {
			return where.Scan{Tag: -1, Compared: tags}
		}
	}
	return where.Scan{Tag: u.Tag}
}

// scanWithWindows returns the scan of a measure that reads the range: that of a window over the same rows which reads beyond it,
// where the shown buckets have the value of the range nevertheless; else that of the range.
func (f *branchBuilder) scanWithWindows(u *measure.Ref, axis *catalog.Field, plain where.Scan) where.Scan {
	if !f.windowed || f.q.In.HasSeveralRanges() {
		return plain
	}
	for _, o := range f.q.Cols.MeasureRefs {
		if o.InputOf == nil || !o.Read.Kind.ReadsOwnBucket() || o.Measure.Home != u.Measure.Home || f.axisOfMeasure(o) != axis ||
			o.Measure.NonAdditive != nil || !joinpath.SameSets(o.Inner, u.Inner) || u.InputOf != nil && u.InputOf.Buckets != o.InputOf.Buckets {
			continue
		}
		if s := where.ScanOf(f.q.In, o, f.q.Groups, f.q.Ranges, f.q.Conds, f.axesDiffer); s.Beyond && s.ShowsRowsInRange() && len(f.q.Levels.LevelsWithout(s.Group)) == 0 {
			return s
		}
	}
	return plain
}

// comparedTags returns the bits of the tags that compare reads of a home and an axis.
func (f *branchBuilder) comparedTags(u *measure.Ref, axis *catalog.Field) uint8 {
	tags := uint8(1 << measure.CurrentRangeIndex)
	for _, o := range f.q.Cols.MeasureRefs {
		if o.Tag > 0 && o.Measure.Home == u.Measure.Home && f.axisOfMeasure(o) == axis {
			tags |= 1 << o.Tag
		}
	}
	return tags
}
