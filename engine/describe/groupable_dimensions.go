package describe

import (
	"context"
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxListedJoinPaths bounds how many paths to one dataset are listed for a metric.
const maxListedJoinPaths = 20

// groupableDimensions lists the dimensions that a metric can be grouped by. It plans a query
// for each candidate, so that the list and the queries never disagree.
func (d *Describer) groupableDimensions(ctx context.Context, name string) ([]Dimension, error) {
	m, err := d.FindMetric(name)
	if err != nil {
		return nil, err
	}
	if m.Err != nil {
		return nil, m.Err
	}
	ask := d.newDimensionProber(ctx, m)
	out := []Dimension{}
	if grains := ask.acceptedGrains(metricTimeName, d.catalog.BucketUnitNames()); len(grains) > 0 {
		out = append(out, Dimension{Name: metricTimeName, IsTime: true, IsDimension: true, Source: "inferred:time", Grains: grains, Parts: ask.partsOfMetricTime()})
	}
	listed := map[string]bool{} // a view may list a field by a path that leads to it by its dataset, too
	add := func(info Dimension) {
		if !listed[info.Name] {
			listed[info.Name] = true
			out = append(out, info)
		}
	}
	for _, f := range d.catalog.ShownFields() {
		if ctx.Err() != nil {
			break
		}
		if grains := ask.windowTimeAxisGrains(f); len(grains) > 0 {
			info := d.describeField(f.Field, f.Text())
			info.Grains = grains
			add(info)
			continue
		}
		for _, spelling := range ask.namesOfFieldForMetric(f) {
			info := d.describeField(f.Field, spelling)
			info.Grains = ask.acceptedGrains(spelling, info.Grains)
			add(info)
		}
	}
	if err := ctx.Err(); err != nil { // what was not planned is not in the list
		return nil, err
	}
	return out, nil
}

// PlanMetricGroupedByField plans a query that groups a metric by a field that is not its time axis. Both
// are of the describer's model. The error is why the metric does not accept the field.
func (d *Describer) PlanMetricGroupedByField(ctx context.Context, m *catalog.Metric, f *catalog.Field) (*planner.Planned, error) {
	a := d.newDimensionProber(ctx, m)
	return a.planWithAddedGroupBy(a.query.GroupBy, query.GroupBy{Field: f.QualifiedName()})
}

// CheckMetricPlans plans a metric with the group-bys that it needs, and returns the error of planning.
func (d *Describer) CheckMetricPlans(ctx context.Context, m *catalog.Metric) error {
	_, err := d.planner.PlanMetrics(ctx, &d.newDimensionProber(ctx, m).query, d.target)
	return err
}

// dimensionProber plans small queries of one metric.
type dimensionProber struct {
	ctx       context.Context // of the list that it makes
	describer *Describer
	query     query.MetricQuery
	// groupsWithoutTime are the group-bys without metric_time where the metric is a window
	// over time, else nil: its physical axis takes the place of metric_time.
	groupsWithoutTime []query.GroupBy
	// unreachable holds the datasets that the metric cannot be joined to: the error of
	// one field holds for the others.
	unreachable map[*catalog.Dataset]bool
}

func (d *Describer) newDimensionProber(ctx context.Context, m *catalog.Metric) *dimensionProber {
	a := &dimensionProber{ctx: ctx, describer: d, unreachable: map[*catalog.Dataset]bool{}}
	a.query = query.MetricQuery{Metrics: []string{m.Name}, Params: d.SampleParamBindings(m)}
	for _, f := range m.RequiredGroupByFields(d.target.Dialect) {
		a.query.GroupBy = append(a.query.GroupBy, query.GroupBy{Field: f.QualifiedName()})
	}
	if m.NeedsTimeAxis(d.target.Dialect) {
		// Which grains a window takes depends on its block: the finest will do.
		if grains := a.acceptedGrains(metricTimeName, d.catalog.BucketUnitNames()); len(grains) > 0 {
			a.groupsWithoutTime = append([]query.GroupBy{}, a.query.GroupBy...)
			a.query.GroupBy = append(a.query.GroupBy, query.GroupBy{Field: metricTimeName, Grain: grains[0]})
		}
	}
	return a
}

// windowTimeAxisGrains lists the grains of a field that is the time axis of a window metric;
// of any other field it lists none.
func (a *dimensionProber) windowTimeAxisGrains(f catalog.ViewField) []string {
	var out []string
	if a.groupsWithoutTime == nil {
		return nil
	}
	for _, grain := range a.describer.catalog.BucketUnitNamesOfField(f.Field) {
		if a.tryAddingGroupBy(a.groupsWithoutTime, query.GroupBy{Field: f.Text(), Grain: grain}) == nil {
			out = append(out, grain)
		}
	}
	return out
}

// tryGroupByBesideRequired plans the metric with one more group-by than it requires.
func (a *dimensionProber) tryGroupByBesideRequired(g query.GroupBy) error {
	return a.tryAddingGroupBy(a.query.GroupBy, g)
}

func (a *dimensionProber) tryAddingGroupBy(groups []query.GroupBy, g query.GroupBy) error {
	_, err := a.planWithAddedGroupBy(groups, g)
	return err
}

// planWithAddedGroupBy plans the metric with one more group-by than groups.
func (a *dimensionProber) planWithAddedGroupBy(groups []query.GroupBy, g query.GroupBy) (*planner.Planned, error) {
	q := a.query
	q.GroupBy = slices.Clone(groups)
	if i := slices.IndexFunc(q.GroupBy, func(given query.GroupBy) bool { return given.Field == g.Field }); i >= 0 {
		q.GroupBy[i] = g
	} else {
		q.GroupBy = append(q.GroupBy, g)
	}
	planned, err := a.describer.planner.PlanMetrics(a.ctx, &q, a.describer.target)
	// A level-of-detail field may want a parameter that the metric does not have.
	var refused *planerr.Error
	if errors.As(err, &refused) && refused.Code == planerr.CodeParamOutOfDomain {
		if bound, ok := refused.Fragment["params"].(query.Bindings); ok {
			q.Params = bound
			planned, err = a.describer.planner.PlanMetrics(a.ctx, &q, a.describer.target)
		}
	}
	return planned, err
}

// acceptedGrains lists those of the offered grains that the metric takes on a field.
func (a *dimensionProber) acceptedGrains(field string, offered []string) []string {
	var out []string
	for _, grain := range offered {
		if a.tryGroupByBesideRequired(query.GroupBy{Field: field, Grain: grain}) == nil {
			out = append(out, grain)
		}
	}
	return out
}

// partsOfMetricTime lists the parts of the metric's time axis that a query may request, beside the bucket that a window needs.
func (a *dimensionProber) partsOfMetricTime() []string {
	return sqlexpr.FilterTimePartNames(func(part string) bool {
		q := a.query
		q.GroupBy = append(slices.Clone(q.GroupBy), query.GroupBy{Field: metricTimeName, Part: part})
		_, err := a.describer.planner.PlanMetrics(a.ctx, &q, a.describer.target)
		return err == nil
	})
}

// namesOfFieldForMetric lists the names under which the metric takes a field: its qualified
// name, or where several paths lead to it, the name of each path.
func (a *dimensionProber) namesOfFieldForMetric(listed catalog.ViewField) []string {
	f, name := listed.Field, listed.Text()
	if listed.Rel == nil && a.unreachable[f.Dataset] {
		return nil
	}
	err := a.tryGroupByBesideRequired(query.GroupBy{Field: name})
	if err == nil {
		return []string{name}
	}
	var refused *planerr.Error
	if !errors.As(err, &refused) {
		return nil
	}
	switch refused.Code {
	case planerr.CodeGrainNotSupported: // of a Date, whose days are a grain; the metric takes others
		return []string{name}
	case planerr.CodeNoJoinPath, planerr.CodeFanOutRisk:
		if listed.Rel == nil {
			a.unreachable[f.Dataset] = true
		}
		return nil
	case planerr.CodeAmbiguousJoinPath:
		return a.acceptedFieldPathNames(f, refused.Candidates)
	}
	return nil
}

// acceptedFieldPathNames lists the spellings of a field along the given paths.
func (a *dimensionProber) acceptedFieldPathNames(f *catalog.Field, paths []string) []string {
	var out []string
	for _, path := range paths {
		spelling := path + "." + sqlexpr.FormatPath(f.Name)
		if len(out) < maxListedJoinPaths && a.tryGroupByBesideRequired(query.GroupBy{Field: spelling}) == nil {
			out = append(out, spelling)
		}
	}
	return out
}
