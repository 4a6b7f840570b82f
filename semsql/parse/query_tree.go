package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Position is where a clause begins in the text of its statement, in characters from 1; 0 for a clause that no text holds. Clauses
// embed it. Expressions embed sqlexpr.Position and count alike.
type Position int

// Pos returns the position in characters.
func (a Position) Pos() int { return int(a) }

// Name is one identifier. An unquoted name keeps its spelling and compares without regard to
// case; a quoted one, in double quotes or backticks, is exact.
type Name = sqlexpr.Name

// Node is a part of a statement: an Expr, a Relation, a Body, or one of Item, CommonTable,
// TableAlias, OrderItem, NamedArgument, TypeName, Window, Frame and Bound.
type Node interface{ Pos() int }

// Query is a whole SELECT: the common tables, one select or several combined, and the order
// and limit of what they give. It is also the Body of an operand of a SetOperation that has
// parentheses and its own clauses.
type Query struct {
	Position
	Recursive bool // of a catalogue statement only
	With      []*CommonTable
	Body      QueryBody // *Select or *SetOperation; *Values in a catalogue statement
	OrderBy   []*OrderItem
	Limit     Expr // nil for LIMIT ALL, LIMIT NULL and no LIMIT; FETCH FIRST n ROWS ONLY is LIMIT n
	Offset    Expr // nil when absent
}

// QueryBody is *Select, *SetOperation or, as an operand of a SetOperation only, *Query. Catalogue
// statements have *Values too.
type QueryBody interface {
	Node
	isBody()
}

func (*Query) isBody()        {}
func (*Select) isBody()       {}
func (*SetOperation) isBody() {}

// CommonTable is one table of WITH: name [(columns)] AS (query).
type CommonTable struct {
	Position
	Name    Name
	Columns []Name
	Query   *Query
}

// Select is one SELECT without order and limit.
type Select struct {
	Position
	Distinct   bool
	DistinctOn []Expr // of a catalogue statement only
	Items      []*SelectItem
	From       []Relation // separated by commas; empty without FROM
	Where      Expr       // nil when absent
	GroupBy    []Expr     // an ordinal is a *Number, several sets of groups are a *Grouping
	Having     Expr       // nil when absent
}

// SetOperator is UNION, INTERSECT or EXCEPT.
type SetOperator uint8

// The operators of sets. INTERSECT binds closer than the others.
const (
	Union SetOperator = iota
	Intersect
	Except
)

var setOperatorNames = [...]string{"UNION", "INTERSECT", "EXCEPT"}

// String returns the operator in SQL.
func (o SetOperator) String() string { return setOperatorNames[o] }

// SetOperation combines the rows of two bodies. Its position is that of the left one.
type SetOperation struct {
	Position
	Operator    SetOperator
	All         bool // keeps duplicates
	Left, Right QueryBody
}

// SelectItem is one column of a list: an expression with an optional alias. X may be a *Star.
type SelectItem struct {
	Position
	X     Expr
	Alias Name // the zero Name when absent
}

// OrderItem is one key of ORDER BY. An ordinal is a *Number.
type OrderItem struct {
	Position
	X     Expr
	Desc  bool
	Nulls NullsOrder
}

// NullsOrder is where NULL is in an order.
type NullsOrder uint8

// The places of NULL.
const (
	NullsDefault NullsOrder = iota // as the text does not state it
	NullsFirst
	NullsLast
)
