package outersql

import "strings"

// ColumnType is the kind of the values of a column.
type ColumnType uint8

// The types.
const (
	ColumnTypeInteger ColumnType = iota
	ColumnTypeDecimal
	ColumnTypeDouble // shown, ordered and aggregated, and never compared for equality
	ColumnTypeText
	ColumnTypeDate
	ColumnTypeTimestamp
	ColumnTypeBoolean
)

func (t ColumnType) isNumber() bool { return t <= ColumnTypeDouble }

// isExact reports whether two values of the same rows are equal however they were computed.
func (t ColumnType) isExact() bool { return t != ColumnTypeDouble }

// ResultTable is a finished result.
type ResultTable struct {
	// Name is the table with the rows in DuckDB, Select the text that gives them over the model.
	Name, Select string
	Columns      []ResultColumn
	Rows         int
}

// ResultColumn is a column of a result. Values are literals of some of its values.
type ResultColumn struct {
	Type   ColumnType
	Values []string
}

// MixedDecimalsConstruct is the construct of a value that is one of several decimals: of a set operation, a CASE or a COALESCE. DuckDB
// rounds such a value where its type has no room for the digits of all: SUM(1.25) UNION ALL 0.625 gives 0.63. Its rows say
// nothing about those of an engine that keeps the digits.
const MixedDecimalsConstruct = "mixed decimals"

// Statement is a random SELECT in both forms. Ordered: its ORDER BY leaves no two rows in either order.
type Statement struct {
	SQL, Plain string
	Ordered    bool
	// Constructs are the names of what the SELECT has.
	Constructs []string
}

// sqlInBothForms is a piece of SQL in both forms.
type sqlInBothForms struct{ statement, plain string }

// sameInBothForms returns a piece that both forms write alike.
func sameInBothForms(s string) sqlInBothForms { return sqlInBothForms{s, s} }

// column is a column of the rows that an expression reads, or of the result of a SELECT.
type column struct {
	sqlInBothForms
	name string // without a qualifier
	typ  ColumnType
}

// fillPlaceholders puts pieces in the place of the marks ? of a format, in order.
func fillPlaceholders(format string, pieces ...sqlInBothForms) sqlInBothForms {
	var statement, plain strings.Builder
	for i, literal := range strings.Split(format, "?") {
		if i > 0 {
			statement.WriteString(pieces[i-1].statement)
			plain.WriteString(pieces[i-1].plain)
		}
		statement.WriteString(literal)
		plain.WriteString(literal)
	}
	return sqlInBothForms{statement.String(), plain.String()}
}

// joinWithSeparator puts a separator between pieces.
func joinWithSeparator(pieces []sqlInBothForms, separator string) sqlInBothForms {
	var statement, plain []string
	for _, p := range pieces {
		statement, plain = append(statement, p.statement), append(plain, p.plain)
	}
	return sqlInBothForms{strings.Join(statement, separator), strings.Join(plain, separator)}
}

func (t sqlInBothForms) appendSQL(more sqlInBothForms) sqlInBothForms {
	return sqlInBothForms{t.statement + more.statement, t.plain + more.plain}
}
