package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// clockOfGroupBuckets returns the clock of the buckets of a group. Buckets within a day are instants, the others days
// that the clock of the query shows.
func clockOfGroupBuckets(in *scope.Env, g scope.Group, measureRefs []*MeasureRef) clock.Clock {
	if !g.Grain.IsWithinDay() {
		return in.Times.Clock.WithoutZone()
	}
	for _, f := range fieldsOfGroup(g, measureRefs) {
		return in.Times.Clock.ForField(f) // the others have its type
	}
	return in.Times.Clock.WithoutZone()
}

// fieldsOfGroup lists what a group reads in the branches; nothing for metric_time where no metric has a time axis.
func fieldsOfGroup(g scope.Group, measureRefs []*MeasureRef) []*catalog.Field {
	if !g.OnAxis {
		return []*catalog.Field{g.Ref.Field}
	}
	var out []*catalog.Field
	for _, u := range measureRefs {
		if u.Axis != nil && !slices.Contains(out, u.Axis) {
			out = append(out, u.Axis)
		}
	}
	return out
}
