package plan

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// DependsOnTextOrder returns the first rollup of which a plan reads a column of texts whose order is not that of their bytes, where the plan orders texts
// at all: it sorts by them, compares which is greater, or takes the least; "" for none. Unordered are the columns by rollup.
func DependsOnTextOrder(root Node, unordered map[string][]string) string {
	o := textOrder{unordered: unordered, rollups: map[string]string{}, seen: map[Node]bool{}}
	o.visit(root)
	if !o.orders {
		return ""
	}
	return o.reads
}

// ReadsRollupsAlone reports whether a plan scans no table beside those of rollups, such as one of a calendar.
func ReadsRollupsAlone(root Node) bool {
	if scan, ok := root.(*Scan); ok {
		return scan.Rollup != ""
	}
	return !slices.ContainsFunc(root.Inputs(), func(in Node) bool { return !ReadsRollupsAlone(in) })
}

// textOrder collects what a plan reads of unordered columns, and whether it orders texts.
type textOrder struct {
	unordered map[string][]string
	rollups   map[string]string // by the alias of their scan
	seen      map[Node]bool
	reads     string // the first rollup with an unordered column that is read
	orders    bool
}

func (o *textOrder) visit(n Node) {
	if n == nil || o.seen[n] {
		return
	}
	o.seen[n] = true
	if scan, ok := n.(*Scan); ok && scan.Rollup != "" {
		o.rollups[scan.Alias] = scan.Rollup
	}
	for _, in := range n.Inputs() {
		o.visit(in)
	}
	if sort, ok := n.(*Sort); ok {
		columns := n.Schema()
		o.orders = o.orders || slices.ContainsFunc(sort.Keys, func(k SortKey) bool { return mayBeText(columns[k.Col].Type) })
	}
	typeOf := func(e sqlexpr.Expr) sqlexpr.Type {
		return sqlexpr.TypeOf(e, func(x sqlexpr.Expr) sqlexpr.Type { return o.typeOfLeaf(n, x) })
	}
	for _, e := range expressionsOf(n) {
		sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
			o.noteRead(x)
			o.orders = o.orders || slices.ContainsFunc(orderedOperands(x), func(operand sqlexpr.Expr) bool { return mayBeText(typeOf(operand)) })
			return true
		})
	}
}

// noteRead notes a column of a rollup that is unordered.
func (o *textOrder) noteRead(x sqlexpr.Expr) {
	if name, ok := o.unorderedColumn(x); ok && o.reads == "" {
		o.reads = name
	}
}

// unorderedColumn returns the rollup of an unordered column.
func (o *textOrder) unorderedColumn(x sqlexpr.Expr) (rollup string, ok bool) {
	c, isColumn := x.(*sqlexpr.Column)
	if !isColumn || len(c.Path) != 2 {
		return "", false
	}
	rollup = o.rollups[c.Path[0].Text]
	return rollup, slices.Contains(o.unordered[rollup], c.Path[1].Text)
}

// typeOfLeaf returns the type of a reference or a column that a node reads. A column of a rollup is a text if it is unordered.
func (o *textOrder) typeOfLeaf(n Node, x sqlexpr.Expr) sqlexpr.Type {
	switch x := x.(type) {
	case *sqlexpr.Ref:
		if in := n.Inputs(); len(in) > 0 {
			if columns := in[0].Schema(); x.ID >= 0 && x.ID < len(columns) {
				return columns[x.ID].Type
			}
		}
	case *sqlexpr.Column:
		if _, ok := o.unorderedColumn(x); ok {
			return sqlexpr.TypeString
		}
		if len(x.Path) == 2 && o.rollups[x.Path[0].Text] != "" {
			return sqlexpr.TypeInt // of any type whose order engines agree on
		}
	}
	return sqlexpr.TypeUnknown
}

func mayBeText(t sqlexpr.Type) bool { return t == sqlexpr.TypeString || t == sqlexpr.TypeUnknown }

// orderedOperands returns the operands of an expression of which it needs the order.
func orderedOperands(e sqlexpr.Expr) []sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpLt, sqlexpr.OpLe, sqlexpr.OpGt, sqlexpr.OpGe:
			return []sqlexpr.Expr{e.L, e.R}
		}
	case *sqlexpr.Between:
		return []sqlexpr.Expr{e.X, e.Lo, e.Hi}
	case *sqlexpr.Call:
		switch e.Fn {
		case sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnGreatest, sqlexpr.FnLeast, sqlexpr.FnListagg, sqlexpr.FnPercentileDisc, sqlexpr.FnUnknown:
			return e.Args
		}
	case *sqlexpr.WindowCall:
		out := make([]sqlexpr.Expr, len(e.Order))
		for i, item := range e.Order {
			out[i] = item.X
		}
		return out
	}
	return nil
}
