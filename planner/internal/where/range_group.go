package where

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// RangeFieldGroupFinder finds the groups that carry the field of a range.
type RangeFieldGroupFinder struct {
	In          *scope.Env
	MeasureRefs []*measure.Ref
	Asked       Range
	Key         string // of the query that needs such a group, for errors
}

// ReadsRangeField reports whether a group carries the field of the range. A field and metric_time mean one field only
// where it is the axis of every measure.
func (finder RangeFieldGroupFinder) ReadsRangeField(g scope.Group) (bool, error) {
	switch {
	case g.Expression != nil, g.Part != sqlexpr.PartNone:
		return false, nil
	case g.OnAxis == finder.Asked.OnAxis:
		return finder.Asked.OnAxis || g.Ref.IsSame(finder.Asked.Ref), nil
	case g.OnAxis:
		return finder.isAxisOfAllMeasures(g, finder.Asked.Ref)
	default:
		return finder.isAxisOfAllMeasures(g, g.Ref)
	}
}

// isAxisOfAllMeasures reports whether a field is the axis of all measures. Where it is that of some, the
// buckets of the others are not those of the range.
func (finder RangeFieldGroupFinder) isAxisOfAllMeasures(g scope.Group, ref resolve.Ref) (bool, error) {
	some, all := false, true
	for _, u := range finder.MeasureRefs {
		is := u.Axis != nil && ref.IsSame(resolve.Ref{Field: u.Axis})
		some, all = some || is, all && is
	}
	if some && !all {
		return false, finder.notAxisOfAllMeasuresError(g, ref)
	}
	return some, nil
}

func (finder RangeFieldGroupFinder) notAxisOfAllMeasuresError(g scope.Group, ref resolve.Ref) error {
	groups := slices.Clone(finder.In.Query.GroupBy)
	groups[g.Index] = query.GroupBy{Field: scope.MetricTime, Grain: g.Item.Grain, Name: g.Item.Name}
	whole := *finder.In.Keys.TimeRange
	whole.Dimension = scope.MetricTime
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: finder.Key + " needs the buckets of " + g.Name + " to be those of the range for every metric, and " +
			ref.String() + " is the time axis of only some of them",
		Fragment: map[string]any{"group_by": groups, "time_range": whole},
	}
}

// SetTypesOfMetricTimeGroupBys types the groups of metric_time that are finer than a day by the axis of the
// first measure: all axes have one type, or the query is rejected.
func SetTypesOfMetricTimeGroupBys(groups []scope.Group, measures []*measure.Ref) []scope.Group {
	for i, g := range groups {
		if g.OnAxis && !g.IsRemainder && g.Grain.IsWithinDay() && len(measures) > 0 && measures[0].Axis != nil {
			typed := slices.Clone(groups)
			typed[i].Type = measures[0].Axis.BucketType(g.Grain)
			groups = typed
		}
	}
	return groups
}
