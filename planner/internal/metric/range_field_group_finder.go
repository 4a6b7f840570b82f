package metric

import (
	"slices"

	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// rangeFieldGroupFinder finds the groups that carry the field of a range.
type rangeFieldGroupFinder struct {
	in          *scope.Env
	measureRefs []*MeasureRef
	asked       timeRange
	key         string // of the query that needs such a group, for errors
}

// readsRangeField reports whether a group carries the field of the range. A field and metric_time mean one field only
// where it is the axis of every measure.
func (r rangeFieldGroupFinder) readsRangeField(g scope.Group) (bool, error) {
	switch {
	case g.Expression != nil:
		return false, nil
	case g.OnAxis == r.asked.onAxis:
		return r.asked.onAxis || g.Ref.IsSame(r.asked.ref), nil
	case g.OnAxis:
		return r.isAxisOfAllMeasures(g, r.asked.ref)
	default:
		return r.isAxisOfAllMeasures(g, g.Ref)
	}
}

// isAxisOfAllMeasures reports whether a field is the axis of all measures. Where it is that of some, the
// buckets of the others are not those of the range.
func (r rangeFieldGroupFinder) isAxisOfAllMeasures(g scope.Group, ref resolve.Ref) (bool, error) {
	some, all := false, true
	for _, u := range r.measureRefs {
		is := u.Axis != nil && ref.IsSame(resolve.Ref{Field: u.Axis})
		some, all = some || is, all && is
	}
	if some && !all {
		return false, r.notAxisOfAllMeasuresError(g, ref)
	}
	return some, nil
}

func (r rangeFieldGroupFinder) notAxisOfAllMeasuresError(g scope.Group, ref resolve.Ref) error {
	groups := slices.Clone(r.in.Query.GroupBy)
	groups[g.Index] = query.GroupBy{Field: scope.MetricTime, Grain: g.Item.Grain, Name: g.Item.Name}
	whole := *r.in.Query.TimeRange
	whole.Dimension = scope.MetricTime
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: r.key + " needs the buckets of " + g.Name + " to be those of the range for every metric, and " +
			ref.String() + " is the time axis of only some of them",
		Fragment: map[string]any{"group_by": groups, "time_range": whole},
	}
}
