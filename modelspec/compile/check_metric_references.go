package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

// checkMetricReferences rejects metrics that refer to themselves through others, fails
// what refers to a failed metric with that metric's own error, and holds the
// fallbacks of derived metrics against their expansions.
func (c *compiler) checkMetricReferences() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		c.failMetricReferenceCycles(m, nil)
	}
}

func (c *compiler) failMetricReferenceCycles(m *metricInProgress, path []*metricInProgress) {
	switch m.state {
	case stateVisited:
		return
	case stateBeingVisited:
		c.failReferenceCycle(path[slices.Index(path, m):])
		return
	}
	m.state = stateBeingVisited
	path = append(path, m)
	for _, other := range c.metricsReferredTo(m) {
		c.failMetricReferenceCycles(other, path)
		if other.cat.Err != nil && m.cat.Err == nil {
			m.cat.Err = other.cat.Err
		}
	}
	if m.cat.Err == nil {
		if err := c.checkLevelDepth(m.cat); err != nil {
			c.failMetric(m, invalidPayloadError(m.ext.Derive.Place, "derive", "%s", err.Message))
		}
		c.checkDeriveMatchesExpression(m) // its members are known not to lead back here
	}
	m.state = stateVisited
}

// metricsReferredTo lists the metrics that a metric refers to directly, in its fallback
// too: basic mode reads that. One that both name is listed twice.
func (c *compiler) metricsReferredTo(m *metricInProgress) []*metricInProgress {
	var out []*metricInProgress
	for _, other := range m.cat.MemberMetrics() {
		out = append(out, c.metrics[other.ID])
	}
	if m.fallback != nil {
		for _, o := range m.fallback.Operands {
			if other, ok := o.(*catalog.Metric); ok {
				out = append(out, c.metrics[other.ID])
			}
		}
	}
	return out
}

// cyclePathText shows the way around a circle: a → b → a. It shortens a long circle to its
// beginning and its end.
func cyclePathText[T any](circle []T, name func(T) string) string {
	const ends = 10
	var names []string
	for i, x := range circle {
		switch {
		case i < ends || i >= len(circle)-ends:
			names = append(names, shortenText(name(x)))
		case i == ends:
			names = append(names, fmt.Sprintf("(%d more)", len(circle)-2*ends))
		}
	}
	return strings.Join(append(names, shortenText(name(circle[0]))), " → ")
}

func (c *compiler) failReferenceCycle(circle []*metricInProgress) {
	first := circle[0]
	err := c.addAndReturnError(&modelspec.CompileError{
		Code: CodeReferenceCycle, Location: first.doc.MemberLocation("expression"), Position: first.expressionPlace().Position,
		Message: "the metrics refer to each other in a circle: " + cyclePathText(circle, func(m *metricInProgress) string { return m.cat.Name }),
		Hint:    fmt.Sprintf("break the circle at one of its %d metrics", len(circle)),
	})
	for _, m := range circle {
		if m.cat.Err == nil {
			m.cat.Err = err
		}
	}
}
