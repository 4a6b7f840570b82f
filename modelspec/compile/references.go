package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// checkReferences refuses metrics that refer to themselves through others, fails
// what refers to a failed metric with that metric's own error, and holds the
// fallbacks of derived metrics against their expansions.
func (c *compiler) checkReferences() {
	for _, m := range c.metrics {
		c.follow(m, nil)
	}
}

func (c *compiler) follow(m *metric, path []*metric) {
	switch m.state {
	case done:
		return
	case working:
		c.referenceCycle(path[slices.Index(path, m):])
		return
	}
	m.state = working
	path = append(path, m)
	for _, other := range c.referred(m) {
		c.follow(other, path)
		if other.cat.Err != nil && m.cat.Err == nil {
			m.cat.Err = other.cat.Err
		}
	}
	if m.cat.Err == nil {
		c.checkFallback(m) // its members are known not to lead back here
	}
	m.state = done
}

// referred lists the metrics that a metric refers to directly, in its fallback
// too: basic mode reads that.
func (c *compiler) referred(m *metric) []*metric {
	var out []*metric
	for _, other := range m.cat.Members() {
		out = addOnce(out, c.metrics[other.ID])
	}
	if m.fallback != nil {
		for _, o := range m.fallback.Operands {
			if other, ok := o.(*catalog.Metric); ok {
				out = addOnce(out, c.metrics[other.ID])
			}
		}
	}
	return out
}

func (c *compiler) referenceCycle(circle []*metric) {
	first := circle[0]
	var names []string
	for _, m := range circle {
		names = append(names, m.cat.Name)
	}
	names = append(names, first.cat.Name)
	err := c.fail(&modelspec.CompileError{
		Code: CodeReferenceCycle, Location: first.doc.At("expression"), Position: first.place().Position,
		Message: "the metrics refer to each other in a circle: " + strings.Join(names, " → "),
		Hint:    fmt.Sprintf("break the circle at one of its %d metrics", len(circle)),
	})
	for _, m := range circle {
		if m.cat.Err == nil {
			m.cat.Err = err
		}
	}
}
