package plan

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Node is a relational operator. The set is sealed.
//
//sumtype:decl
type Node interface {
	// Schema lists the node's output columns. Scan and Join have none: what
	// lies below an Aggregate or Project is addressed as alias.column.
	Schema() Schema
	// Inputs lists the child nodes in order.
	Inputs() []Node
	// Describe is the node's line in EXPLAIN, without its children.
	Describe() string
	node()
}

// Column is one output column of a node.
type Column struct {
	Name string
	Type sqlexpr.Type
}

// Schema is an ordered list of output columns.
type Schema []Column

// NamedExpr is an expression with its output name and type.
type NamedExpr struct {
	Name string
	Expr sqlexpr.Expr
	Type sqlexpr.Type
}

// ColumnRefs returns the columns of a node with this schema, as they are.
func (s Schema) ColumnRefs() []NamedExpr {
	out, refs := make([]NamedExpr, len(s)), make([]sqlexpr.Ref, len(s))
	for i, c := range s {
		refs[i].ID = i
		out[i] = NamedExpr{Name: c.Name, Expr: &refs[i], Type: c.Type}
	}
	return out
}

type isNode struct{}

func (isNode) node() {}

// Scan reads a dataset's source under an alias.
type Scan struct {
	isNode
	Dataset string
	Source  sqlexpr.DatasetTableOrQuery
	Alias   string
	Rollup  string // whose table Source is; "" for that of the dataset
	// Freshness is the aggregate over columns of the table whose value names its state; nil where the dataset declares none.
	Freshness sqlexpr.Expr
}

// Derived is a subquery in FROM, its columns addressed as alias.name (names
// quoted).
type Derived struct {
	isNode
	Input Node
	Alias string
	// Why the subquery exists, for EXPLAIN: "lod customers.lifetime_value".
	Why string
	// Shared: other nodes have the same Input, and the rows of all of them must be equal. It
	// is one common table expression.
	Shared bool
	// Table is the name of the common table expression, unless it is taken; "" for one that the
	// planner invented.
	Table string
	// Admitted: the table is the rows of a dataset that the rule of a reader admits; nil for any other.
	Admitted *AdmittedRows
}

// AdmittedRows names the dataset of an admitted table, and its column that is TRUE on these rows, and FALSE on others wherever an engine
// computes it for them.
type AdmittedRows struct{ Dataset, Column string }

// JoinKind is LEFT or INNER.
type JoinKind uint8

// The join kinds.
const (
	LeftJoin JoinKind = iota
	InnerJoin
)

// JoinEquality is one equality of a join condition. NullSafe lets NULL meet NULL. Integers: the model declares both sides to be
// integers, which may be stored in columns of different types. ComparesAsRight: the collation of Right decides, on an engine that takes that of
// one side.
type JoinEquality struct {
	Left, Right     sqlexpr.Expr
	NullSafe        bool
	Integers        bool
	ComparesAsRight bool
}

// Join adds the rows of Right (a Scan or Derived) to those of Left.
type Join struct {
	isNode
	Left, Right  Node
	Kind         JoinKind
	On           []JoinEquality
	Valid        *JoinValidity // nil: any row that meets On matches
	Relationship string        // "" for a join that the planner invented
	Cardinality  string
}

// Filter keeps the rows for which every condition is true.
type Filter struct {
	isNode
	Input Node
	Conds []sqlexpr.Expr
	// Why is the source of the conditions, for EXPLAIN: "where_sql",
	// "context_filter", "time_range".
	Why string
	// Rule: the conditions are the rule that admits rows of the scan below to a reader.
	Rule bool
}

// Aggregate groups by Keys and computes Measures. Without keys it yields one
// row.
type Aggregate struct {
	isNode
	Input    Node
	Keys     []NamedExpr
	Measures []NamedExpr
	// Home and Why describe the branch in EXPLAIN.
	Home string
	Why  string
	// Rejected are the rollups that do not serve the branch, for EXPLAIN.
	Rejected []RollupRejection
}

// Window adds columns computed by sqlexpr.WindowCall expressions; its schema is the input's
// followed by Funcs.
type Window struct {
	isNode
	Input Node
	Funcs []NamedExpr
}

// Combine matches its branches on their first Keys columns, null-safely, so
// that no branch loses a group. The schema is the keys followed by the
// remaining columns of each branch in order. Without keys every branch has one
// row and so has the result.
type Combine struct {
	isNode
	Branches []Node
	Keys     int
	// Zero marks, per non-key output column, the ones that are 0 where their
	// branch has no row (counts); the others are NULL.
	Zero []bool
}

// Project computes its output columns from its input.
type Project struct {
	isNode
	Input Node
	Cols  []NamedExpr
}

// SortKey orders by an output column; NULLs come last either way, but first with NullsFirst. NotNull: it
// has none, so that an index on it serves the order.
type SortKey struct {
	Col        int
	Desc       bool
	NullsFirst bool
	NotNull    bool
}

// Sort orders the rows.
type Sort struct {
	isNode
	Input Node
	Keys  []SortKey
}

// Limit keeps the first N rows.
type Limit struct {
	isNode
	Input Node
	N     int64
}

// FirstColumns keeps the first Count columns of its input and the order of the rows: the others are
// computed for a condition or an order, and are not shown.
type FirstColumns struct {
	isNode
	Input Node
	Count int
}

// Schema returns the columns that are kept.
func (n *FirstColumns) Schema() Schema { return n.Input.Schema()[:n.Count] }

// Inputs returns the node with all columns.
func (n *FirstColumns) Inputs() []Node { return []Node{n.Input} }

// Describe lists the columns that are kept.
func (n *FirstColumns) Describe() string {
	names := make([]string, n.Count)
	for i, c := range n.Schema() {
		names[i] = c.Name
	}
	return "FirstColumns " + strconv.Itoa(n.Count) + " of " + strconv.Itoa(len(n.Input.Schema())) + ": " + strings.Join(names, ", ")
}

func checkFirstColumnCount(n *FirstColumns) error {
	columns := len(n.Input.Schema())
	return requireThat(n.Count > 0 && n.Count <= columns, "the first %d of %d columns", n.Count, columns)
}

// Offset skips the first N rows.
type Offset struct {
	isNode
	Input Node
	N     int64
}

// Schema returns the input's.
func (n *Offset) Schema() Schema { return n.Input.Schema() }

// Inputs returns the one input.
func (n *Offset) Inputs() []Node { return []Node{n.Input} }

// Describe prints the number of rows that are skipped.
func (n *Offset) Describe() string { return "Offset " + strconv.FormatInt(n.N, 10) }
