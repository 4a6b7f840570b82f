package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

func (w *writer) buildAggregate(n *plan.Aggregate) *selectBlock {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	if b.grouped || b.windowed || b.isLimitedOrOrdered() {
		if b = w.asSubquery(b); b == nil {
			return nil
		}
	}
	out := &columnScope{cols: make([]outputColumn, 0, len(n.Keys)+len(n.Measures))}
	for i, k := range n.Keys {
		expr := k.Expr
		if w.d.key != nil {
			expr = w.d.key(b.out, expr)
		}
		out.cols = append(out.cols, outputColumn{name: k.Name, expr: expr, scope: b.out, typ: k.Type, key: i + 1})
	}
	for _, m := range n.Measures {
		out.cols = append(out.cols, outputColumn{name: m.Name, expr: m.Expr, scope: b.out, typ: m.Type})
	}
	if len(out.cols) == 0 {
		w.invalid("an aggregate computes nothing")
		return nil
	}
	b.grouped, b.keys, b.out = true, out.cols[:len(n.Keys)], out
	return b
}

func (w *writer) buildProject(n *plan.Project) *selectBlock {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	if b.isLimitedOrOrdered() || b.grouped && !canProjectInPlace(b, n.Cols) {
		if b = w.asSubquery(b); b == nil {
			return nil
		}
	}
	out := &columnScope{cols: make([]outputColumn, len(n.Cols))}
	for i, c := range n.Cols {
		out.cols[i] = outputColumn{name: c.Name, expr: c.Expr, scope: b.out, typ: c.Type}
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.has(r.ID) {
			out.cols[i] = b.out.cols[r.ID]
			out.cols[i].name = c.Name
		}
	}
	b.out = out
	return b
}

// canProjectInPlace reports whether a grouped block can select these columns itself:
// every constant key keeps its place in the select list, and no computed key
// is inside a larger expression.
func canProjectInPlace(b *selectBlock, cols []plan.NamedExpr) bool {
	for i := range b.keys {
		if constantKey(&b.keys[i]) && !projectsKeyUnchanged(b, cols, i+1) {
			return false
		}
	}
	for _, c := range cols {
		if _, bare := c.Expr.(*sqlexpr.Ref); !bare && usesComputedKey(b.out, c.Expr) {
			return false
		}
	}
	return true
}

func projectsKeyUnchanged(b *selectBlock, cols []plan.NamedExpr, key int) bool {
	for _, c := range cols {
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.has(r.ID) && b.out.cols[r.ID].key == key {
			return true
		}
	}
	return false
}

// asSubquery makes a block the only table of a new one.
func (w *writer) asSubquery(b *selectBlock) *selectBlock {
	if b == nil {
		return nil
	}
	if b.out == nil {
		w.invalid("a table is used where columns are needed")
		return nil
	}
	alias := w.uniqueAlias(b.aliasPrefix())
	uniqueNames(b.out.cols)
	out := columnsOf(alias, b.out.cols)
	return &selectBlock{from: derived{b, alias}, out: &columnScope{cols: out}}
}

// aliasPrefix names a derived table after what it holds.
func (b *selectBlock) aliasPrefix() string {
	switch {
	case b.windowed:
		return "windowed"
	case b.grouped:
		return "grouped"
	}
	return "selected"
}

// columnsOf are the columns of a derived table as the block around it sees
// them.
func columnsOf(alias string, cols []outputColumn) []outputColumn {
	out := make([]outputColumn, len(cols))
	for i := range cols {
		out[i] = outputColumn{name: cols[i].name, expr: columnExpr(alias, cols[i].name), typ: cols[i].typ, proven: cols[i].knownType()}
	}
	return out
}

func columnExpr(alias, name string) *sqlexpr.Column {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: alias, Quoted: true}, {Text: name, Quoted: true}}}
}
