package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Expr is an expression: a node of sqlexpr that is aliased here, or one of the nodes of statements alone, which embed sqlexpr.Position.
// Trees of ParseCatalogueStatement also have each CatalogueExpr.
type Expr = sqlexpr.Expr

// The nodes that statements have in common with expressions of models, where their positions count characters from 1.
type (
	// Column is a reference by name: amount, o.amount, public.orders.amount.
	Column = sqlexpr.Column
	// Number is an unsigned numeric literal as it was written.
	Number = sqlexpr.Number
	// String is a text literal, unescaped.
	String = sqlexpr.String
	// Bool is TRUE or FALSE.
	Bool = sqlexpr.Bool
	// Null is NULL.
	Null = sqlexpr.Null
	// Unary is an operator and its operand.
	Unary = sqlexpr.Unary
	// Binary is two operands and the operator between them. Its position is that of the left one.
	Binary = sqlexpr.Binary
	// Between is x [NOT] BETWEEN low AND high.
	Between = sqlexpr.Between
	// In is x [NOT] IN (items). It is also x IN (VALUES (…), …), x = ANY (ARRAY[…]) and, with
	// Not, x <> ALL (ARRAY[…]). It has at least one item.
	In = sqlexpr.In
	// Like is x [NOT] LIKE pattern [ESCAPE e], also written ~~ and !~~; Fold marks ILIKE, ~~* and !~~*. A backslash escapes where
	// Escape is nil.
	Like = sqlexpr.Like
	// IsNull is x IS [NOT] NULL, x IS [NOT] UNKNOWN, x ISNULL and x NOTNULL.
	IsNull = sqlexpr.IsNull
	// IsTruth is x IS [NOT] TRUE or x IS [NOT] FALSE.
	IsTruth = sqlexpr.IsTruth
	// Case is CASE [operand] WHEN … THEN … [ELSE …] END. Operand and Else are nil when absent.
	Case = sqlexpr.Case
	// When is one arm of a Case.
	When = sqlexpr.When
	// Extract is EXTRACT(part FROM x). Part is in lower case.
	Extract = sqlexpr.Extract
)

// The operators of a Unary and of a Binary.
const (
	OpNot  = sqlexpr.OpNot
	OpNeg  = sqlexpr.OpNeg
	OpPlus = sqlexpr.OpPlus

	OpOr                = sqlexpr.OpOr
	OpAnd               = sqlexpr.OpAnd
	OpEq                = sqlexpr.OpEq
	OpNe                = sqlexpr.OpNe
	OpLt                = sqlexpr.OpLt
	OpLe                = sqlexpr.OpLe
	OpGt                = sqlexpr.OpGt
	OpGe                = sqlexpr.OpGe
	OpIsDistinctFrom    = sqlexpr.OpIsDistinctFrom
	OpIsNotDistinctFrom = sqlexpr.OpIsNotDistinctFrom
	OpAdd               = sqlexpr.OpAdd
	OpSub               = sqlexpr.OpSub
	OpMul               = sqlexpr.OpMul
	OpDiv               = sqlexpr.OpDiv
	OpMod               = sqlexpr.OpMod
	OpConcat            = sqlexpr.OpConcat
)

// Leaves.
type (
	// Star is * or t.*: an item of a list, or the only argument of COUNT.
	Star struct {
		sqlexpr.Position
		Qualifier []Name // empty for *
	}

	// Parameter is $1, $2 and so on.
	Parameter struct {
		sqlexpr.Position
		Number int
	}

	// TimeLiteral is a text with a type, as DATE '2024-01-31'. Type is date, time, timestamp or
	// timestamptz. The value is as written: it is read together with its type later.
	TimeLiteral struct {
		sqlexpr.Position
		Type  string
		Value string
	}

	// Interval is INTERVAL '3 months', INTERVAL '3' MONTH or INTERVAL 3 MONTH. Unit is in lower
	// case, and empty when the value holds it.
	Interval struct {
		sqlexpr.Position
		Value string
		Unit  string
	}

	// SessionValue is a value that is named by a word without parentheses: current_date,
	// current_timestamp, current_user or another such word, in lower case.
	SessionValue struct {
		sqlexpr.Position
		Word string
	}
)

// Operators.
type (
	// InArray is x = ANY (array) and, with Not, x <> ALL (array), where Array is a *String or a *Parameter that holds the text of an
	// array, or *Null. Casts are the types that its elements are cast to, one after another.
	InArray struct {
		sqlexpr.Position
		Not   bool
		X     Expr
		Array Expr
		Casts []*TypeName
	}

	// InQuery is x [NOT] IN (SELECT …). It is also x = ANY (SELECT …) and, with Not,
	// x <> ALL (SELECT …).
	InQuery struct {
		sqlexpr.Position
		Not   bool
		X     Expr
		Query *Query
	}
)

// Compound expressions.
type (
	// Cast is CAST(x AS type) or x::type. Try marks TRY_CAST, which PostgreSQL does not have.
	Cast struct {
		sqlexpr.Position
		Try     bool
		Literal bool // a bit string, whose digits are its type
		X       Expr
		To      *TypeName
	}

	// TypeName is the type of a Cast in lower case, its words separated by one space: integer,
	// double precision, timestamp with time zone. Arguments are length, or precision and scale.
	TypeName struct {
		Position
		Name      string
		Arguments []int
	}

	// Call is a call of a function or an aggregate. COUNT(*) has one *Star as argument. The
	// forms of SQL with words between arguments are calls too: POSITION(a IN b) is position of
	// a and b, SUBSTRING(x FROM a FOR b) is substring of x, a and b, TRIM(LEADING c FROM x) is
	// ltrim of x and c, TRIM(c FROM x) is trim of x and c.
	Call struct {
		sqlexpr.Position
		Function    Name
		Distinct    bool
		Arguments   []Expr
		OrderBy     []*OrderItem // inside of the parentheses: STRING_AGG(x, ',' ORDER BY y)
		WithinGroup []*OrderItem
		Filter      Expr    // nil when absent
		Over        *Window // nil when absent
	}

	// MeasureCall is MEASURE(m) or AGG(m): a metric of the model, with values of its parameters.
	MeasureCall struct {
		sqlexpr.Position
		Metric    *Column
		Arguments []*NamedArgument // MEASURE(m, t => 50)
		Filter    Expr             // nil when absent
	}

	// NamedArgument is name => value.
	NamedArgument struct {
		Position
		Name Name
		X    Expr
	}

	// Grouping is an item of GROUP BY that is not one expression: a set of groups in parentheses, or ROLLUP, CUBE or GROUPING SETS. Its
	// items are expressions and further Groupings.
	Grouping struct {
		sqlexpr.Position
		Kind  GroupingKind
		Items []Expr
	}

	// ScalarSubquery is a query in parentheses as a value.
	ScalarSubquery struct {
		sqlexpr.Position
		Query *Query
	}

	// Exists is EXISTS (query).
	Exists struct {
		sqlexpr.Position
		Query *Query
	}
)

// GroupingKind is the form of a Grouping.
type GroupingKind uint8

// The forms of a Grouping.
const (
	GroupingList GroupingKind = iota // (a, b): one set of groups; () is the set without groups
	GroupingRollup
	GroupingCube
	GroupingSets
)

var groupingKeywords = [...]string{"", "ROLLUP ", "CUBE ", "GROUPING SETS "}

// Window is OVER (PARTITION BY … ORDER BY … frame).
type Window struct {
	Position
	PartitionBy []Expr
	OrderBy     []*OrderItem
	Frame       *Frame // nil when absent
}

// Frame is ROWS BETWEEN start AND end; ROWS start ends at the current row.
type Frame struct {
	Position
	Start, End *FrameBound
}

// FrameBoundKind is the kind of an end of a frame.
type FrameBoundKind uint8

// The kinds of bound, from the first row of a partition to its last.
const (
	UnboundedPreceding FrameBoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// FrameBound is an end of a frame. Offset is a *Number or a *Parameter of Preceding and Following,
// and nil of the others.
type FrameBound struct {
	Position
	Kind   FrameBoundKind
	Offset Expr
}
