package sqlemit

import "github.com/semlayer/semlayer/planner/plan"

// build fuses a plan into blocks.
func (w *writer) build(n plan.Node) *selectBlock {
	if w.err != nil {
		return nil
	}
	switch n := n.(type) {
	case *plan.Scan, *plan.Derived:
		return &selectBlock{from: tableTree{n}}
	case *plan.Join:
		b := &selectBlock{from: tableTree{n}}
		w.hoistFilters(b, n.Left)
		return b
	case *plan.Filter:
		return w.buildFilter(n)
	case *plan.Aggregate:
		return w.buildAggregate(n)
	case *plan.Window:
		return w.buildWindow(n)
	case *plan.Combine:
		return w.buildCombine(n)
	case *plan.Project:
		return w.buildProject(n)
	case *plan.Sort:
		b := w.build(n.Input)
		if b == nil || b.hasLimit || b.offset > 0 {
			b = w.asSubquery(b)
		}
		if b != nil {
			b.order = n.Keys
		}
		return b
	case *plan.Offset:
		b := w.build(n.Input)
		if b != nil && b.hasLimit {
			b = w.asSubquery(b)
		}
		if b != nil {
			b.offset += n.N
		}
		return b
	case *plan.Limit:
		b := w.build(n.Input)
		if b != nil && b.hasLimit {
			b.limit = min(b.limit, n.N)
		} else if b != nil {
			b.hasLimit, b.limit = true, n.N
		}
		return b
	}
	w.invalid("a plan node is missing or of an unknown kind")
	return nil
}

// hoistFilters moves filters from the left side of joins into WHERE: rows that a
// filter takes from the left side have no part in the result either way.
func (w *writer) hoistFilters(b *selectBlock, left plan.Node) {
	switch n := left.(type) {
	case *plan.Join:
		w.hoistFilters(b, n.Left)
	case *plan.Filter:
		w.hoistFilters(b, n.Input)
		for _, c := range n.Conds {
			b.where = append(b.where, predicate{expr: c})
		}
	}
}

// isLimitedOrOrdered reports whether the block's rows are already chosen by a limit or an
// offset, or ordered: nothing but a new block may follow.
func (b *selectBlock) isLimitedOrOrdered() bool {
	return b.hasLimit || b.offset > 0 || len(b.order) > 0
}

func (w *writer) buildFilter(n *plan.Filter) *selectBlock {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	fits := !b.isLimitedOrOrdered() && !b.windowed
	for _, c := range n.Conds {
		fits = fits && (!b.grouped || readsOnlyKeys(b, c) || !usesComputedKey(b.out, c))
	}
	if !fits {
		if b = w.asSubquery(b); b == nil {
			return nil
		}
	}
	for _, c := range n.Conds {
		// A condition over group keys alone is true of a group exactly when it
		// is true of each of its rows, so it need not wait for the grouping.
		if b.grouped && !readsOnlyKeys(b, c) {
			if w.d.havingAmbiguousDuplicateNames {
				c = replaceKeysOfSameName(b.out, c)
			}
			b.having = append(b.having, predicate{c, b.out})
		} else {
			b.where = append(b.where, predicate{c, b.out})
		}
	}
	return b
}
