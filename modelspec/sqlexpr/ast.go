package sqlexpr

// Expr is a node of an expression tree. The set is sealed: every node is a
// type of this package, so a type switch over it can be complete.
//
// Trees are immutable once built. Passes that change one return a new tree and
// share what they left alone (see Rewrite).
type Expr interface {
	// Pos is the byte offset of the node in the text it was parsed from;
	// 0 for a node made by a compiler pass.
	Pos() int
	isExprNode()
}

// Position carries a node's byte offset; nodes embed it.
type Position int

// Pos returns the byte offset.
func (a Position) Pos() int { return int(a) }

func (Position) isExprNode() {}

// Name is one identifier. An unquoted name compares case-insensitively; a
// quoted one is exact.
type Name struct {
	Text   string
	Quoted bool
}

// Leaves.
type (
	// Column is a reference by name: `amount`, `orders.amount`,
	// `rel.rel.field`. Inside a compiled field expression it is a physical
	// column of the field's dataset (one part); inside a plan it is
	// alias.column (two parts).
	Column struct {
		Position
		Path []Name
	}

	// Ref is a reference that a compiler pass resolved to an index into a
	// table which the surrounding structure defines: a field of the catalog, an
	// operand of a metric's form, a column of a plan node's input. It has no
	// source syntax.
	Ref struct {
		Position
		ID int
	}

	// Param is a parameter slot, `:name`.
	Param struct {
		Position
		Name string
	}

	// Number is an unsigned numeric literal in its source spelling.
	Number struct {
		Position
		Text string
	}

	// String is a text literal, unescaped.
	String struct {
		Position
		Value string
	}

	// Bool is TRUE or FALSE.
	Bool struct {
		Position
		Value bool
	}

	// Null is the NULL literal.
	Null struct{ Position }

	// TypedLiteral is a literal with a leading type: DATE '2024-01-31'. Type is one of
	// TypeDate, TypeTime, TypeTimestamp, TypeTimestampTZ.
	TypedLiteral struct {
		Position
		Type  Type
		Value string
	}

	// Interval is INTERVAL '3' MONTH. Count is an integer in decimal text, with
	// a leading '-' where negative; Unit is a lower-case singular
	// (second minute hour day week month quarter year).
	Interval struct {
		Position
		Count string
		Unit  string
	}
)

// Operators.
type (
	// Unary is NOT x, -x or +x.
	Unary struct {
		Position
		Op UnaryOp
		X  Expr
	}

	// Binary is a two-operand operator.
	Binary struct {
		Position
		Op   BinaryOp
		L, R Expr
	}

	// Between is x [NOT] BETWEEN lo AND hi.
	Between struct {
		Position
		Not       bool
		X, Lo, Hi Expr
	}

	// In is x [NOT] IN (items).
	In struct {
		Position
		Not   bool
		X     Expr
		Items []Expr
	}

	// Like is x [NOT] LIKE pattern [ESCAPE e]; Fold marks ILIKE.
	Like struct {
		Position
		Not, Fold  bool
		X, Pattern Expr
		Escape     Expr // nil when absent
	}

	// IsNull is x IS [NOT] NULL (and IS [NOT] UNKNOWN).
	IsNull struct {
		Position
		Not bool
		X   Expr
	}

	// IsTruth is x IS [NOT] TRUE or x IS [NOT] FALSE.
	IsTruth struct {
		Position
		Not  bool
		Want bool
		X    Expr
	}
)

// Compound nodes.
type (
	// Case is CASE [operand] WHEN … THEN … [ELSE …] END. Operand and Else are
	// nil when absent.
	Case struct {
		Position
		Operand Expr
		Whens   []When
		Else    Expr
	}

	// When is one arm of a Case. At is where its WHEN is, 0 in the text of a model.
	When struct {
		At         Position
		Cond, Then Expr
	}

	// Cast is CAST(x AS type) or x::type. Try marks TRY_CAST, which is NULL for a value that the type lacks.
	Cast struct {
		Position
		Try bool
		X   Expr
		To  TypeName
	}

	// Extract is EXTRACT(part FROM x) and DATE_PART('part', x). Part is lower
	// case.
	Extract struct {
		Position
		Part string
		X    Expr
	}

	// Call is a function or aggregate call. Fn is its identity in the function
	// table, FnUnknown for a name outside it (then Name holds it). Dialect is the
	// one whose function it is, where another's of that name may differ. Star marks
	// COUNT(*), Desc an ordered aggregate (PERCENTILE_CONT, LISTAGG) that orders downward.
	// For DATE_TRUNC, DATEADD and DATEDIFF the first argument is a
	// *String holding the lower-case part.
	Call struct {
		Position
		Fn       Func
		Name     Name
		Dialect  string
		Distinct bool
		Star     bool
		Desc     bool
		Args     []Expr
	}

	// WindowCall is a window call: fn(…) OVER (PARTITION BY … ORDER BY … frame). A
	// parsed one is only detected and rejected; the planner makes its own.
	WindowCall struct {
		Position
		Call      *Call
		Partition []Expr
		Order     []OrderItem
		Frame     *Frame // nil: the engine's default frame
	}

	// Subquery takes the place of a SELECT in parentheses (or
	// EXISTS). It is only ever detected and rejected; Text is its source.
	Subquery struct {
		Position
		Text string
	}
)

// Nodes with no source syntax, made by compiler passes.
type (
	// Bucket is the calendar bucket that X falls into, as a DATE: the first
	// day of its week (Monday), month, quarter or year, or the day itself. Its hour,
	// minute or second is a timestamp, with a zone where X has one.
	// From is the type of X (TypeUnknown when not declared). With a Zone, which only
	// instants take, it is the bucket on that zone's clock; nil is UTC.
	Bucket struct {
		Position
		Grain Grain
		From  Type
		Zone  *TimeZone
		X     Expr
	}

	// BucketOrdinal counts calendar buckets: X is a DATE as made by Bucket, the value
	// an integer that grows by one from each bucket of the grain to the next. For a
	// grain finer than a day it counts seconds.
	BucketOrdinal struct {
		Position
		Grain Grain
		X     Expr
	}

	// DecodeTimeCodeExpr is the calendar day that a stored time code stands for, as a
	// DATE; a code that stands for none is NULL. With a Grain, which is finer than a
	// day, it is the bucket of that grain: an instant of a count since 1970, else
	// a timestamp.
	DecodeTimeCodeExpr struct {
		Position
		Code  *TimeCode
		Grain Grain
		Zone  *TimeZone // of a count since 1970; nil: UTC
		Local bool      // a count gives the timestamp that the clock of Zone shows, in place of the instant
		X     Expr
	}

	// LocalTime is the timestamp without a zone that the clock of a zone shows at X; nil is UTC, and a value that is not an
	// instant keeps its clock. From is the type of X (TypeUnknown when not declared).
	LocalTime struct {
		Position
		From Type
		Zone *TimeZone
		X    Expr
	}

	// SafeDivide is real division in DOUBLE; a zero divisor gives NULL.
	SafeDivide struct {
		Position
		L, R Expr
	}

	// DeclaredTypeExpr is X, of which the model declares the type. It prints as X.
	DeclaredTypeExpr struct {
		Position
		X    Expr
		Type Type
		// ReadsClock: the expression around it reads the clock of X, which an engine may keep in another zone than UTC.
		ReadsClock bool
	}
)

// TimeZone is a zone of the IANA database, or an offset, whose name is empty: its name, and its offsets from UTC in seconds
// during the time that a statement is about, the first and those after each change.
type TimeZone struct {
	Name    string
	Offset  int
	Changes []ZoneOffsetChange // in the order of time
}

// ZoneOffsetChange is an instant, in Unix seconds, from which a zone has another offset.
type ZoneOffsetChange struct {
	At     int64
	Offset int
}

// TimeCode is how a column encodes time: as a count since 1970-01-01 (Epoch
// is "seconds", "millis" or "days"), or as the fields of a fixed-width text or
// number.
type TimeCode struct {
	Text    string // the format as the model writes it
	Epoch   string // "" for a layout
	Numeric bool   // stored as a number
	Fields  []TimeLayoutField
}

// TimeLayoutField is one field of a layout: a token (yyyy MM dd HH mm ss Q ww) at a
// 1-based position in the text.
type TimeLayoutField struct {
	Token      string
	Start, Len int
}

// OrderItem is one ORDER BY key of a window. Nulls always sort last.
type OrderItem struct {
	X    Expr
	Desc bool
}

// FrameUnit is ROWS or RANGE.
type FrameUnit uint8

// The units of a window frame.
const (
	FrameRows FrameUnit = iota
	FrameRange
)

// FrameBound is one end of a frame: a signed distance from the current row
// (negative: preceding, 0: current row), or unbounded on its side.
type FrameBound struct {
	Unbounded bool
	Offset    int
}

// Frame is a window frame: unit BETWEEN Start AND End.
type Frame struct {
	Unit       FrameUnit
	Start, End FrameBound
}

// TypeName is the target of a cast: a known type, with length or precision
// arguments where the source had them. Name is the source spelling (upper
// case) and is what is printed when Type is TypeUnknown.
type TypeName struct {
	Type Type
	Name string
	Args []int
}
