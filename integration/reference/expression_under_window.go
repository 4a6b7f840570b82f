package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// expressionUnderWindow is the expression under a window, over measures.
type expressionUnderWindow struct {
	leaves []*measureUnderWindow
	// value is the expression over the rows of each leaf.
	value func(rowsByLeaf) Value
}

// measureUnderWindow is one measure of a base.
type measureUnderWindow struct {
	*measureLeaf
	home      string // the path to the home's rows in a joined row
	isAtLevel bool   // a metric at another level reads it: the window sees the value of that metric alone
}

// rowsByLeaf are rows of the leaves of a base.
type rowsByLeaf map[*measureUnderWindow][]branchRow

// expressionUnderWindowOf returns the base of a windowed metric.
func (e *evaluator) expressionUnderWindowOf(m *catalog.Metric, chain []*catalog.Metric, c metricColumn) *expressionUnderWindow {
	b := &expressionUnderWindow{}
	b.value = b.addMetricLeaves(e, m, m, chain, c)
	return b
}

// setAtLevel marks the leaves from an index on as those of a metric at another level.
func (b *expressionUnderWindow) setAtLevel(from int) {
	for _, leaf := range b.leaves[from:] {
		leaf.isAtLevel = true
	}
}

// addMetricLeaves adds the leaves of a metric to the base and returns its value over their rows. The metric with the
// window is its own base, without what fills its missing values.
func (b *expressionUnderWindow) addMetricLeaves(e *evaluator, windowed, m *catalog.Metric, chain []*catalog.Metric, c metricColumn) func(rowsByLeaf) Value {
	filled := func(at func(rowsByLeaf) Value) func(rowsByLeaf) Value {
		if m == windowed || m.Fill == "" {
			return at
		}
		return func(rows rowsByLeaf) Value {
			if v := at(rows); v != nil {
				return v
			}
			return parseNumberLiteral(m.Fill)
		}
	}
	if m == windowed && !hasWindowOverExpression(m) || m.Derive != nil && m.Derive.Base != nil {
		root, filters := findMeasureAndFilteringMetrics(m)
		return filled(b.addMeasureLeaf(e, e.newMeasureLeaf(windowed, measureInMetric{chain, root, windowed.Window}, filters, c)))
	}
	form := m.Forms.ForDialect(expressionDialect)
	operands := make([]func(rowsByLeaf) Value, len(form.Operands))
	for i, o := range form.Operands {
		from := len(b.leaves)
		switch o := o.(type) {
		case *catalog.Measure:
			operands[i] = b.addMeasureLeaf(e, e.newMeasureLeaf(windowed, measureInMetric{chain, o, windowed.Window}, nil, c))
		case *catalog.Metric:
			operands[i] = b.addMetricLeaves(e, windowed, o, append(slices.Clone(chain), o), c)
		}
		if m.At != nil && !e.hasOwnRowsAtLevel(m, i) {
			b.setAtLevel(from)
		}
	}
	return filled(func(rows rowsByLeaf) Value {
		return evalContext{
			param: c.binding.lookupForMetric(m),
			ref: func(i int) Value {
				v := operands[i](rows)
				if v == nil && m.Derive != nil && m.Derive.Fill != "" {
					return parseNumberLiteral(m.Derive.Fill)
				}
				return v
			},
		}.eval(form.Expr)
	})
}

// addMeasureLeaf adds a leaf and returns its aggregate over the leaf's rows.
func (b *expressionUnderWindow) addMeasureLeaf(e *evaluator, l *measureLeaf) func(rowsByLeaf) Value {
	leaf := &measureUnderWindow{measureLeaf: l}
	b.leaves = append(b.leaves, leaf)
	return func(rows rowsByLeaf) Value { return e.aggregateLeafOverGroup(l, rows[leaf], leaf.home) }
}
