package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

func (w *writer) buildAggregate(n *plan.Aggregate) *selectBlock {
	b := w.buildGroupByInput(n.Input)
	if b == nil {
		return nil
	}
	out := w.memory.newColumnScope(w.memory.newColumns(len(n.Keys) + len(n.Measures)))
	out.cols = w.appendGroupKeyColumns(out.cols, b, n.Keys)
	out.cols = appendMeasureColumns(out.cols, b, n.Measures)
	if len(out.cols) == 0 {
		w.recordInternalError("an aggregate computes nothing")
		return nil
	}
	b.grouped, b.keys, b.out = true, out.cols[:len(n.Keys)], out
	return b
}

// buildGroupByInput builds the input of a grouping.
func (w *writer) buildGroupByInput(n plan.Node) *selectBlock {
	b := w.buildBlock(n)
	if b != nil && (b.grouped || b.windowed || b.isLimitedOrOrdered()) {
		b = w.wrapInBlock(b)
	}
	return b
}

// appendGroupKeyColumns appends the keys of a grouping of b.
func (w *writer) appendGroupKeyColumns(cols []outputColumn, b *selectBlock, keys []plan.NamedExpr) []outputColumn {
	for i, k := range keys {
		expr := k.Expr
		if w.d.key != nil {
			expr = w.d.key(b.out, expr)
		}
		cols = append(cols, outputColumn{name: k.Name, expr: expr, scope: b.out, typ: k.Type, key: i + 1})
	}
	return cols
}

// appendMeasureColumns appends the aggregates of a grouping of b.
func appendMeasureColumns(cols []outputColumn, b *selectBlock, measures []plan.NamedExpr) []outputColumn {
	for _, m := range measures {
		cols = append(cols, outputColumn{name: m.Name, expr: m.Expr, scope: b.out, typ: m.Type})
	}
	return cols
}

func (w *writer) buildProject(n *plan.Project) *selectBlock {
	b := w.buildBlock(n.Input)
	if b == nil {
		return nil
	}
	if b.isLimitedOrOrdered() || b.grouped && !canProjectInPlace(b, n.Cols) {
		if b = w.wrapInBlock(b); b == nil {
			return nil
		}
	}
	out := w.memory.newColumnScope(w.memory.newColumns(len(n.Cols)))
	for _, c := range n.Cols {
		column := outputColumn{name: c.Name, expr: c.Expr, scope: b.out, typ: c.Type}
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.hasColumnID(r.ID) {
			column = b.out.cols[r.ID]
			column.name = c.Name
		}
		out.cols = append(out.cols, column)
	}
	b.out = out
	return b
}

// canProjectInPlace reports whether a grouped block can select these columns itself:
// every constant key keeps its place in the select list, no computed key
// is inside a larger expression or selected twice, and one of the columns has an aggregate where
// nothing else makes the SELECT one of groups.
func canProjectInPlace(b *selectBlock, cols []plan.NamedExpr) bool {
	if selectsComputedKeyTwice(b, cols) || len(b.keys) == 0 && !anyColumnReadsAggregate(b.out, cols) {
		return false
	}
	for i := range b.keys {
		if isConstantKey(&b.keys[i]) && !projectsKeyUnchanged(b, cols, i+1) {
			return false
		}
	}
	for _, c := range cols {
		if _, bare := c.Expr.(*sqlexpr.Ref); !bare && b.sets != nil && readsGroupKey(b.out, c.Expr) {
			return false
		}
		if _, bare := c.Expr.(*sqlexpr.Ref); !bare && usesComputedKey(b.out, c.Expr) {
			return false
		}
	}
	return true
}

// anyColumnReadsAggregate reports whether one of several columns over a grouped block has an aggregate of it.
func anyColumnReadsAggregate(s *columnScope, cols []plan.NamedExpr) bool {
	return slices.ContainsFunc(cols, func(c plan.NamedExpr) bool { return hasAggregateInScope(s, c.Expr) })
}

func hasAggregateInScope(s *columnScope, e sqlexpr.Expr) bool {
	found := false
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Call:
			found = found || sqlexpr.InfoOfFunction(x.Fn).Class == sqlexpr.ClassAggregate
		case *sqlexpr.Ref:
			if s.hasColumnID(x.ID) {
				c := &s.cols[x.ID]
				found = found || c.scope != s && hasAggregateInScope(c.scope, c.expr)
			}
		}
		return !found
	})
	return found
}

// selectsComputedKeyTwice reports whether two columns are one computed key. GROUP BY names the first
// of them, and several engines do not recognise the second as a key.
func selectsComputedKeyTwice(b *selectBlock, cols []plan.NamedExpr) bool {
	var selected []int
	for _, c := range cols {
		r, bare := c.Expr.(*sqlexpr.Ref)
		if !bare || !b.out.hasColumnID(r.ID) || b.out.cols[r.ID].key == 0 || isPlainInputColumn(&b.out.cols[r.ID]) {
			continue
		}
		key := b.out.cols[r.ID].key
		if slices.Contains(selected, key) {
			return true
		}
		selected = append(selected, key)
	}
	return false
}

func projectsKeyUnchanged(b *selectBlock, cols []plan.NamedExpr, key int) bool {
	for _, c := range cols {
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.hasColumnID(r.ID) && b.out.cols[r.ID].key == key {
			return true
		}
	}
	return false
}

// wrapInBlock makes a block the only table of a new one.
func (w *writer) wrapInBlock(b *selectBlock) *selectBlock {
	if b == nil {
		return nil
	}
	if b.out == nil {
		w.recordInternalError("a table is used where columns are needed")
		return nil
	}
	alias := w.uniqueAlias(b.derivedTableAliasPrefix())
	makeColumnNamesUnique(b.out.cols)
	out := w.outerColumnsOfDerived(alias, b.out.cols)
	return w.memory.newBlock(selectBlock{from: w.memory.newDerivedTable(b, alias), out: w.memory.newColumnScope(out)})
}

// derivedTableAliasPrefix names a derived table after what it holds.
func (b *selectBlock) derivedTableAliasPrefix() string {
	switch {
	case b.windowed:
		return "windowed"
	case b.grouped:
		return "grouped"
	}
	return "selected"
}

// outerColumnsOfDerived returns the columns of a derived table as the block around it sees
// them.
func (w *writer) outerColumnsOfDerived(alias string, cols []outputColumn) []outputColumn {
	out, names := w.memory.newColumns(len(cols)), w.memory.newDerivedColumnExprs(len(cols))
	for i := range cols {
		c, name := &cols[i], &names[i]
		name.parts = [2]sqlexpr.Name{{Text: alias, Quoted: true}, {Text: c.name, Quoted: true}}
		name.Path = name.parts[:]
		out = append(out, outputColumn{name: c.name, expr: &name.Column, typ: c.typ, proven: c.reliableType()})
	}
	return out
}

func newColumnOfAlias(alias, name string) *sqlexpr.Column {
	return sqlexpr.NewTwoPartColumn(alias, sqlexpr.Name{Text: name, Quoted: true})
}
