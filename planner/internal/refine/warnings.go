package refine

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// nonAdditiveWindowWarnings lists what a caller should know of the columns of a query.
func nonAdditiveWindowWarnings(x measure.Expansion) []planerr.QueryWarning {
	var columns []string
	for _, c := range x.Columns {
		if windowAddsNonAdditive(x.MeasureRefs, c) {
			columns = append(columns, c.Name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.WarningWindowAddsNonAdditive, Columns: columns,
		Message: "a window takes the sum or the mean of bucket values that do not add up, such as distinct counts or averages, in " +
			joinNames(columns) + ": that is not the value over all rows of these buckets",
	}}
}

// windowAddsNonAdditive reports whether a column is made of a window that takes the sum or the
// mean of bucket values that do not add up.
func windowAddsNonAdditive(uses []*measure.Ref, c measure.Column) bool {
	for r := range sqlexpr.Refs(c.Expr) {
		if u := uses[r.ID]; u.Window != nil && u.Window.Spec.SumsOrAveragesBuckets() && !u.Measure.Additive() {
			return true
		}
	}
	return false
}

func joinNames(columns []string) string { return strings.Join(columns, ", ") }

// attributePartitionWarning names the group-bys that look like attributes of the bucket and are groups, because nothing proves that
// each bucket has one value of them: windows over time and compare look at the rows of one value.
func attributePartitionWarning(q *branch.Query) []planerr.QueryWarning {
	var columns, remedies []string
	for i, g := range q.Groups {
		for _, u := range q.Cols.MeasureRefs {
			if q.Compare == nil && (u.Window == nil || !u.Window.Spec.IsTimeOrdered()) {
				continue
			}
			buckets := q.In.BucketsOfAxis(q.Groups, u.Axis)
			isUnproven := buckets.Group >= 0 && buckets.Relation(i) == scope.RelationUnproven
			if buckets.Group < 0 && q.Compare != nil && u.Axis != nil && q.Ranges[0].IsOver(u.Axis) {
				_, isUnproven = buckets.DateDimensionStep(g)
			}
			if isUnproven {
				columns, remedies = append(columns, g.Name), append(remedies, proofOfAttribute(g, buckets))
				break
			}
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.WarningTimeAttributePartitions, Columns: columns,
		Message: "windows over time and comparisons look at the rows of one value of " + joinNames(columns) +
			", because a bucket may have several values: " + strings.Join(remedies, "; "),
	}}
}

// proofOfAttribute returns the grain or the calendar that would prove a group-by to be an attribute.
func proofOfAttribute(g scope.Group, buckets scope.AxisBuckets) string {
	byGrain := "in place of " + g.Name + " group by a grain of " + buckets.Axis().QualifiedName()
	if buckets.Group < 0 {
		return byGrain
	}
	unit := buckets.Bucket().BucketUnit().String()
	step, ok := buckets.DateDimensionStep(g)
	if !ok {
		return byGrain + " into which a " + unit + " divides"
	}
	return byGrain + ", or declare " + g.Ref.Field.Name + " as a period of the calendar " + step.Rel.To.Name + " with whole: " + unit
}
