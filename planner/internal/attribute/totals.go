package attribute

import (
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// planTotals plans the query over the whole windows, with the breakdowns that
// only totals have.
func (f querySetBuilder) planTotals(read metricArithmetic) (totalsQuery, error) {
	if read.last != nil {
		planned, l, err := f.planLastBucket(read.last, "")
		if err != nil {
			return totalsQuery{}, f.translateMetricError(err, -1)
		}
		return totalsQuery{planned: planned, layout: l}, nil
	}
	q, err := f.newAttributionQueryPlanner(read, "")
	if err != nil {
		return totalsQuery{}, err
	}
	if err := q.addMeasuresOrMetric(); err != nil {
		return totalsQuery{}, err
	}
	if err := q.addDerivedMetricParts(); err != nil {
		return totalsQuery{}, err
	}
	combined, err := q.combineBranches()
	if err != nil {
		return totalsQuery{}, f.translateMetricError(err, -1)
	}
	return totalsQuery{q.assembleQuery(combined, 0), q.columns, q.members, commonTimeDimension(combined)}, nil
}

// commonTimeDimension returns the dimension that the windows turned out to be over.
func commonTimeDimension(c *combine.Combined) string {
	var name string
	for i, ref := range c.FirstTimeRangeDimensionPerBranch() {
		if i > 0 && name != ref.String() {
			return scope.MetricTime
		}
		name = ref.String()
	}
	return name
}

// planDimensions plans one query for each dimension. Most bounds its rows.
func (f querySetBuilder) planDimensions(read metricArithmetic, most int) ([]dimensionQuery, error) {
	out := make([]dimensionQuery, len(f.windows.request.q.Dimensions))
	for i, name := range f.windows.request.q.Dimensions {
		d, err := f.planDimension(read, name, most)
		if err != nil {
			return nil, f.translateMetricError(err, i)
		}
		out[i] = d
	}
	return out, nil
}

func (f querySetBuilder) planDimension(read metricArithmetic, name string, most int) (dimensionQuery, error) {
	if name == scope.MetricTime {
		return dimensionQuery{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    "metric_time is the time of the windows; attribute a change between them to other dimensions",
			Candidates: f.windows.request.rankedCandidateDimensions(resolve.MaxCandidates),
		}
	}
	if read.last != nil {
		return f.planLastBucketDimension(read.last, name)
	}
	if len(f.windows.request.metric.WindowedMetrics(f.windows.request.target.Dialect)) == 0 {
		// What the metric plane rejects is rejected here, in the same words.
		if _, err := f.windows.request.planMetricQuery(f.newMetricQuery(name)); err != nil {
			return dimensionQuery{}, err
		}
	}
	q, err := f.newAttributionQueryPlanner(read, name)
	if err != nil {
		return dimensionQuery{}, err
	}
	if field := q.groups[0].Ref.Field; field != nil && len(q.groups[0].Ref.Prefix) == 0 && read.isSnapshotTime(field) {
		return dimensionQuery{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    field.QualifiedName() + " is the time of the snapshots of " + f.windows.request.metric.Name + ", over which it does not add up; attribute a change to other dimensions",
			Candidates: f.windows.request.rankedCandidateDimensions(resolve.MaxCandidates),
		}
	}
	if err := q.addMeasuresOrMetric(); err != nil {
		return dimensionQuery{}, err
	}
	combined, err := q.combineBranches()
	if err != nil {
		return dimensionQuery{}, err
	}
	return newDimensionQueryFromPlan(name, q.groups[0], q.assembleQuery(combined, most), q.columns), nil
}
