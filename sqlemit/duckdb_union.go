package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// inspectDerivedTables lists the derived tables, for numberKindOf, and casts columns of unions for a dialect whose unions round decimals.
func inspectDerivedTables(w *writer, b *selectBlock) {
	for i := range w.common {
		w.castUnionDecimalsOfBlock(w.common[i].block)
	}
	w.castUnionDecimalsOfBlock(b)
}

func (w *writer) castUnionDecimalsOfBlock(b *selectBlock) {
	if b == nil || w.shouldStopPrinting() {
		return
	}
	w.castUnionDecimalsOfSource(b.from)
	for _, p := range b.where {
		if p.member != nil {
			w.castUnionDecimalsOfBlock(p.member.rows)
		}
	}
}

func (w *writer) castUnionDecimalsOfSource(s fromSource) {
	switch s := s.(type) {
	case joinTree:
		w.castUnionDecimalsOfJoinTree(s.node)
	case *derivedTable:
		w.castUnionDecimalsOfBlock(s.block)
		w.recordDerivedBlockForTypeInference(s.alias, s.block)
	case crossJoin:
		for _, t := range s.tables {
			w.castUnionDecimalsOfSource(t)
		}
	case *blockUnion:
		for _, arm := range s.arms {
			w.castUnionDecimalsOfBlock(arm)
		}
		if w.d.unionsRoundDecimals {
			for i := range s.arms[0].out.cols {
				w.castUnionDecimalColumn(s, i)
			}
		}
		w.recordDerivedTableForTypeInference(derivedTableColumnTypes{alias: s.alias, union: s})
	}
}

func (w *writer) recordDerivedBlockForTypeInference(alias string, b *selectBlock) {
	if b != nil && b.out != nil {
		w.recordDerivedTableForTypeInference(derivedTableColumnTypes{alias: alias, block: b})
	}
}

func (w *writer) recordDerivedTableForTypeInference(t derivedTableColumnTypes) {
	w.derivedColumns.tables = append(w.derivedColumns.tables, t)
	w.derivedColumns.visible = len(w.derivedColumns.tables)
}

// castUnionDecimalColumn casts the column of one branch to DOUBLE where the branches have decimals that may differ in scale,
// as UNION combines types as CASE does.
func (w *writer) castUnionDecimalColumn(u *blockUnion, at int) {
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
	i := w.findColumnToCastToDouble(values)
	if i < 0 || values[i].key != 0 {
		return
	}
	out := &columnScope{cols: append([]outputColumn(nil), u.arms[i].out.cols...)}
	out.cols[at].expr = newCast(values[i].expr, sqlexpr.TypeFloat)
	u.arms[i].out = out
}

// isNoNumber reports whether a type is known and not numeric.
func isNoNumber(t sqlexpr.Type) bool { return t != sqlexpr.TypeUnknown && !t.IsNumeric() }

// castUnionDecimalsOfJoinTree goes through the derived tables of a tree of joins.
func (w *writer) castUnionDecimalsOfJoinTree(n plan.Node) {
	switch n := n.(type) {
	case *plan.Derived:
		b := w.derived[n]
		if n.Shared {
			if c := w.findCommonTable(n.Input); c != nil {
				b = c.block
			}
		} else {
			w.castUnionDecimalsOfBlock(b)
		}
		w.recordDerivedBlockForTypeInference(n.Alias, b)
	case *plan.Filter:
		w.castUnionDecimalsOfJoinTree(n.Input)
	case *plan.SemiJoin:
		w.castUnionDecimalsOfJoinTree(n.Input)
	case *plan.Join:
		w.castUnionDecimalsOfJoinTree(n.Left)
		w.castUnionDecimalsOfJoinTree(n.Right)
	}
}
