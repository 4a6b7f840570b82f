package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// measureInMetric is a measure, or a window over one, inside a metric.
type measureInMetric struct {
	chain   []*catalog.Metric // from the selected metric to the one that holds it
	measure *catalog.Measure
	window  *catalog.Window
}

// measuresOfMetric lists the measures that a metric comes down to.
func measuresOfMetric(m *catalog.Metric, outer []*catalog.Metric) []measureInMetric {
	chain := append(slices.Clone(outer), m)
	if m.Window != nil && !hasWindowOverExpression(m) || m.Derive != nil && m.Derive.Base != nil {
		root, _ := findMeasureAndFilteringMetrics(m)
		return []measureInMetric{{chain, root, m.Window}}
	}
	var out []measureInMetric
	for _, o := range m.Forms.ForDialect(expressionDialect).Operands {
		switch o := o.(type) {
		case *catalog.Measure:
			out = append(out, measureInMetric{chain, o, m.Window})
		case *catalog.Metric:
			members := measuresOfMetric(o, chain)
			for i := range members {
				switch {
				case m.Window != nil:
					members[i].window = m.Window
				case m.At != nil:
					members[i].window = nil // it runs over other rows
				}
			}
			out = append(out, members...)
		}
	}
	return out
}

// hasWindowOverExpression reports whether the base of a metric's window is the expression of the metric, not one
// plain aggregate.
func hasWindowOverExpression(m *catalog.Metric) bool {
	return m.Window != nil && m.Window.Base.ForDialect(expressionDialect) == nil && (m.Derive == nil || m.Derive.Base == nil)
}

// findMeasureAndFilteringMetrics follows a chain of filters down to the aggregate they filter, and
// lists the metrics whose conditions apply.
func findMeasureAndFilteringMetrics(m *catalog.Metric) (*catalog.Measure, []*catalog.Metric) {
	filters := filteringMetrics(m)
	if len(filters) > 0 {
		m = filters[len(filters)-1].Derive.Base
	}
	if m.Window != nil && m.Window.Base.ForDialect(expressionDialect) != nil {
		return m.Window.Base.ForDialect(expressionDialect), filters
	}
	return m.Forms.ForDialect(expressionDialect).Operands[0].(*catalog.Measure), filters
}

// filteringMetrics lists the metrics of a chain of filters, without the one that they filter.
func filteringMetrics(m *catalog.Metric) []*catalog.Metric {
	var out []*catalog.Metric
	for m.Derive != nil && m.Derive.Base != nil {
		out = append(out, m)
		m = m.Derive.Base
	}
	return out
}

// timeAxisOf returns the time axis of a measure: the snapshots of a semi-additive one, else the
// one that a metric around it declares
// and all measures of that metric reach, else its home's own, else the only one
// among the homes of a metric around it where the measure reaches that. It is nil
// when there is none.
func (e *evaluator) timeAxisOf(l measureInMetric) *catalog.Field {
	chain, home := l.chain, l.measure.Home
	if l.measure.NonAdditive != nil {
		return l.measure.NonAdditive.By
	}
	for _, m := range chain {
		if m.TimeAxis == nil {
			continue
		}
		homes := homesOfMetric(m)
		reached := !slices.ContainsFunc(homes, func(d *catalog.Dataset) bool {
			return len(pathsBetween(e.cat, d, m.TimeAxis.Dataset, isSafeStep)) == 0
		})
		if reached || len(homes) == 1 {
			return m.TimeAxis
		}
	}
	if home.PrimaryTime != nil {
		return home.PrimaryTime
	}
	for i, m := range slices.Backward(chain) {
		var axes []*catalog.Field
		for _, d := range homesOfMetric(m) {
			if d.PrimaryTime != nil {
				axes = append(axes, d.PrimaryTime)
			}
		}
		if len(axes) == 1 && len(pathsBetween(e.cat, home, axes[0].Dataset, isSafeStep)) > 0 {
			if i < len(chain)-1 {
				abstain("an axis that only the metric around another has")
			}
			return axes[0]
		}
	}
	return nil
}

func homesOfMetric(m *catalog.Metric) []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, l := range measuresOfMetric(m, nil) {
		if !slices.Contains(out, l.measure.Home) {
			out = append(out, l.measure.Home)
		}
	}
	return out
}
