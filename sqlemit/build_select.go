package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

func (w *writer) buildAggregate(n *plan.Aggregate) *block {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	if b.grouped || b.windowed || b.cut() {
		if b = w.wrap(b); b == nil {
			return nil
		}
	}
	out := &scope{cols: make([]col, 0, len(n.Keys)+len(n.Measures))}
	for i, k := range n.Keys {
		expr := k.Expr
		if w.d.key != nil {
			expr = w.d.key(b.out, expr)
		}
		out.cols = append(out.cols, col{name: k.Name, expr: expr, in: b.out, typ: k.Type, key: i + 1})
	}
	for _, m := range n.Measures {
		out.cols = append(out.cols, col{name: m.Name, expr: m.Expr, in: b.out, typ: m.Type})
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
	if b.cut() || b.grouped && !projects(b, n.Cols) {
		if b = w.wrap(b); b == nil {
			return nil
		}
	}
	out := &scope{cols: make([]col, len(n.Cols))}
	for i, c := range n.Cols {
		out.cols[i] = col{name: c.Name, expr: c.Expr, in: b.out, typ: c.Type}
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.has(r.ID) {
			out.cols[i] = b.out.cols[r.ID]
			out.cols[i].name = c.Name
		}
	}
	b.out = out
	return b
}

// projects reports whether a grouped block can select these columns itself:
// every constant key keeps its place in the select list, and no computed key
// stands inside a larger expression.
func projects(b *block, cols []plan.Named) bool {
	for i := range b.keys {
		if constantKey(&b.keys[i]) && !keeps(b, cols, i+1) {
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

func keeps(b *block, cols []plan.Named, key int) bool {
	for _, c := range cols {
		if r, ok := c.Expr.(*sqlexpr.Ref); ok && b.out.has(r.ID) && b.out.cols[r.ID].key == key {
			return true
		}
	}
	return false
}

func (w *writer) buildWindow(n *plan.Window) *block {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	if b.out == nil {
		w.invalid("a window stands directly over a table")
		return nil
	}
	if b.grouped || b.windowed || b.cut() {
		if b = w.wrap(b); b == nil {
			return nil
		}
	}
	var specs []*sqlexpr.Over
	input := b.out
	out := &scope{cols: append(make([]col, 0, len(b.out.cols)+len(n.Funcs)), b.out.cols...)}
	for _, f := range n.Funcs {
		if limit := w.d.windowSpecs; limit > 0 {
			all := addSpecs(specs, f.Expr)
			if len(all) > limit && len(specs) > 0 {
				b.windowed, b.out = true, out
				if b = w.wrap(b); b == nil {
					return nil
				}
				input, out = b.out, &scope{cols: slices.Clone(b.out.cols)}
				all = addSpecs(nil, f.Expr)
			}
			specs = all
		}
		out.cols = append(out.cols, col{name: f.Name, expr: f.Expr, in: input, typ: f.Type})
	}
	b.windowed, b.out = true, out
	return b
}

// addSpecs adds the windows of an expression that differ from those listed in
// partition or order.
func addSpecs(specs []*sqlexpr.Over, e sqlexpr.Expr) []*sqlexpr.Over {
	specs = slices.Clip(specs)
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		o, ok := x.(*sqlexpr.Over)
		if ok && !slices.ContainsFunc(specs, func(s *sqlexpr.Over) bool { return sameSpec(s, o) }) {
			specs = append(specs, o)
		}
		return true
	})
	return specs
}

func sameSpec(a, b *sqlexpr.Over) bool {
	return slices.EqualFunc(a.Partition, b.Partition, sqlexpr.Equal) &&
		slices.EqualFunc(a.Order, b.Order, func(x, y sqlexpr.OrderItem) bool {
			return x.Desc == y.Desc && sqlexpr.Equal(x.X, y.X)
		})
}

// wrap makes a block the only table of a new one.
func (w *writer) wrap(b *block) *block {
	if b == nil {
		return nil
	}
	if b.out == nil {
		w.invalid("a table stands where columns are needed")
		return nil
	}
	alias := w.fresh(b.kind())
	uniqueNames(b.out.cols)
	out := columnsOf(alias, b.out.cols)
	return &block{from: derived{b, alias}, out: &scope{cols: out}}
}

// kind names a derived table after what it holds.
func (b *block) kind() string {
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
		out[i] = col{name: cols[i].name, expr: columnExpr(alias, cols[i].name), typ: cols[i].typ, proven: cols[i].known()}
	}
	return out
}

func columnExpr(alias, name string) *sqlexpr.Column {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: alias, Quoted: true}, {Text: name, Quoted: true}}}
}

// fresh returns an alias that no table of the statement has.
func (w *writer) fresh(base string) string { return w.names.free(base) }

// aliasesOf are the aliases that the plan itself gives.
func aliasesOf(root plan.Node) *nameSet {
	s := newNameSet(8)
	s.scan(root)
	return s
}

func (s *nameSet) scan(n plan.Node) {
	switch n := n.(type) {
	case nil:
	case *plan.Scan:
		s.add(n.Alias)
	case *plan.Derived:
		s.add(n.Alias)
		s.scan(n.Input)
	case *plan.Join:
		s.scan(n.Left)
		s.scan(n.Right)
	default:
		for _, in := range n.Inputs() {
			s.scan(in)
		}
	}
}
