package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// selectBlock is one SELECT in the making. Its clauses are listed in the order in
// which SQL evaluates them; a plan node may be fused into a block when
// everything the block already has is evaluated before it.
type selectBlock struct {
	from  fromSource
	where []predicate

	grouped bool
	keys    []outputColumn
	sets    [][]int // GROUPING SETS, as positions in keys; nil without them
	having  []predicate

	windowed bool

	// out is what the block selects; nil while the block is only a FROM with
	// its WHERE, whose columns are addressed as alias.column.
	out *columnScope

	order []plan.SortKey
	// sorted are the columns that order names where it names others than out; the first are those of out.
	sorted   *columnScope
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
	// key is 1 + the position of the group key that the column carries as it
	// is, 0 for any other column.
	key int
	typ sqlexpr.Type
	// proven is the type that the expression is known to have where the
	// expression itself no longer shows it.
	proven sqlexpr.Type
}

// reliableType returns the column's type as far as it can be relied on.
func (c *outputColumn) reliableType() sqlexpr.Type {
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
	// member is the subquery of a semi-join, among whose rows the value of expr is; nil for a condition.
	member *inSubqueryRows
}

// fromSource is what FROM holds: a joinTree, derived tables side by side, or
// a union of branches.
type fromSource interface{ fromSourceMarker() }

// joinTree is a tree of Scan, Derived and Join nodes.
type joinTree struct{ node plan.Node }

// derivedTable is a block as a table.
type derivedTable struct {
	block *selectBlock
	alias string
}

// crossJoin is derived tables and unions side by side: every row of one with every row of the others.
type crossJoin struct{ tables []fromSource }

// blockUnion is the rows of several blocks under one alias.
type blockUnion struct {
	arms  []*selectBlock
	alias string
}

// noTable is a SELECT of one row without FROM.
type noTable struct{}

func (noTable) fromSourceMarker()       {}
func (joinTree) fromSourceMarker()      {}
func (*derivedTable) fromSourceMarker() {}
func (crossJoin) fromSourceMarker()     {}
func (*blockUnion) fromSourceMarker()   {}
