package measure

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkAttributesOfAllAxes rejects, beside time-ordered windows, fill and compare, a group-by that is an attribute of the bucket
// for some metrics, and for others splits it or is the bucket of another axis.
func checkAttributesOfAllAxes(in *scope.Env, groups []scope.Group, cols Expansion) error {
	if in.Query.Fill == nil && in.Query.Compare == nil && !slices.ContainsFunc(cols.MeasureRefs, isTimeOrderedWindow) {
		return nil
	}
	axes := axesOf(cols.MeasureRefs)
	if len(axes) < 2 {
		return nil
	}
	for i, g := range groups {
		var attribute, other, bucket *catalog.Field
		for _, axis := range axes {
			switch buckets := in.BucketsOfAxis(groups, axis); {
			case buckets.Group < 0 || g.IsRemainder:
			case buckets.Group == i:
				bucket = axis
			case buckets.IsAttribute(i):
				attribute = axis
			default:
				other = axis
			}
		}
		var others string
		switch {
		case attribute == nil:
			continue
		case other != nil:
			others = "several in one of " + other.QualifiedName()
		case bucket != nil:
			others = "is the bucket of " + bucket.QualifiedName()
		default:
			continue
		}
		return &planerr.Error{
			Code: planerr.CodeNotImplemented,
			Message: g.Name + " has one value in each bucket of " + attribute.QualifiedName() + " and " + others +
				", and windows over time, fill and compare need one of the two for all metrics",
			Fragment: retry.RemoveGroup(in.Query, groups, g),
		}
	}
	return nil
}

func isTimeOrderedWindow(u *Ref) bool { return u.Window != nil && u.Window.Spec.IsTimeOrdered() }

// axesOf lists the time axes of measures.
func axesOf(refs []*Ref) []*catalog.Field {
	var out []*catalog.Field
	for _, u := range refs {
		if u.Axis != nil && !slices.Contains(out, u.Axis) {
			out = append(out, u.Axis)
		}
	}
	return out
}
