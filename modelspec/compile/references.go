package compile

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// checkReferences refuses metrics that refer to themselves through others, and
// fails what refers to a failed metric with that metric's own error.
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
		c.referenceCycle(m, path)
		return
	}
	m.state = working
	path = append(path, m)
	for _, other := range c.members(m.cat) {
		c.follow(other, path)
		if other.cat.Err != nil && m.cat.Err == nil {
			m.cat.Err = other.cat.Err
		}
	}
	m.state = done
	if m.cat.Err != nil {
		m.cat.Forms = catalog.Variants[*catalog.Form]{}
	}
}

// members lists the metrics that a metric refers to directly.
func (c *compiler) members(m *catalog.Metric) []*metric {
	var out []*metric
	for _, form := range forms(m) {
		for _, o := range form.Operands {
			if other, ok := o.(*catalog.Metric); ok {
				out = addOnce(out, c.metrics[other.ID])
			}
		}
	}
	return out
}

func (c *compiler) referenceCycle(m *metric, path []*metric) {
	var names []string
	var circle []*metric
	for i, p := range path {
		if p == m {
			circle = path[i:]
			break
		}
	}
	for _, p := range circle {
		names = append(names, p.cat.Name)
	}
	names = append(names, m.cat.Name)
	err := c.fail(&modelspec.CompileError{
		Code: CodeReferenceCycle, Location: m.doc.At("expression"), Position: m.doc.Expression.Position,
		Message: "the metrics refer to each other in a circle: " + strings.Join(names, " → "),
		Hint:    fmt.Sprintf("break the circle at one of its %d metrics", len(circle)),
	})
	for _, p := range circle {
		if p.cat.Err == nil {
			p.cat.Err = err
		}
	}
}
