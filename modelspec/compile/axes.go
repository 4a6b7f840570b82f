package compile

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

// resolveAxes resolves the time dimensions that metrics declare.
func (c *compiler) resolveAxes() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if !m.ext.TimeDimension.Set() {
			continue
		}
		axis, err := c.timeAxis(m)
		if err != nil {
			c.failMetric(m, err)
			continue
		}
		m.cat.TimeAxis = axis
	}
}

// timeAxis resolves a metric's own time dimension: `dataset.field`, or a field
// of one of the metric's datasets, or one that no other dataset has.
func (c *compiler) timeAxis(m *metric) (*catalog.Field, *modelspec.CompileError) {
	ref := m.ext.TimeDimension
	f := c.axisField(m, ref.Name)
	switch {
	case f == nil:
		return nil, invalidReference(ref, "time_dimension", "the time_dimension %q names no field, or several", ref.Name).
			errorWithCandidates(c, ref.Name, c.allTimeFields)
	case !f.cat.IsTime:
		return nil, invalidReference(ref, "time_dimension", "the time_dimension %s is not a time field", f.cat.Qualified()).
			errorWithCandidates(c, ref.Name, c.allTimeFields)
	}
	return f.cat, nil
}

func (c *compiler) axisField(m *metric, name string) *field {
	if qualifier, rest, ok := strings.Cut(name, "."); ok {
		if d := c.byName[foldCase(qualifier)]; d != nil {
			f, _ := c.findField(d, rest)
			return f
		}
		return nil
	}
	var found []*field
	for _, home := range m.cat.Datasets {
		if f, ok := c.findField(c.datasets[home.ID], name); ok {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		found = c.bare[foldCase(name)]
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

func (c *compiler) allTimeFields() []string {
	var out []string
	for f := range cancel.EachUntilDone(c.ctx, c.cat.Fields) {
		if f.IsTime {
			out = append(out, f.Dataset.Name+"."+f.Name) // this key takes no quotes
		}
	}
	return out
}
