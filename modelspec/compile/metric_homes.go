package compile

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// findHomesOfMetrics lists for every metric the datasets at which its aggregates are at
// home, in document order.
func (c *compiler) findHomesOfMetrics() {
	h := metricHomeCollector{compiler: c, states: make([]visitState, len(c.metrics)), lists: make([][]*catalog.Dataset, len(c.metrics)), added: make([]int, len(c.cat.Datasets))}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		m.cat.Datasets = h.collectHomesOfMetric(m)
	}
}

type metricHomeCollector struct {
	*compiler
	states []visitState
	lists  [][]*catalog.Dataset // by metric
	added  []int                // by dataset: the number of the last list that it was added to
	list   int
}

// collectHomesOfMetric collects the homes of a metric; a circle, which is rejected later, ends it.
func (h *metricHomeCollector) collectHomesOfMetric(m *metricInProgress) []*catalog.Dataset {
	id := m.cat.ID
	if h.states[id] != stateNotVisited {
		return h.lists[id]
	}
	h.states[id] = stateBeingVisited
	members := m.cat.MemberMetrics()
	for _, member := range members {
		h.collectHomesOfMetric(h.metrics[member.ID])
	}
	h.list++
	var out []*catalog.Dataset
	add := func(d *catalog.Dataset) {
		if h.added[d.ID] != h.list {
			h.added[d.ID] = h.list
			out = append(out, d)
		}
	}
	for _, form := range m.cat.FormsOfAllDialects() {
		for _, o := range form.Operands {
			if measure, ok := o.(*catalog.Measure); ok {
				add(measure.Home)
			}
		}
	}
	if len(out) == 0 && len(members) == 1 {
		out = h.lists[members[0].ID] // shared: a chain of metrics has one list
	} else {
		for _, member := range members {
			for _, d := range h.lists[member.ID] {
				add(d)
			}
		}
		slices.SortFunc(out, func(a, b *catalog.Dataset) int { return a.ID - b.ID })
	}
	if len(out) > limits.MetricDatasets {
		h.failMetric(m, metricDatasetLimitError(m, len(out)))
		out = nil
	}
	h.states[id], h.lists[id] = stateVisited, out
	return out
}

func metricDatasetLimitError(m *metricInProgress, n int) *modelspec.CompileError {
	place := m.expressionPlace()
	return &modelspec.CompileError{
		Code: extension.CodeNotImplemented, Location: place.Location, Position: place.Position,
		Message: fmt.Sprintf("the metric %s aggregates fields of %d datasets; at most %d are combined", shortenText(m.cat.Name), n, limits.MetricDatasets),
		Hint:    "split it into metrics over fewer datasets",
	}
}
