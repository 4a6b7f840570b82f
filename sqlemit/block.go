package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// block is one SELECT in the making. Its clauses are listed in the order in
// which SQL evaluates them; a plan node may be fused into a block when
// everything the block already has is evaluated before it.
type block struct {
	from  source
	where []condition

	grouped bool
	keys    []col
	having  []condition

	windowed bool

	// out is what the block selects; nil while the block is only a FROM with
	// its WHERE, whose columns are addressed as alias.column.
	out *scope

	order   []plan.SortKey
	limited bool
	limit   int64
}

// scope is a list of columns that references can mean.
type scope struct{ cols []col }

// col is an output column of a block: an expression, the scope in which that
// was written, and the type that the plan declares.
type col struct {
	name string
	expr sqlexpr.Expr
	in   *scope
	typ  sqlexpr.Type
	// key is 1 + the position of the group key that the column carries as it
	// is, 0 for any other column.
	key int
	// proven is the type that the expression is known to have where the
	// expression itself no longer shows it.
	proven sqlexpr.Type
}

// known is the column's type as far as it can be relied on.
func (c *col) known() sqlexpr.Type {
	if c.proven != sqlexpr.TypeUnknown {
		return c.proven
	}
	if t := typeIn(c.in, c.expr); t != sqlexpr.TypeUnknown {
		return t
	}
	if c.typ == sqlexpr.TypeBool || c.typ == sqlexpr.TypeString {
		return c.typ
	}
	return sqlexpr.TypeUnknown
}

// condition is a conjunct with the scope it was written in.
type condition struct {
	expr sqlexpr.Expr
	in   *scope
}

// source is what stands in FROM: a tableTree, derived tables side by side, or
// a union of branches.
type source interface{ source() }

// tableTree is a tree of Scan, Derived and Join nodes.
type tableTree struct{ node plan.Node }

// derived is a block as a table.
type derived struct {
	block *block
	alias string
}

// product is tables of one row each, side by side.
type product struct{ tables []derived }

// union is the rows of several blocks under one alias.
type union struct {
	arms  []*block
	alias string
}

func (tableTree) source() {}
func (derived) source()   {}
func (product) source()   {}
func (*union) source()    {}

// build fuses a plan into blocks.
func (w *writer) build(n plan.Node) *block {
	if w.err != nil {
		return nil
	}
	switch n := n.(type) {
	case *plan.Scan, *plan.Derived:
		return &block{from: tableTree{n}}
	case *plan.Join:
		b := &block{from: tableTree{n}}
		w.hoist(b, n.Left)
		return b
	case *plan.Filter:
		return w.buildFilter(n)
	case *plan.Aggregate:
		return w.buildAggregate(n)
	case *plan.Window:
		return w.buildWindow(n)
	case *plan.Combine:
		return w.buildCombine(n)
	case *plan.Project:
		return w.buildProject(n)
	case *plan.Sort:
		b := w.build(n.Input)
		if b == nil || b.limited {
			b = w.wrap(b)
		}
		if b != nil {
			b.order = n.Keys
		}
		return b
	case *plan.Limit:
		b := w.build(n.Input)
		if b != nil && b.limited {
			b.limit = min(b.limit, n.N)
		} else if b != nil {
			b.limited, b.limit = true, n.N
		}
		return b
	}
	w.invalid("a plan node is missing or of an unknown kind")
	return nil
}

// hoist moves filters from the left side of joins into WHERE: rows that a
// filter takes from the left side have no part in the result either way.
func (w *writer) hoist(b *block, left plan.Node) {
	switch n := left.(type) {
	case *plan.Join:
		w.hoist(b, n.Left)
	case *plan.Filter:
		w.hoist(b, n.Input)
		for _, c := range n.Conds {
			b.where = append(b.where, condition{expr: c})
		}
	}
}

// cut reports whether the block's rows are already chosen by a limit, or
// ordered: nothing but a new block may follow.
func (b *block) cut() bool { return b.limited || len(b.order) > 0 }

func (w *writer) buildFilter(n *plan.Filter) *block {
	b := w.build(n.Input)
	if b == nil {
		return nil
	}
	fits := !b.cut() && !b.windowed
	for _, c := range n.Conds {
		fits = fits && (!b.grouped || overKeys(b, c) || !usesComputedKey(b.out, c))
	}
	if !fits {
		if b = w.wrap(b); b == nil {
			return nil
		}
	}
	for _, c := range n.Conds {
		// A condition over group keys alone is true of a group exactly when it
		// is true of each of its rows, so it need not wait for the grouping.
		if b.grouped && !overKeys(b, c) {
			if w.d.namesakesLost {
				c = withoutNamesakes(b.out, c)
			}
			b.having = append(b.having, condition{c, b.out})
		} else {
			b.where = append(b.where, condition{c, b.out})
		}
	}
	return b
}
