package barrier

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Guard returns a plan whose conditions over ruled datasets wait for the rules. The catalog types the columns of tables.
func Guard(cat *catalog.Catalog, root plan.Node) plan.Node {
	return plan.Rewrite(root, func(n plan.Node) plan.Node {
		switch n := n.(type) {
		case *plan.Filter:
			return guardFilter(cat, n)
		case *plan.SemiJoin:
			return guardSemiJoin(cat, n)
		case *plan.Join:
			return guardJoin(cat, n)
		default: // the values of other nodes are computed after the rules
			return n
		}
	})
}

func guardFilter(cat *catalog.Catalog, n *plan.Filter) plan.Node {
	if n.Rule {
		return n
	}
	b := readBlock(cat, n.Input)
	if len(b.rules) == 0 {
		return n
	}
	out := *n
	out.Conds = make([]sqlexpr.Expr, len(n.Conds))
	for i, c := range n.Conds {
		out.Conds[i] = b.guard(c)
	}
	return &out
}

func guardSemiJoin(cat *catalog.Catalog, n *plan.SemiJoin) plan.Node {
	b := readBlock(cat, n.Input)
	if len(b.rules) == 0 {
		return n
	}
	out := *n
	out.Value = b.guard(n.Value)
	return &out
}

// guardJoin guards the sides of an equality: each is computed on rows of its own side.
func guardJoin(cat *catalog.Catalog, n *plan.Join) plan.Node {
	left, right := readBlock(cat, n.Left), readBlock(cat, n.Right)
	if len(left.rules)+len(right.rules) == 0 {
		return n
	}
	out := *n
	out.On = make([]plan.JoinEquality, len(n.On))
	for i, on := range n.On {
		on.Left, on.Right = left.guard(on.Left), right.guard(on.Right)
		out.On[i] = on
	}
	return &out
}

// block is what the rows of one SELECT are read from.
type block struct {
	rules    []sqlexpr.Expr
	datasets map[string]*catalog.Dataset // by alias
}

// readBlock finds the rules and the tables below a node, down to the next SELECT.
func readBlock(cat *catalog.Catalog, n plan.Node) block {
	b := block{datasets: map[string]*catalog.Dataset{}}
	b.read(cat, n, false)
	return b
}

// read adds a node. Of optional rows some are absent: their rule is NULL then.
func (b *block) read(cat *catalog.Catalog, n plan.Node, optional bool) {
	switch n := n.(type) {
	case *plan.Scan:
		b.datasets[n.Alias] = cat.Dataset(n.Dataset)
	case *plan.Derived:
		if n.Admitted == nil {
			return
		}
		b.datasets[n.Alias] = cat.Dataset(n.Admitted.Dataset)
		var rule sqlexpr.Expr = sqlexpr.NewTwoPartColumn(n.Alias, sqlexpr.Name{Text: n.Admitted.Column, Quoted: true})
		if optional {
			rule = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{X: rule}, R: rule}
		}
		b.rules = append(b.rules, rule)
	case *plan.Join:
		b.read(cat, n.Left, optional)
		b.read(cat, n.Right, optional || n.Kind == plan.LeftJoin)
	case *plan.Filter:
		if n.Rule {
			b.rules = append(b.rules, n.Conds...)
		}
		b.read(cat, n.Input, optional)
	case *plan.SemiJoin:
		b.read(cat, n.Input, optional)
	default: // another SELECT
	}
}

// guard returns an expression that is NULL on rows that a rule does not admit, unless it cannot fail on them.
func (b *block) guard(e sqlexpr.Expr) sqlexpr.Expr {
	if len(b.rules) == 0 || !sqlexpr.CanFail(e, b.typeOf) {
		return e
	}
	rule := b.rules[0]
	for _, r := range b.rules[1:] {
		rule = &sqlexpr.Binary{Op: sqlexpr.OpAnd, L: rule, R: r}
	}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: rule, Then: e}}}
}

// typeOf types a column of a table by the field that it is.
func (b *block) typeOf(e sqlexpr.Expr) sqlexpr.Type {
	column, ok := e.(*sqlexpr.Column)
	if !ok || len(column.Path) != 2 {
		return sqlexpr.TypeUnknown
	}
	d := b.datasets[column.Path[0].Text]
	if d == nil {
		return sqlexpr.TypeUnknown
	}
	for _, fields := range [][]*catalog.Field{d.Fields, d.Plain} {
		for _, f := range fields {
			own, ok := f.Expr.Default.(*sqlexpr.Column)
			if ok && f.Type != sqlexpr.TypeUnknown && strings.EqualFold(own.Path[len(own.Path)-1].Text, column.Path[1].Text) {
				return f.Type
			}
		}
	}
	return sqlexpr.TypeUnknown
}
