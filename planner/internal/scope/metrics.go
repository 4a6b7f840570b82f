package scope

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A query with distinct lists the groups of one dataset, its root. It is planned as a branch
// of that dataset without measures, whose conditions are all over rows.

// newDistinctDimensionsSelection returns the selection of a query with distinct. The prefix of a reference may
// leave any dataset, because the references decide what the root is.
func newDistinctDimensionsSelection(in *Env) (Selection, error) {
	if len(in.Query.GroupBy) == 0 {
		return Selection{}, &planerr.Error{
			Code:       planerr.CodeEmptyQuery,
			Message:    "the query lists distinct groups and has no group_by",
			Candidates: nearestDimensionNames(in, ""),
		}
	}
	return Selection{Names: &resolve.Resolver{Cat: in.Cat, Homes: in.Cat.Datasets}}, nil
}

// Selection is the metrics of a query, and what its names mean for them.
type Selection struct {
	Metrics []*catalog.Metric // in order
	Names   *resolve.Resolver // at the homes of the metrics' measures
}

// SelectMetrics looks up the requested metrics and the homes of their measures.
func SelectMetrics(in *Env) (Selection, error) {
	if in.Query.Distinct {
		return newDistinctDimensionsSelection(in)
	}
	requested := in.Query.Metrics
	if len(requested) == 0 {
		return Selection{}, queryWithoutMetricsError(in)
	}
	metrics := make([]*catalog.Metric, 0, len(requested))
	for _, name := range requested {
		in.Target.Uses.AddMetric(name)
	}
	for _, name := range requested {
		m, err := FindMetric(in, name)
		if err != nil {
			return Selection{}, err
		}
		if slices.Contains(metrics, m) {
			return Selection{}, &planerr.Error{
				Code:     planerr.CodeDuplicateOutputName,
				Message:  "metric " + m.Name + " is requested twice",
				Metrics:  []string{m.Name},
				Fragment: map[string]any{"metrics": in.Query.MetricItemsNamed(naming.RemoveDuplicates(requested))},
			}
		}
		metrics = append(metrics, m)
	}
	return Selection{metrics, &resolve.Resolver{Cat: in.Cat, Homes: homesOfMetrics(metrics)}}, nil
}

// queryWithoutMetricsError returns the error of a query without metrics; one with groups may want them listed.
func queryWithoutMetricsError(in *Env) error {
	e := NoMetricsError(in.Cat, "the query names no metrics")
	if len(in.Query.GroupBy) > 0 {
		e.Message += "; distinct lists its groups without metrics"
		e.Fragment = map[string]any{"distinct": true}
	}
	return e
}

// NoMetricsError returns the error of a query that names no metric.
func NoMetricsError(cat *catalog.Catalog, message string) *planerr.Error {
	names := metricNames(cat)
	return &planerr.Error{
		Code:       planerr.CodeEmptyQuery,
		Message:    message,
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
	}
}

// FindMetric looks up a metric that compiles for the target.
func FindMetric(in *Env, name string) (*catalog.Metric, error) {
	m := in.Cat.Metric(name)
	if m == nil || m.Name != name {
		e := &planerr.Error{
			Code:       planerr.CodeUnknownMetric,
			Message:    "the model has no metric named " + name,
			Metrics:    []string{name},
			Candidates: suggest.Nearest(name, metricNames(in.Cat), resolve.MaxCandidates), UnknownName: name,
		}
		e.Respelling, _ = suggest.Respelling(name, metricNames(in.Cat))
		addMisplacedFieldRetry(in, e, name)
		addRespelledMetricRetry(in, e, name)
		return nil, e
	}
	if err := m.ErrorForDialect(in.Target.Dialect); err != nil {
		return nil, err
	}
	return m, nil
}

// addRespelledMetricRetry adds to the error of an unknown metric a retry with the metric of nearly that name.
func addRespelledMetricRetry(in *Env, e *planerr.Error, name string) {
	q := in.Query
	if q == nil || e.Respelling == "" || e.Fragment != nil {
		return
	}
	names := slices.Clone(q.Metrics)
	names[slices.Index(names, name)] = e.Respelling
	e.Fragment = map[string]any{"metrics": q.MetricItemsNamed(names)}
}

func metricNames(cat *catalog.Catalog) []string {
	shown := cat.ShownMetrics()
	names := make([]string, len(shown))
	for i, m := range shown {
		names[i] = m.Name
	}
	return names
}

// homesOfMetrics lists the datasets of all selected metrics, in order of first use.
func homesOfMetrics(metrics []*catalog.Metric) []*catalog.Dataset {
	var out []*catalog.Dataset
	seen := map[*catalog.Dataset]bool{}
	for _, m := range metrics {
		for _, d := range m.Datasets {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}
