package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// windowBase is the expression under a window, over measures.
type windowBase struct {
	leaves []*baseLeaf
	// value is the expression over the rows of each leaf.
	value func(rowsByLeaf) Value
}

// baseLeaf is one measure of a base.
type baseLeaf struct {
	*measureLeaf
	home string // the path to the home's rows in a joined row
}

// rowsByLeaf are rows of the leaves of a base.
type rowsByLeaf map[*baseLeaf][]branchRow

// windowBaseOf is the base of a windowed metric.
func (e *evaluator) windowBaseOf(m *catalog.Metric, chain []*catalog.Metric, c column) *windowBase {
	b := &windowBase{}
	b.value = b.compile(e, m, m, chain, c)
	return b
}

// compile adds the leaves of a metric to the base and returns its value over their rows. The metric with the
// window is its own base, without what fills its missing values.
func (b *windowBase) compile(e *evaluator, windowed, m *catalog.Metric, chain []*catalog.Metric, c column) func(rowsByLeaf) Value {
	filled := func(at func(rowsByLeaf) Value) func(rowsByLeaf) Value {
		if m == windowed || m.Fill == "" {
			return at
		}
		return func(rows rowsByLeaf) Value {
			if v := at(rows); v != nil {
				return v
			}
			return literalNumber(m.Fill)
		}
	}
	if m == windowed && !hasExpressionBase(m) || m.Derive != nil && m.Derive.Base != nil {
		root, filters := rootMeasure(m)
		return filled(b.leafValue(e, e.newMeasureLeaf(windowed, measureUse{chain, root, windowed.Window}, filters, c)))
	}
	form := m.Forms.ForDialect(expressionDialect)
	operands := make([]func(rowsByLeaf) Value, len(form.Operands))
	for i, o := range form.Operands {
		switch o := o.(type) {
		case *catalog.Measure:
			operands[i] = b.leafValue(e, e.newMeasureLeaf(windowed, measureUse{chain, o, windowed.Window}, nil, c))
		case *catalog.Metric:
			operands[i] = b.compile(e, windowed, o, append(slices.Clone(chain), o), c)
		}
	}
	return filled(func(rows rowsByLeaf) Value {
		return evalContext{
			param: c.binding.metricLookup(m),
			ref: func(i int) Value {
				v := operands[i](rows)
				if v == nil && m.Derive != nil && m.Derive.Fill != "" {
					return literalNumber(m.Derive.Fill)
				}
				return v
			},
		}.eval(form.Expr)
	})
}

// leafValue adds a leaf and returns its aggregate over the leaf's rows.
func (b *windowBase) leafValue(e *evaluator, l *measureLeaf) func(rowsByLeaf) Value {
	leaf := &baseLeaf{measureLeaf: l}
	b.leaves = append(b.leaves, leaf)
	return func(rows rowsByLeaf) Value { return e.aggregateMeasure(l, rows[leaf], leaf.home) }
}

// baseRows are the rows of the base by group, those that the window reads outside of the time range among them.
func (p *windowPopulation) baseRows() (map[string]rowsByLeaf, bool) {
	e, groups := p.e, map[string]rowsByLeaf{}
	all := *p
	for _, leaf := range p.base.leaves {
		leaf.grain, leaf.period = p.l.grain, p.l.period
		rows, home, ok := e.branchRows(leaf.measureLeaf)
		if !ok {
			return nil, false
		}
		leaf.home, all.l = home, leaf.measureLeaf
		if p.axis >= 0 && leaf.axis != nil && leaf.axis.Encoding != nil && leaf.timeRange.isBounded() && slices.ContainsFunc(rows, func(f branchRow) bool { return f.inTimeRange && f.dims[p.axis] == nil }) {
			abstain("a code in range that stands for no time, under a window")
		}
		reads := func(f branchRow) bool { return f.inTimeRange || all.readsOutsideRange(f) }
		rows = slices.DeleteFunc(rows, func(f branchRow) bool { return !reads(f) })
		for _, f := range e.withSnapshots(leaf.measureLeaf, rows, home, reads) {
			key := keyOf(f.dims...)
			if groups[key] == nil {
				groups[key] = rowsByLeaf{}
			}
			groups[key][leaf] = append(groups[key][leaf], f)
		}
	}
	return groups, true
}
