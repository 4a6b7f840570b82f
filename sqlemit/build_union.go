package sqlemit

import "github.com/semlayer/semlayer/planner/plan"

// buildRowsUnion has the rows of all inputs under one alias:
//
//	FROM (SELECT a … UNION ALL SELECT b …) AS united
func (w *writer) buildRowsUnion(n *plan.Union) *selectBlock {
	arms := make([]*selectBlock, len(n.Rows))
	for i, in := range n.Rows {
		b := w.buildBlock(in)
		if b != nil && (b.isLimitedOrOrdered() || b.grouped || b.windowed) {
			b = w.wrapInBlock(b)
		}
		if b == nil {
			return nil
		}
		if b.out == nil || i > 0 && len(b.out.cols) != len(arms[0].out.cols) {
			w.recordInternalError("a union of inputs that differ in the number of columns")
			return nil
		}
		arms[i] = b
	}
	cols := unionColumns(n.Schema())
	if w.d.union.prepare != nil && !w.d.union.prepare(w, arms, cols, len(cols)) {
		return nil
	}
	for _, b := range arms {
		own := append([]outputColumn(nil), b.out.cols...)
		for i := range own {
			own[i].name = cols[i].name
		}
		b.out = w.memory.newColumnScope(own)
	}
	u := &blockUnion{arms: arms, alias: w.uniqueAlias("united")}
	return w.memory.newBlock(selectBlock{from: u, out: w.memory.newColumnScope(w.outerColumnsOfDerived(u.alias, cols))})
}

// unionColumns returns the columns that the rows of a union have, with names that differ.
func unionColumns(s plan.Schema) []outputColumn {
	cols := make([]outputColumn, len(s))
	for i, c := range s {
		cols[i] = outputColumn{name: c.Name, typ: c.Type}
	}
	makeColumnNamesUnique(cols)
	return cols
}
