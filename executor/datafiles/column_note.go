package datafiles

// ColumnNote is a decision about the type of a column of data files that its values alone do not settle.
type ColumnNote struct {
	Table, Column string
	Text          string // a sentence that names the table and the column
	// AmbiguousDays is set where the day and the month of every value can change places.
	AmbiguousDays bool
}

// ColumnNoter is an executor over data files.
type ColumnNoter interface {
	// ColumnNotes lists the notes about the columns of the files.
	ColumnNotes() []ColumnNote
}
