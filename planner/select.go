package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// selectMetrics looks up the requested metrics and the homes of their measures.
func (b *build) selectMetrics() error {
	if len(b.q.Metrics) == 0 {
		names := b.metricNames()
		return &planerr.Error{
			Code:       planerr.CodeEmptyQuery,
			Message:    "the query names no metrics",
			Candidates: names[:min(len(names), scope.MaxCandidates)],
		}
	}
	seen := make(map[*catalog.Metric]bool, len(b.q.Metrics))
	for _, name := range b.q.Metrics {
		m, err := b.metric(name)
		if err != nil {
			return err
		}
		if seen[m] {
			return &planerr.Error{
				Code:     planerr.CodeDuplicateOutputName,
				Message:  "metric " + m.Name + " is requested twice",
				Metrics:  []string{m.Name},
				Fragment: map[string]any{"metrics": distinct(b.q.Metrics)},
			}
		}
		seen[m] = true
		b.metrics = append(b.metrics, m)
	}
	b.res = scope.Resolver{Cat: b.cat, Homes: b.homes()}
	return nil
}

func (b *build) metric(name string) (*catalog.Metric, error) {
	m := b.cat.Metric(name)
	if m == nil || m.Name != name {
		return nil, &planerr.Error{
			Code:       planerr.CodeUnknownMetric,
			Message:    "the model has no metric named " + name,
			Metrics:    []string{name},
			Candidates: suggest.Nearest(name, b.metricNames(), scope.MaxCandidates),
		}
	}
	if err := m.ErrFor(b.target.Dialect); err != nil {
		return nil, err
	}
	return m, nil
}

func (b *build) metricNames() []string {
	names := make([]string, len(b.cat.Metrics))
	for i, m := range b.cat.Metrics {
		names[i] = m.Name
	}
	return names
}

// homes lists the datasets of all selected metrics, in order of first use.
func (b *build) homes() []*catalog.Dataset {
	var out []*catalog.Dataset
	seen := map[*catalog.Dataset]bool{}
	for _, m := range b.metrics {
		for _, d := range m.Datasets {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}

func distinct(names []string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
