package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

func (w *writer) buildAggregate(n *plan.Aggregate) *block {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	if b.grouped || b.windowed || b.isFinal() {
		if b = w.asSubquery(b); b == nil {
			return nil
		}
	}
	out := &scope{cols: make([]col, 0, len(n.Keys)+len(n.Measures))}
	for i, k := range n.Keys {
		expr := k.Expr
		if w.d.key != nil {
			expr = w.d.key(b.out, expr)
		}
		out.cols = append(out.cols, col{name: k.Name, expr: expr, scope: b.out, typ: k.Type, key: i + 1})
	}
	for _, m := range n.Measures {
		out.cols = append(out.cols, col{name: m.Name, expr: m.Expr, scope: b.out, typ: m.Type})
	}
	if len(out.cols) == 0 {
		w.invalid("an aggregate computes nothing")
		return nil
	}
	b.grouped, b.keys, b.out = true, out.cols[:len(n.Keys)], out
	return b
}

func (w *writer) buildProject(n *plan.Project) *block {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	if b.isFinal() || b.grouped && !canProjectInPlace(b, n.Cols) {
		if b = w.asSubquery(b); b == nil {
			return nil
		}
	}
	out := &scope{cols: make([]col, len(n.Cols))}
	for i, c := range n.Cols {
		out.cols[i] = col{name: c.Name, expr: c.Expr, scope: b.out, typ: c.Type}
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
func canProjectInPlace(b *block, cols []plan.Named) bool {
	for i := range b.keys {
		if constantKey(&b.keys[i]) && !keepsKey(b, cols, i+1) {
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

func keepsKey(b *block, cols []plan.Named, key int) bool {
	for _, c := range cols {
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.has(r.ID) && b.out.cols[r.ID].key == key {
			return true
		}
	}
	return false
}

// asSubquery makes a block the only table of a new one.
func (w *writer) asSubquery(b *block) *block {
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
	return &block{from: derived{b, alias}, out: &scope{cols: out}}
}

// aliasPrefix names a derived table after what it holds.
func (b *block) aliasPrefix() string {
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
func columnsOf(alias string, cols []col) []col {
	out := make([]col, len(cols))
	for i := range cols {
		out[i] = col{name: cols[i].name, expr: columnExpr(alias, cols[i].name), typ: cols[i].typ, proven: cols[i].knownType()}
	}
	return out
}

func columnExpr(alias, name string) *sqlexpr.Column {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: alias, Quoted: true}, {Text: name, Quoted: true}}}
}
