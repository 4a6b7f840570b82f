package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
)

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
	case f.rangesDropDifferentRows(u.Measure.Home, axis): // each range has the rows that it has alone
	case f.q.In.HasSeveralRanges() && f.q.Compare == nil && f.isReadAtLevels(u): // each range has data where it has rows
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

// rangesDropDifferentRows reports whether an inner relationship on the way to the field of one range may drop rows that another
// range counts.
func (f *branchBuilder) rangesDropDifferentRows(home *catalog.Dataset, axis *catalog.Field) bool {
	ranges := f.q.Ranges
	if len(ranges) < 2 {
		return false
	}
	differ := slices.ContainsFunc(ranges[1:], func(r where.Range) bool {
		return r.OnAxis != ranges[0].OnAxis || !r.OnAxis && !r.Ref.IsSame(ranges[0].Ref)
	})
	return differ && slices.ContainsFunc(ranges, func(r where.Range) bool {
		if r.OnAxis {
			return axis != nil && MayDropRows(f.q.In, home, resolve.Ref{Field: axis})
		}
		return MayDropRows(f.q.In, home, r.Ref)
	})
}

// MayDropRows reports whether a join on the way from a dataset to a field may drop rows of the dataset. The joins of a way that
// is not safe are unknown, so it may.
func MayDropRows(in *scope.Env, home *catalog.Dataset, ref resolve.Ref) bool {
	if !in.Cat.HasInnerRelationships() {
		return false
	}
	way := joinpath.FindSafe(in.Cat, home, ref)
	return !way.Ok || slices.ContainsFunc(way.Path, func(s catalog.JoinStep) bool { return s.Rel.JoinType == catalog.JoinInner }) ||
		len(in.Cat.AppendInnerJoinPathsOfExpr(nil, &sqlexpr.Ref{ID: ref.Field.ID}, in.Target.Dialect)) > 0
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

// WithoutTags returns measure references of the only range of a query.
func WithoutTags(refs []*measure.Ref) []*measure.Ref {
	out := make([]*measure.Ref, len(refs))
	for i, u := range refs {
		untagged := *u
		untagged.Tag = -1
		out[i] = &untagged
	}
	return out
}
