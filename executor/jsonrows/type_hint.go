package jsonrows

// TypeHint declares the type of a column where the warehouse's own type cannot.
type TypeHint uint8

// The hints. A hint changes nothing if it does not fit the column's type, or if the
// value does not parse as the type of the hint.
const (
	// HintNone leaves the column at its own type.
	HintNone TypeHint = iota
	// HintBoolean turns numbers (0 is false), bits and the texts 0, 1, t, f, true
	// and false into booleans.
	HintBoolean
	// HintDate writes timestamps, and texts that begin with YYYY-MM-DD, as dates.
	HintDate
	// HintTimestamp writes dates, and texts such as 2024-01-05 10:00:00, as
	// timestamps, and a timestamp with a zone as its clock in UTC.
	HintTimestamp
	// HintUTCTimestamp is Timestamp in UTC: a value without a zone is written with a Z, as a timestamp
	// with a zone is, and a text with a zone is converted.
	HintUTCTimestamp
)

// TypeHints maps column names to hints.
type TypeHints map[string]TypeHint
