package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Selection is the metrics of a query, and what its names mean for them.
type Selection struct {
	Metrics []*catalog.Metric // in order
	names   *resolve.Resolver // at the homes of the metrics' measures
}

// Select looks up the requested metrics and the homes of their measures.
func Select(in *Env) (Selection, error) {
	requested := in.Query.Metrics
	if len(requested) == 0 {
		return Selection{}, NoMetrics(in.Cat, "the query names no metrics")
	}
	metrics := make([]*catalog.Metric, 0, len(requested))
	seen := make(map[*catalog.Metric]bool, len(requested))
	for _, name := range requested {
		m, err := FindMetric(in, name)
		if err != nil {
			return Selection{}, err
		}
		if seen[m] {
			return Selection{}, &planerr.Error{
				Code:     planerr.CodeDuplicateOutputName,
				Message:  "metric " + m.Name + " is requested twice",
				Metrics:  []string{m.Name},
				Fragment: map[string]any{"metrics": DistinctNames(requested)},
			}
		}
		seen[m] = true
		metrics = append(metrics, m)
	}
	return Selection{metrics, &resolve.Resolver{Cat: in.Cat, Homes: homesOf(metrics)}}, nil
}

// NoMetrics is the error of a query that names no metric.
func NoMetrics(cat *catalog.Catalog, message string) error {
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
		return nil, &planerr.Error{
			Code:       planerr.CodeUnknownMetric,
			Message:    "the model has no metric named " + name,
			Metrics:    []string{name},
			Candidates: suggest.Nearest(name, metricNames(in.Cat), resolve.MaxCandidates),
		}
	}
	if err := m.ErrFor(in.Target.Dialect); err != nil {
		return nil, err
	}
	return m, nil
}

func metricNames(cat *catalog.Catalog) []string {
	names := make([]string, len(cat.Metrics))
	for i, m := range cat.Metrics {
		names[i] = m.Name
	}
	return names
}

// homesOf lists the datasets of all selected metrics, in order of first use.
func homesOf(metrics []*catalog.Metric) []*catalog.Dataset {
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

// DistinctNames is a list of names, each once.
func DistinctNames(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// dropName is a list of names less one of them.
func dropName(names []string, drop string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == drop })
}
