package sqlemit

import "github.com/semlayer/semlayer/planner/plan"

// buildBlock fuses a plan into blocks.
func (w *writer) buildBlock(n plan.Node) *selectBlock {
	if w.err != nil {
		return nil
	}
	switch n := n.(type) {
	case *plan.Scan:
		return w.memory.newBlock(selectBlock{from: joinTree{n}})
	case *plan.Derived:
		return w.memory.newBlock(selectBlock{from: joinTree{n}, out: columnScopeOfDerivedTable(n)})
	case *plan.Numbers:
		return w.buildIntegerSequence(n)
	case *plan.Repeat:
		return w.buildRepeat(n)
	case *plan.Join:
		b := w.memory.newBlock(selectBlock{from: joinTree{n}})
		w.moveFiltersBelowJoinsToWhere(b, n.Left)
		return b
	case *plan.Filter:
		return w.buildFilter(n)
	case *plan.Aggregate:
		return w.buildAggregate(n)
	case *plan.GroupingSets:
		return w.buildGroupingSets(n)
	case *plan.Snapshots:
		return w.buildSnapshots(n)
	case *plan.HomeRows:
		return w.buildDistinctHomeRows(n)
	case *plan.Window:
		return w.buildWindow(n)
	case *plan.Combine:
		return w.buildCombine(n)
	case *plan.Project:
		return w.buildProject(n)
	case *plan.Sort:
		b := w.buildBlock(n.Input)
		if b == nil || b.hasLimit || b.offset > 0 {
			b = w.wrapInBlock(b)
		}
		if b != nil {
			b.order = n.Keys
		}
		return b
	case *plan.FirstColumns:
		return w.buildKeptLeadingColumns(n)
	case *plan.SemiJoin:
		return w.buildSemiJoin(n)
	case *plan.Union:
		return w.buildRowsUnion(n)
	case *plan.Offset:
		b := w.buildBlock(n.Input)
		if b != nil && b.hasLimit {
			b = w.wrapInBlock(b)
		}
		if b != nil {
			b.offset += n.N
		}
		return b
	case *plan.Limit:
		b := w.buildBlock(n.Input)
		if b != nil && b.hasLimit {
			b.limit = min(b.limit, n.N)
		} else if b != nil {
			b.hasLimit, b.limit = true, n.N
		}
		return b
	}
	w.recordInternalError("a plan node is missing or of an unknown kind")
	return nil
}

// moveFiltersBelowJoinsToWhere moves filters from the left side of joins into WHERE: rows that a
// filter takes from the left side have no part in the result either way.
func (w *writer) moveFiltersBelowJoinsToWhere(b *selectBlock, left plan.Node) {
	switch n := left.(type) {
	case *plan.Join:
		w.moveFiltersBelowJoinsToWhere(b, n.Left)
	case *plan.Filter:
		w.moveFiltersBelowJoinsToWhere(b, n.Input)
		for _, c := range n.Conds {
			b.where = append(b.where, predicate{expr: c})
		}
	case *plan.SemiJoin:
		w.moveFiltersBelowJoinsToWhere(b, n.Input)
		if p := w.newSemiJoinPredicate(n); p.member != nil {
			b.where = append(b.where, p)
		}
	default: // the table itself
	}
}

// isLimitedOrOrdered reports whether the block's rows are already chosen by a limit or an
// offset, or ordered: nothing but a new block may follow.
func (b *selectBlock) isLimitedOrOrdered() bool {
	return b.hasLimit || b.offset > 0 || len(b.order) > 0
}

func (w *writer) buildFilter(n *plan.Filter) *selectBlock {
	b := w.buildBlock(n.Input)
	if b == nil {
		return nil
	}
	fits := !b.isLimitedOrOrdered() && !b.windowed && b.sets == nil
	for _, c := range n.Conds {
		fits = fits && (!b.grouped || readsOnlyKeys(b, c) || !usesComputedKey(b.out, c))
	}
	if !fits {
		if b = w.wrapInBlock(b); b == nil {
			return nil
		}
	}
	for _, c := range n.Conds {
		// A condition over group keys alone is true of a group exactly when it
		// is true of each of its rows, so it need not wait for the grouping.
		if b.grouped && !readsOnlyKeys(b, c) {
			if w.d.havingAmbiguousDuplicateNames {
				c = wrapSameNamedKeysInMax(b.out, c)
			}
			b.having = append(b.having, predicate{expr: c, in: b.out})
		} else {
			b.where = append(b.where, predicate{expr: c, in: b.out})
		}
	}
	return b
}

// columnScopeOfDerivedTable returns the columns of a derived table that is read by itself, without a join.
func columnScopeOfDerivedTable(n *plan.Derived) *columnScope {
	if n.Input == nil {
		return nil // an error of the table itself
	}
	schema := n.Schema()
	out := make([]outputColumn, len(schema))
	for i, c := range schema {
		out[i] = outputColumn{name: c.Name, expr: newColumnOfAlias(n.Alias, c.Name), typ: c.Type}
	}
	return &columnScope{cols: out}
}
