package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// selectBlock is one SELECT in the making. Its clauses are listed in the order in
// which SQL evaluates them; a plan node may be fused into a block when
// everything the block already has is evaluated before it.
type selectBlock struct {
	from  source
	where []predicate

	grouped bool
	keys    []outputColumn
	having  []predicate

	windowed bool

	// out is what the block selects; nil while the block is only a FROM with
	// its WHERE, whose columns are addressed as alias.column.
	out *columnScope

	order    []plan.SortKey
	hasLimit bool
	limit    int64
	offset   int64 // rows that are skipped before the limit counts
}

// columnScope is a list of columns that references can mean.
type columnScope struct{ cols []outputColumn }

// outputColumn is an output column of a block: an expression, the scope in which that
// was written, and the type that the plan declares.
type outputColumn struct {
	name  string
	expr  sqlexpr.Expr
	scope *columnScope
	typ   sqlexpr.Type
	// key is 1 + the position of the group key that the column carries as it
	// is, 0 for any other column.
	key int
	// proven is the type that the expression is known to have where the
	// expression itself no longer shows it.
	proven sqlexpr.Type
}

// knownType is the column's type as far as it can be relied on.
func (c *outputColumn) knownType() sqlexpr.Type {
	if c.proven != sqlexpr.TypeUnknown {
		return c.proven
	}
	if t := typeInScope(c.scope, c.expr); t != sqlexpr.TypeUnknown {
		return t
	}
	if c.typ == sqlexpr.TypeBool || c.typ == sqlexpr.TypeString {
		return c.typ
	}
	return sqlexpr.TypeUnknown
}

// predicate is a conjunct with the scope it was written in.
type predicate struct {
	expr sqlexpr.Expr
	in   *columnScope
}

// source is what FROM holds: a tableTree, derived tables side by side, or
// a union of branches.
type source interface{ source() }

// tableTree is a tree of Scan, Derived and Join nodes.
type tableTree struct{ node plan.Node }

// derived is a block as a table.
type derived struct {
	block *selectBlock
	alias string
}

// crossProduct is tables of one row each, side by side.
type crossProduct struct{ tables []derived }

// union is the rows of several blocks under one alias.
type union struct {
	arms  []*selectBlock
	alias string
}

func (tableTree) source()    {}
func (derived) source()      {}
func (crossProduct) source() {}
func (*union) source()       {}
