package generate

import (
	"context"

	"github.com/semlayer/semlayer/executor/tables"
)

// DataProver answers questions about the data. An error proves nothing, and becomes a note of
// the report; the error of the context ends the run.
type DataProver interface {
	// CountKeys counts the rows of a table, and for each set of columns those without
	// a null and the distinct ones.
	CountKeys(ctx context.Context, t *tables.Table, candidates []string) (KeyCounts, error)
	// FindDuplicate returns the values of some columns that most of the same rows share, as text, and the number of these
	// rows. It is 1 where no two rows have the same values, 0 without rows.
	FindDuplicate(ctx context.Context, t *tables.Table, columns []string) (values []string, rows int64, err error)
	// CountUnmatchedValues looks for the values of a column among those of a key.
	CountUnmatchedValues(ctx context.Context, from *tables.Table, column string, to *tables.Table, key string) (KeyContainment, error)
	// SampleTexts returns the beginnings of the values of some columns in the first rows, as text. A null is nil.
	SampleTexts(ctx context.Context, t *tables.Table, columns []string) (rows [][]*string, err error)
	// ListIntegerValues returns the distinct values of a column, as text.
	ListIntegerValues(ctx context.Context, t *tables.Table, column string) (values []string, complete bool, err error)
	// ColumnValueType returns the one datatype of the values of a column without a declared
	// type, Opaque where they have several.
	ColumnValueType(ctx context.Context, t *tables.Table, column string) (tables.Datatype, error)
}

// KeyCounts is the result of CountKeys.
type KeyCounts struct {
	Rows int64
	// Complete reports whether these are all rows of the table.
	Complete bool
	// Values and Distinct hold one count for each candidate.
	Values, Distinct []int64
}

// KeyContainment is the result of CountUnmatchedValues.
type KeyContainment struct {
	Values, Unmatched int64
	// Complete reports whether these are all distinct values.
	Complete bool
}

// hasFewUnmatchedValues reports whether the share of unmatched values allows a relationship.
func (c KeyContainment) hasFewUnmatchedValues() bool {
	const percent = 5
	return c.Values > 0 && c.Unmatched*100 <= c.Values*percent
}
