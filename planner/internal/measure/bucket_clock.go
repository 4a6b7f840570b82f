package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// ClockOfGroupBuckets returns the clock of the buckets of a group. Buckets within a day are instants, the others days
// that the clock of the query shows.
func ClockOfGroupBuckets(in *scope.Env, g scope.Group, measureRefs []*Ref) clock.Clock {
	c := in.Times.Clock
	if !g.Grain.IsWithinDay() {
		c = c.WithoutZone()
	}
	for _, f := range FieldsOfGroup(g, measureRefs) {
		return c.ForField(f) // the others have its type
	}
	return c.WithoutZone()
}

// FieldsOfGroup lists what a group reads in the branches; nothing for metric_time where no metric has a time axis.
func FieldsOfGroup(g scope.Group, measureRefs []*Ref) []*catalog.Field {
	if !g.OnAxis {
		return []*catalog.Field{g.Ref.Field}
	}
	return axesOf(measureRefs)
}

// BucketsOfGroup returns the buckets of a group, to classify the others. A group of metric_time has those of the first axis, whose type
// all others have.
func BucketsOfGroup(in *scope.Env, groups []scope.Group, group int, measureRefs []*Ref) scope.AxisBuckets {
	for _, f := range FieldsOfGroup(groups[group], measureRefs) {
		if groups[group].ReadsAxis(f) {
			return in.BucketsOfAxis(groups, f)
		}
	}
	return scope.AxisBuckets{Group: -1} // of a field by way of a relationship that the query names
}
