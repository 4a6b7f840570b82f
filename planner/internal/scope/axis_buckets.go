package scope

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
)

// BucketRelation is what a group-by is to the buckets of a time axis.
type BucketRelation uint8

const (
	// RelationGroup is that of a group-by of which a bucket may have several values.
	RelationGroup BucketRelation = iota
	// RelationBucket is that of the group-by that makes the buckets. It is the finest grouped grain of the axis.
	RelationBucket
	// RelationAttribute is that of a group-by where each bucket lies within one value of the group-by, such as the year of a month.
	RelationAttribute
	// RelationSplit is that of a grain of the axis into which the buckets do not divide, such as weeks beside months, or the axis
	// without a grain.
	RelationSplit
	// RelationUnproven is that of a field of the date dimension of the axis, or an expression over the axis, that nothing proves
	// to be an attribute. It is a group, which may surprise.
	RelationUnproven
)

// AxisBuckets are the buckets of a time axis in a query.
type AxisBuckets struct {
	in     *Env
	groups []Group
	axis   *catalog.Field
	Group  int // that makes the buckets; -1: the axis is not grouped by a grain
}

// BucketsOfAxis returns the buckets that the groups make of a time axis. A nil axis is grouped by metric_time alone.
func (in *Env) BucketsOfAxis(groups []Group, axis *catalog.Field) AxisBuckets {
	b := AxisBuckets{in, groups, axis, -1}
	for i, g := range groups {
		if !g.IsRemainder && g.ReadsAxis(axis) && !g.HasStoredValue() && (b.Group < 0 || g.HasFinerBuckets(groups[b.Group])) {
			b.Group = i
		}
	}
	return b
}

// Axis returns the axis; nil where it is grouped by metric_time alone.
func (a AxisBuckets) Axis() *catalog.Field { return a.axis }

// Unit returns the unit of the buckets and the group that makes them: a Date that is grouped without a grain has days. The
// unit is zero where the axis is not grouped.
func (a AxisBuckets) Unit() (unit catalog.GrainOrPeriod, group int) {
	if a.Group >= 0 {
		return a.Bucket().BucketUnit(), a.Group
	}
	if a.axis == nil || a.axis.Encoding != nil || storedGrainOfValues(a.axis) != sqlexpr.GrainDay {
		return unit, -1
	}
	group = slices.IndexFunc(a.groups, func(g Group) bool { return !g.IsRemainder && g.ReadsAxis(a.axis) })
	if group >= 0 {
		unit.Grain = sqlexpr.GrainDay
	}
	return unit, group
}

// IsAttribute reports whether each bucket lies within one value of a group-by.
func (a AxisBuckets) IsAttribute(group int) bool { return a.Relation(group) == RelationAttribute }

// Relation returns what a group-by is to the buckets; RelationGroup where the axis has none.
func (a AxisBuckets) Relation(group int) BucketRelation {
	switch g := a.groups[group]; {
	case a.Group < 0, g.IsRemainder:
		return RelationGroup
	case group == a.Group:
		return RelationBucket
	case g.ReadsAxis(a.axis):
		if a.dividesIntoAxisGroup(g) {
			return RelationAttribute
		}
		return RelationSplit
	case g.Part != sqlexpr.PartNone:
		return a.relationOfPart(g)
	case a.axis == nil, g.OnAxis:
		return RelationGroup
	case g.Expression != nil:
		return a.relationOfExpression(g.Expression)
	}
	return a.relationOfDateDimensionField(a.groups[group])
}

// relationOfPart returns what a part of a time is to the buckets. The weeks of a query are those of the year where they begin
// on Monday.
func (a AxisBuckets) relationOfPart(g Group) BucketRelation {
	bucket, whole := a.Bucket(), g
	whole.Part = sqlexpr.PartNone
	if !whole.ReadsAxis(a.axis) || bucket.Period != nil || !bucket.Grain.Subdivides(g.Part.Unit()) {
		return RelationGroup
	}
	if bucket.Grain == sqlexpr.GrainWeek && !a.in.Times.Clock.WeekStartsOnMonday() {
		return RelationGroup
	}
	return RelationAttribute
}

// Bucket returns the group-by that makes the buckets.
func (a AxisBuckets) Bucket() Group { return a.groups[a.Group] }

// dividesIntoAxisGroup reports whether each bucket lies within one value of another group-by of the axis.
func (a AxisBuckets) dividesIntoAxisGroup(g Group) bool {
	if g.HasStoredValue() {
		return a.axis != nil && a.areStoredValues()
	}
	return a.DivideInto(g.BucketUnit())
}

// DivideInto reports whether each bucket is known to lie within one bucket of a unit.
func (a AxisBuckets) DivideInto(unit catalog.GrainOrPeriod) bool {
	switch bucket := a.Bucket(); {
	case bucket.Period != nil:
		return bucket.Period == unit.Period
	case unit.Period == nil:
		return bucket.Grain.Subdivides(unit.Grain)
	default:
		return bucket.Grain <= sqlexpr.GrainDay || a.in.HasWholeBuckets(unit.Period, bucket.Grain)
	}
}

// CanBeginAgainWith reports whether a window over the buckets can begin again with each bucket of a unit. A bucket that is coarser
// than a day lies in the period of its first day.
func (a AxisBuckets) CanBeginAgainWith(unit catalog.GrainOrPeriod) bool {
	bucket := a.Bucket()
	isPlain := bucket.Period == nil && bucket.Grain > sqlexpr.GrainDay
	return bucket.CanCountBucketsIn(unit) || isPlain && unit.Period != nil && a.in.HasWholeBuckets(unit.Period, bucket.Grain)
}

// HasWholeBuckets reports whether a period of a calendar is declared to consist of whole buckets of a grain. Weeks are
// those of the model.
func (in *Env) HasWholeBuckets(p *catalog.Period, grain sqlexpr.Grain) bool {
	if p.Whole == sqlexpr.GrainNone || !grain.Subdivides(p.Whole) {
		return false
	}
	return grain != sqlexpr.GrainWeek || in.Times.Clock.HasWeekStartOfModel(in.Cat)
}

// areStoredValues reports whether a bucket is one stored value of the axis.
func (a AxisBuckets) areStoredValues() bool {
	bucket := a.Bucket()
	return bucket.Period == nil && a.axis.Encoding == nil && bucket.Grain == storedGrainOfValues(a.axis)
}

// storedGrainOfValues returns the grain that each stored value of a field is a bucket of; GrainNone for timestamps.
func storedGrainOfValues(f *catalog.Field) sqlexpr.Grain {
	if f.Granularity == sqlexpr.GrainNone && f.Datatype == modelspec.DatatypeDate {
		return sqlexpr.GrainDay
	}
	return f.Granularity
}

// relationOfDateDimensionField returns what a field is to the buckets: days have one row in the date dimension of their axis,
// and coarser buckets lie within a period of a calendar that consists of whole ones.
func (a AxisBuckets) relationOfDateDimensionField(g Group) BucketRelation {
	step, ok := a.DateDimensionStep(g)
	if !ok || a.Bucket().Period != nil {
		return RelationGroup
	}
	if a.Bucket().Grain == sqlexpr.GrainDay {
		return RelationAttribute
	}
	for _, p := range a.in.Cat.Periods() {
		if p.Field == g.Ref.Field && p.Calendar.Date == step.Rel.ToFields[0] && g.HasStoredValue() && a.DivideInto(catalog.GrainOrPeriod{Period: p}) {
			return RelationAttribute
		}
	}
	return RelationUnproven
}

// DateDimensionStep returns the step from the axis alone to the dataset of a group-by that is a field; ok is false where
// no relationship leads there from it.
func (a AxisBuckets) DateDimensionStep(g Group) (step catalog.JoinStep, ok bool) {
	if a.axis == nil || !g.IsFieldNotExpression() || a.axis.Datatype != modelspec.DatatypeDate || g.Ref.Field.Dataset == a.axis.Dataset {
		return step, false
	}
	found := joinpath.Find(a.axis.Dataset, g.Ref, func(to *catalog.Dataset) [][]catalog.JoinStep { return a.in.SafePaths(a.axis.Dataset, to) })
	if !found.Ok || len(found.Path) != 1 || found.Path[0].Reverse {
		return step, false
	}
	rel := found.Path[0].Rel
	return found.Path[0], rel.Valid == nil && len(rel.FromFields) == 1 && rel.FromFields[0] == a.axis
}
