package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// groupingSetsStyle is how an engine groups rows by several sets of keys in one SELECT.
type groupingSetsStyle struct {
	// supported: GROUP BY takes GROUPING SETS.
	supported bool
	// dropsTotalOfNoRows: over no rows, the set without keys gives no row.
	dropsTotalOfNoRows bool
	// key is a key whose type has a NULL; nil where all types have one.
	nullableKey func(sqlexpr.Expr) sqlexpr.Expr
}

// Rows of several levels come from one SELECT where the engine has GROUPING SETS:
//
//	SELECT k1, k2, CASE WHEN GROUPING(k2) = 0 THEN 0 … END AS level, SUM(x)
//	FROM … GROUP BY GROUPING SETS ((k1, k2), (k1), ())
//
// Otherwise they come from one SELECT for each level:
//
//	SELECT k1, k2, 0 AS level, SUM(x) FROM … GROUP BY 1, 2
//	UNION ALL SELECT k1, NULL, 1, SUM(x) FROM … GROUP BY 1
//	UNION ALL SELECT NULL, NULL, 2, SUM(x) FROM …
func (w *writer) buildGroupingSets(n *plan.GroupingSets) *selectBlock {
	if !w.d.sets.supported {
		return w.buildUnionOfLevels(n)
	}
	b := w.buildGroupByInput(n.Input)
	if b == nil {
		return nil
	}
	cols := w.appendGroupKeyColumns(w.memory.newColumns(len(n.Keys)+1+len(n.Measures)), b, n.Keys)
	cols = appendMeasureColumns(append(cols, outputColumn{name: n.Level, typ: sqlexpr.TypeInt}), b, n.Measures)
	keys, level, measures := cols[:len(n.Keys)], &cols[len(n.Keys)], cols[len(n.Keys)+1:]
	if hasDuplicateKeyExpression(keys) || hasConstantKey(keys) {
		// The engine would take two equal keys for one, and a constant for a position.
		return w.buildUnionOfLevels(n)
	}
	if w.d.sets.nullableKey != nil {
		for i := range keys {
			keys[i].expr = w.d.sets.nullableKey(keys[i].expr)
		}
	}
	if !areAllPlainColumns(keys) || anyMeasureReadsKey(measures, keys) {
		if b = w.computeKeysInInnerBlock(b, keys, measures); b == nil {
			return nil
		}
	}
	level.expr, level.scope = groupingLevelExpr(n.Sets, keys), b.out
	b.grouped, b.sets, b.keys, b.out = true, n.Sets, keys, w.memory.newColumnScope(cols)
	if total := indexOfEmptyGroupingSet(n.Sets); total >= 0 && w.d.sets.dropsTotalOfNoRows {
		return w.mergeEmptyTotalRow(b, len(keys), total)
	}
	return b
}

// hasDuplicateKeyExpression reports whether two keys are the same expression, or the same input column under two names.
func hasDuplicateKeyExpression(keys []outputColumn) bool {
	for i := range keys {
		for j := range keys[:i] {
			if sqlexpr.Equal(keys[i].expr, keys[j].expr) || areSameInputColumn(&keys[i], &keys[j]) {
				return true
			}
		}
	}
	return false
}

// areSameInputColumn reports whether two columns are the same input column.
func areSameInputColumn(a, b *outputColumn) bool {
	x, y := plainInputColumn(a), plainInputColumn(b)
	return x != nil && y != nil && sqlexpr.Equal(x, y)
}

func hasConstantKey(keys []outputColumn) bool {
	for i := range keys {
		if isConstantKey(&keys[i]) {
			return true
		}
	}
	return false
}

func areAllPlainColumns(cols []outputColumn) bool {
	for i := range cols {
		if !isPlainInputColumn(&cols[i]) {
			return false
		}
	}
	return true
}

// anyMeasureReadsKey reports whether a measure reads the column that a key is. Some engines then
// aggregate the key as it is in the result, which is NULL in the rows of other sets.
func anyMeasureReadsKey(measures, keys []outputColumn) bool {
	found := false
	for i := range measures {
		sqlexpr.Walk(measures[i].expr, func(x sqlexpr.Expr) bool {
			for k := range keys {
				found = found || sqlexpr.Equal(x, keys[k].expr) || areSameInputColumn(&outputColumn{expr: x, scope: measures[i].scope}, &keys[k])
			}
			return !found
		})
	}
	return found
}

// computeKeysInInnerBlock puts a block around b in which the keys are columns, apart from those that the
// measures read. It rewrites keys and measures.
func (w *writer) computeKeysInInnerBlock(b *selectBlock, keys, measures []outputColumn) *selectBlock {
	cols := append(w.memory.newColumns(len(keys)+len(measures)), keys...)
	for i := range cols {
		cols[i].key = 0
	}
	for i := range measures {
		measures[i].expr = sqlexpr.Rewrite(measures[i].expr, func(x sqlexpr.Expr) sqlexpr.Expr {
			var name string
			switch x := x.(type) {
			case *sqlexpr.Column:
				name = x.Path[len(x.Path)-1].Text
			case *sqlexpr.Ref:
				if name = "value"; b.out.hasColumnID(x.ID) {
					name = b.out.cols[x.ID].name
				}
			default:
				return nil
			}
			var at int
			cols, at = findOrAddColumn(cols, len(keys), outputColumn{name: name, expr: x, scope: b.out})
			return &sqlexpr.Ref{ID: at}
		})
	}
	b.out = w.memory.newColumnScope(cols)
	if b = w.wrapInBlock(b); b == nil {
		return nil
	}
	refs := make([]sqlexpr.Ref, len(keys))
	for i := range keys {
		refs[i].ID = i
		keys[i].expr, keys[i].scope = &refs[i], b.out
	}
	for i := range measures {
		measures[i].scope = b.out
	}
	return b
}

// findOrAddColumn returns the position of a column among those from the first operand on, and adds it where it is missing.
func findOrAddColumn(cols []outputColumn, first int, c outputColumn) ([]outputColumn, int) {
	for i := first; i < len(cols); i++ {
		if sqlexpr.Equal(cols[i].expr, c.expr) {
			return cols, i
		}
	}
	return append(cols, c), len(cols)
}

// indexOfEmptyGroupingSet returns the index of the set without keys; -1 without one.
func indexOfEmptyGroupingSet(sets [][]int) int {
	for i, set := range sets {
		if len(set) == 0 {
			return i
		}
	}
	return -1
}

// mergeEmptyTotalRow adds an empty row of the level without keys and merges it into the row that
// the engine gives, if it gives one.
func (w *writer) mergeEmptyTotalRow(b *selectBlock, keys, level int) *selectBlock {
	makeColumnNamesUnique(b.out.cols)
	empty := make([]outputColumn, len(b.out.cols))
	for i := range empty {
		empty[i] = outputColumn{name: b.out.cols[i].name, expr: &sqlexpr.Null{}}
	}
	empty[keys].expr = newIntegerConstant(int64(level))
	u := &blockUnion{arms: []*selectBlock{b, {from: noTable{}, out: w.memory.newColumnScope(empty)}}, alias: w.uniqueAlias("levels")}
	out := w.outerColumnsOfDerived(u.alias, b.out.cols)
	for i := range out {
		c := &out[i]
		if i <= keys {
			c.key = i + 1
			continue
		}
		c.expr = newCall(sqlexpr.FnMax, c.expr)
		if isNeverNull(&b.out.cols[i]) {
			c.expr = newCall(sqlexpr.FnCoalesce, c.expr, newIntegerConstant(0))
		}
	}
	return w.memory.newBlock(selectBlock{from: u, grouped: true, keys: out[:keys+1], out: w.memory.newColumnScope(out)})
}

// buildUnionOfLevels has a SELECT for each level.
func (w *writer) buildUnionOfLevels(n *plan.GroupingSets) *selectBlock {
	arms := make([]*selectBlock, len(n.Sets))
	for level, set := range n.Sets {
		b := w.buildGroupByInput(n.Input)
		if b == nil {
			return nil
		}
		arms[level] = w.buildLevelBlock(b, n, level, set)
	}
	cols := arms[0].out.cols
	u := &blockUnion{arms: arms, alias: w.uniqueAlias("levels")}
	return w.memory.newBlock(selectBlock{from: u, out: w.memory.newColumnScope(w.outerColumnsOfDerived(u.alias, cols))})
}

// buildLevelBlock groups b by one set of keys.
func (w *writer) buildLevelBlock(b *selectBlock, n *plan.GroupingSets, level int, set []int) *selectBlock {
	out := w.appendGroupKeyColumns(w.memory.newColumns(len(n.Keys)+1+len(n.Measures)), b, n.Keys)
	keys := make([]outputColumn, len(set))
	for i := range out {
		out[i].key = 0
	}
	for i, key := range set {
		out[key].key = i + 1
		keys[i] = out[key]
	}
	for i := range out {
		if out[i].key == 0 {
			null := sqlexpr.Expr(&sqlexpr.Null{})
			if level == 0 && out[i].typ != sqlexpr.TypeUnknown {
				null = &sqlexpr.Cast{X: null, To: sqlexpr.TypeName{Type: out[i].typ}} // the first SELECT gives a UNION its types
			}
			out[i] = outputColumn{name: out[i].name, expr: null, typ: out[i].typ}
		}
	}
	out = append(out, outputColumn{name: n.Level, expr: newIntegerConstant(int64(level)), typ: sqlexpr.TypeInt})
	out = appendMeasureColumns(out, b, n.Measures)
	makeColumnNamesUnique(out)
	b.grouped, b.keys, b.out = true, keys, w.memory.newColumnScope(out)
	return b
}
