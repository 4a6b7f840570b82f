package parse

// Expr is an expression. The set is sealed: every node is a type of this file, so a type
// switch over it can be complete. Trees of ParseCatalogueStatement also have each CatalogueExpr.
type Expr interface {
	Node
	isExpr()
}

func (*Column) isExpr()         {}
func (*Star) isExpr()           {}
func (*Parameter) isExpr()      {}
func (*Number) isExpr()         {}
func (*String) isExpr()         {}
func (*Bool) isExpr()           {}
func (*Null) isExpr()           {}
func (*TimeLiteral) isExpr()    {}
func (*Interval) isExpr()       {}
func (*SessionValue) isExpr()   {}
func (*Unary) isExpr()          {}
func (*Binary) isExpr()         {}
func (*Between) isExpr()        {}
func (*In) isExpr()             {}
func (*InQuery) isExpr()        {}
func (*Like) isExpr()           {}
func (*IsNull) isExpr()         {}
func (*IsTruth) isExpr()        {}
func (*Case) isExpr()           {}
func (*Cast) isExpr()           {}
func (*Extract) isExpr()        {}
func (*Call) isExpr()           {}
func (*MeasureCall) isExpr()    {}
func (*ScalarSubquery) isExpr() {}
func (*Exists) isExpr()         {}

// Leaves.
type (
	// Column is a reference by name: amount, o.amount, public.orders.amount.
	Column struct {
		Pos
		Path []Name
	}

	// Star is * or t.*: an item of a list, or the only argument of COUNT.
	Star struct {
		Pos
		Qualifier []Name // empty for *
	}

	// Parameter is $1, $2 and so on.
	Parameter struct {
		Pos
		Number int
	}

	// Number is an unsigned numeric literal as it was written.
	Number struct {
		Pos
		Text string
	}

	// String is a text literal, unescaped.
	String struct {
		Pos
		Value string
	}

	// Bool is TRUE or FALSE.
	Bool struct {
		Pos
		Value bool
	}

	// Null is NULL.
	Null struct{ Pos }

	// TimeLiteral is a text with a type, as DATE '2024-01-31'. Type is date, time, timestamp or
	// timestamptz. The value is as written: it is read together with its type later.
	TimeLiteral struct {
		Pos
		Type  string
		Value string
	}

	// Interval is INTERVAL '3 months', INTERVAL '3' MONTH or INTERVAL 3 MONTH. Unit is in lower
	// case, and empty when the value holds it.
	Interval struct {
		Pos
		Value string
		Unit  string
	}

	// SessionValue is a value that is named by a word without parentheses: current_date,
	// current_timestamp, current_user or another such word, in lower case.
	SessionValue struct {
		Pos
		Word string
	}
)

// UnaryOperator is NOT, - or +.
type UnaryOperator uint8

// The operators of one operand.
const (
	OpNot UnaryOperator = iota
	OpNegate
	OpPlus
)

// BinaryOperator is an operator of two operands.
type BinaryOperator uint8

// The operators of two operands.
const (
	OpOr BinaryOperator = iota
	OpAnd
	OpEqual
	OpNotEqual
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpIsDistinctFrom    // IS DISTINCT FROM
	OpIsNotDistinctFrom // IS NOT DISTINCT FROM
	OpConcat            // ||
	OpAdd
	OpSubtract
	OpMultiply
	OpDivide
	OpModulo
)

// Operators.
type (
	// Unary is an operator and its operand.
	Unary struct {
		Pos
		Operator UnaryOperator
		X        Expr
	}

	// Binary is two operands and the operator between them. Its position is that of the left one.
	Binary struct {
		Pos
		Operator    BinaryOperator
		Left, Right Expr
	}

	// Between is x [NOT] BETWEEN low AND high.
	Between struct {
		Pos
		Not          bool
		X, Low, High Expr
	}

	// In is x [NOT] IN (items). It is also x IN (VALUES (…), …), x = ANY (ARRAY[…]) and, with
	// Not, x <> ALL (ARRAY[…]). It has at least one item.
	In struct {
		Pos
		Not   bool
		X     Expr
		Items []Expr
	}

	// InQuery is x [NOT] IN (SELECT …). It is also x = ANY (SELECT …) and, with Not,
	// x <> ALL (SELECT …).
	InQuery struct {
		Pos
		Not   bool
		X     Expr
		Query *Query
	}

	// Like is x [NOT] LIKE pattern [ESCAPE e], also written ~~ and !~~; Fold marks ILIKE, ~~*
	// and !~~*.
	Like struct {
		Pos
		Not, Fold  bool
		X, Pattern Expr
		Escape     Expr // nil when absent: a backslash escapes
	}

	// IsNull is x IS [NOT] NULL, x IS [NOT] UNKNOWN, x ISNULL and x NOTNULL.
	IsNull struct {
		Pos
		Not bool
		X   Expr
	}

	// IsTruth is x IS [NOT] TRUE or x IS [NOT] FALSE.
	IsTruth struct {
		Pos
		Not  bool
		Want bool
		X    Expr
	}
)

// Compound expressions.
type (
	// Case is CASE [operand] WHEN … THEN … [ELSE …] END. Operand and Else are nil when absent.
	Case struct {
		Pos
		Operand Expr
		Whens   []*When
		Else    Expr
	}

	// When is one arm of a Case.
	When struct {
		Pos
		Condition, Then Expr
	}

	// Cast is CAST(x AS type) or x::type.
	Cast struct {
		Pos
		X  Expr
		To *TypeName
	}

	// TypeName is the type of a Cast in lower case, its words separated by one space: integer,
	// double precision, timestamp with time zone. Arguments are length, or precision and scale.
	TypeName struct {
		Pos
		Name      string
		Arguments []int
	}

	// Extract is EXTRACT(part FROM x). Part is in lower case.
	Extract struct {
		Pos
		Part string
		X    Expr
	}

	// Call is a call of a function or an aggregate. COUNT(*) has one *Star as argument. The
	// forms of SQL with words between arguments are calls too: POSITION(a IN b) is position of
	// a and b, SUBSTRING(x FROM a FOR b) is substring of x, a and b, TRIM(LEADING c FROM x) is
	// ltrim of x and c, TRIM(c FROM x) is trim of x and c.
	Call struct {
		Pos
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
		Pos
		Metric    *Column
		Arguments []*NamedArgument // MEASURE(m, t => 50)
		Filter    Expr             // nil when absent
	}

	// NamedArgument is name => value.
	NamedArgument struct {
		Pos
		Name Name
		X    Expr
	}

	// ScalarSubquery is a query in parentheses as a value.
	ScalarSubquery struct {
		Pos
		Query *Query
	}

	// Exists is EXISTS (query).
	Exists struct {
		Pos
		Query *Query
	}
)

// Window is OVER (PARTITION BY … ORDER BY … frame).
type Window struct {
	Pos
	PartitionBy []Expr
	OrderBy     []*OrderItem
	Frame       *Frame // nil when absent
}

// Frame is ROWS BETWEEN start AND end; ROWS start ends at the current row.
type Frame struct {
	Pos
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
	Pos
	Kind   FrameBoundKind
	Offset Expr
}
