package compile

import "github.com/semlayer/semlayer/modelspec/catalog"

// findHomes lists for every metric the datasets at which its aggregates are at
// home, in document order.
func (c *compiler) findHomes() {
	h := homes{c, make([]state, len(c.metrics)), make([][]bool, len(c.metrics))}
	for _, m := range c.metrics {
		h.of(m.cat)
		for i, d := range c.cat.Datasets {
			if set := h.sets[m.cat.ID]; set != nil && set[i] {
				m.cat.Datasets = append(m.cat.Datasets, d)
			}
		}
	}
}

type homes struct {
	*compiler
	states []state
	sets   [][]bool // by metric and dataset
}

// of collects the homes of a metric; a circle, which is refused later, ends it.
func (h homes) of(m *catalog.Metric) []bool {
	if h.states[m.ID] != untouched {
		return h.sets[m.ID]
	}
	h.states[m.ID] = working
	set := make([]bool, len(h.cat.Datasets))
	for _, form := range m.AllForms() {
		for _, o := range form.Operands {
			if measure, ok := o.(*catalog.Measure); ok {
				set[measure.Home.ID] = true
			}
		}
	}
	for _, member := range m.Members() {
		for i, in := range h.of(member) {
			set[i] = set[i] || in
		}
	}
	h.states[m.ID] = done
	h.sets[m.ID] = set
	return set
}
