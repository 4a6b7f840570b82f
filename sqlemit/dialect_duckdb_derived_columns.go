package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// derivedColumnFactsByName are the columns of the derived tables of a statement.
type derivedColumnFactsByName map[derivedColumnName]derivedColumnFacts

type derivedColumnName struct{ table, column string }

// derivedColumnFacts is what is known of the values of a column of a derived table.
type derivedColumnFacts struct {
	kind numberKind
	// origin is the only expression of the column, as originOf finds it, nil where it has several.
	origin *outputColumn
	// ambiguous: several derived tables have the name of this one.
	ambiguous bool
}

// findFacts is what is known of a column, which is of an unknown kind where it is of no derived table.
func (d derivedColumnFactsByName) findFacts(c *sqlexpr.Column) derivedColumnFacts {
	if len(c.Path) == 2 && c.Path[1].Quoted {
		if known, ok := d[derivedColumnName{c.Path[0].Text, c.Path[1].Text}]; ok {
			return known
		}
	}
	return derivedColumnFacts{kind: unknownKind}
}

// addFacts notes a column. Two tables of one name may be in different subqueries; unless they are one shared table, the wider kind
// is then that of both.
func (d derivedColumnFactsByName) addFacts(table, column string, c derivedColumnFacts) {
	name := derivedColumnName{table, column}
	if other, ok := d[name]; ok && (other != c || c.origin == nil) {
		c.origin, c.ambiguous = nil, true
		if other.kind == wideDecimalKind || c.kind != wideDecimalKind && other.kind < c.kind {
			c.kind = other.kind
		}
	}
	d[name] = c
}

// inspectDuckdbDecimals finds the kinds of the columns of all derived tables, the innermost first, and casts columns of
// unions.
func inspectDuckdbDecimals(w *writer, b *selectBlock) {
	w.derivedColumns = derivedColumnFactsByName{}
	for i := range w.common {
		w.inspectDecimalsOfBlock(w.common[i].block)
	}
	w.inspectDecimalsOfBlock(b)
}

func (w *writer) inspectDecimalsOfBlock(b *selectBlock) {
	if b == nil || w.shouldStopPrinting() {
		return
	}
	w.inspectDecimalsOfSource(b.from)
	for _, p := range b.where {
		if p.member != nil {
			w.inspectDecimalsOfBlock(p.member.rows)
		}
	}
}

func (w *writer) inspectDecimalsOfSource(s fromSource) {
	switch s := s.(type) {
	case joinTree:
		w.inspectDecimalsOfJoinTree(s.node)
	case derivedTable:
		w.inspectDecimalsOfBlock(s.block)
		w.recordDerivedColumnFacts(s.alias, s.block)
	case crossJoinedTables:
		for _, t := range s.tables {
			w.inspectDecimalsOfSource(t)
		}
	case *blockUnion:
		for _, arm := range s.arms {
			w.inspectDecimalsOfBlock(arm)
		}
		for i := range s.arms[0].out.cols {
			w.inspectDecimalsOfUnionColumn(s, i)
		}
	}
}

func (w *writer) recordDerivedColumnFacts(alias string, b *selectBlock) {
	if b == nil || b.out == nil {
		return
	}
	known := make([]derivedColumnFacts, len(b.out.cols))
	for i := range b.out.cols {
		c := &b.out.cols[i]
		known[i] = derivedColumnFacts{kind: w.numberKindOf(c.scope, c.expr), origin: w.originOf(c)}
	}
	// A table inside may have the same alias: its columns are read before those of this one are known.
	for i := range known {
		w.derivedColumns.addFacts(alias, b.out.cols[i].name, known[i])
	}
	clear(w.numberKinds)
}

// inspectDecimalsOfUnionColumn notes a column of a union. Where the branches have decimals that may differ in scale, the column of
// one branch is cast to DOUBLE, as UNION combines types as CASE does.
func (w *writer) inspectDecimalsOfUnionColumn(u *blockUnion, at int) {
	values := make([]outputColumn, len(u.arms))
	all := derivedColumnFacts{kind: nullKind}
	for i, arm := range u.arms {
		values[i] = arm.out.cols[at]
		kind := w.numberKindOf(values[i].scope, values[i].expr)
		if kind == nullKind {
			continue
		}
		if all.kind == nullKind {
			all.origin = w.originOf(&values[i])
		} else if all.origin != nil && !w.haveSameDecimalType(all.origin, &values[i]) {
			all.origin = nil
		}
		all.kind = commonNumberKind(all.kind, kind)
	}
	if i := w.findDecimalColumnToCast(values); i >= 0 && values[i].key == 0 {
		out := &columnScope{cols: append([]outputColumn(nil), u.arms[i].out.cols...)}
		out.cols[at].expr = newCast(values[i].expr, sqlexpr.TypeFloat)
		u.arms[i].out = out
		all = derivedColumnFacts{kind: doubleKind}
	}
	w.derivedColumns.addFacts(u.alias, u.arms[0].out.cols[at].name, all)
}

// inspectDecimalsOfJoinTree goes through the derived tables of a tree of joins.
func (w *writer) inspectDecimalsOfJoinTree(n plan.Node) {
	switch n := n.(type) {
	case *plan.Derived:
		b := w.derived[n]
		if n.Shared {
			if c := w.findCommonTable(n.Input); c != nil {
				b = c.block
			}
		} else {
			w.inspectDecimalsOfBlock(b)
		}
		w.recordDerivedColumnFacts(n.Alias, b)
	case *plan.Filter:
		w.inspectDecimalsOfJoinTree(n.Input)
	case *plan.SemiJoin:
		w.inspectDecimalsOfJoinTree(n.Input)
	case *plan.Join:
		w.inspectDecimalsOfJoinTree(n.Left)
		w.inspectDecimalsOfJoinTree(n.Right)
	}
}
