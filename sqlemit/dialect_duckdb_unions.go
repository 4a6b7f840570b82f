package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// inspectDuckdbDecimals lists the derived tables and casts columns of unions.
func inspectDuckdbDecimals(w *writer, b *selectBlock) {
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
	case *derivedTable:
		w.inspectDecimalsOfBlock(s.block)
		w.listDerivedBlock(s.alias, s.block)
	case crossJoinedTables:
		for _, t := range s.tables {
			w.inspectDecimalsOfSource(t)
		}
	case *blockUnion:
		for _, arm := range s.arms {
			w.inspectDecimalsOfBlock(arm)
		}
		for i := range s.arms[0].out.cols {
			w.castUnionColumn(s, i)
		}
		w.listDerivedTable(derivedRows{alias: s.alias, union: s})
	}
}

func (w *writer) listDerivedBlock(alias string, b *selectBlock) {
	if b != nil && b.out != nil {
		w.listDerivedTable(derivedRows{alias: alias, block: b})
	}
}

func (w *writer) listDerivedTable(t derivedRows) {
	w.derivedColumns.tables = append(w.derivedColumns.tables, t)
	w.derivedColumns.visible = len(w.derivedColumns.tables)
}

// castUnionColumn casts the column of one branch to DOUBLE where the branches have decimals that may differ in scale,
// as UNION combines types as CASE does.
func (w *writer) castUnionColumn(u *blockUnion, at int) {
	several, computed := 0, false
	for _, arm := range u.arms {
		c := &arm.out.cols[at]
		computed = computed || c.key == 0
		if !isExactConstant(c.expr) {
			several++
		}
	}
	if several < 2 || !computed || isNoNumber(u.arms[0].out.cols[at].reliableType()) {
		return
	}
	values := w.memory.newColumns(len(u.arms))
	for _, arm := range u.arms {
		values = append(values, arm.out.cols[at])
	}
	i := w.findDecimalColumnToCast(values)
	if i < 0 || values[i].key != 0 {
		return
	}
	out := &columnScope{cols: append([]outputColumn(nil), u.arms[i].out.cols...)}
	out.cols[at].expr = newCast(values[i].expr, sqlexpr.TypeFloat)
	u.arms[i].out = out
}

// isNoNumber reports whether a type is known and not numeric.
func isNoNumber(t sqlexpr.Type) bool { return t != sqlexpr.TypeUnknown && !t.IsNumeric() }

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
		w.listDerivedBlock(n.Alias, b)
	case *plan.Filter:
		w.inspectDecimalsOfJoinTree(n.Input)
	case *plan.SemiJoin:
		w.inspectDecimalsOfJoinTree(n.Input)
	case *plan.Join:
		w.inspectDecimalsOfJoinTree(n.Left)
		w.inspectDecimalsOfJoinTree(n.Right)
	}
}
