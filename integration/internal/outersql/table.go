package outersql

// Type is the kind of the values of a column.
type Type uint8

// The types.
const (
	Integer Type = iota
	Decimal
	Double // shown, ordered and aggregated, and never compared for equality
	Text
	Day
	Moment
	Truth
)

func (t Type) isNumber() bool { return t <= Double }

// isExact reports whether two values of the same rows are equal however they were computed.
func (t Type) isExact() bool { return t != Double }

// Table is a finished result.
type Table struct {
	// Name is the table with the rows in DuckDB, Select the text that gives them over the model.
	Name, Select string
	Columns      []Column
	Rows         int
}

// Column is a column of a result. Values are literals of some of its values.
type Column struct {
	Type   Type
	Values []string
}

// Statement is a random SELECT in both forms. Ordered: its ORDER BY leaves no two rows in either order.
type Statement struct {
	SQL, Plain string
	Ordered    bool
	// Constructs are the names of what the SELECT has.
	Constructs []string
}

// text is a piece of SQL in both forms.
type text struct{ statement, plain string }

// same is a piece that both forms write alike.
func same(s string) text { return text{s, s} }

// column is a column of the rows that an expression reads, or of the result of a SELECT.
type column struct {
	text
	name string // without a qualifier
	typ  Type
}
