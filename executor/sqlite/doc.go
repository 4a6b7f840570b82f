// Package sqlite runs statements on a SQLite file, in this process.
//
//	Query ─► pool of connections ─► Prepare, Step, Step … ─► Rows
//	                                             │ Next
//	                    values of any class ─► Arrow builders ─► RecordBatch
//
// The library is SQLite itself, translated to Go; nothing is linked with cgo. It
// is called directly and not through database/sql, because that has no way to
// reject a second statement in one text, to lock a connection down, or to read
// a value as what it is: the driver there turns texts into times on its own.
//
// # What a statement may do
//
// Reading. The file is opened read-only and never created. An authorizer rejects everything
// that is not part of a SELECT, ATTACH, PRAGMA and load_extension above all; the connection is
// in defensive mode, does not trust functions in the schema, and does not read double-quoted
// text as a string when no such name exists.
//
// # Letters
//
// SQLite itself folds the case of ASCII letters only. LOWER, UPPER and LIKE of a statement fold
// that of all letters, one to one, by functions that a connection adds; see case_functions.go. LIKE takes
// no longer than the letters of the text times those of the pattern. GLOB, which LIKE of a
// query becomes, is SQLite's own.
//
// # How types travel
//
// A column of SQLite has no type: each value has its own class (integer, real, text, blob), and
// the declared type is advice. The executor therefore derives the type from the rows. It reads
// the first ones, up to 65,536 of them, before it returns the schema:
//
//	all integers          int64; boolean where the column is declared BOOLEAN
//	reals, with or        float64; text of kind number where an integer among
//	without integers      them has no exact double
//	any text              text; kind JSON where the column is declared JSON
//	any blob              binary
//	nothing but nulls     what the declaration says; without one, null when the
//	                      result ended, else text of kind JSON
//
// A column declared REAL, NUMERIC or DECIMAL is float64 also where all its values
// happen to be whole. A value that comes later and does not fit ends the
// statement with an error of code driver: a CAST in the model settles what the
// column is.
//
// SQLite has no dates, no decimals and no booleans. Dates and times are text in ISO form,
// decimals are doubles or integers, conditions are 0 and 1. The author of the statement marks
// them for the JSON writer with a hint. SUM over integers fails beyond 64 bits and does not
// wrap.
//
// # The end of a call
//
// When a context ends, the statement is interrupted until it has returned, and its
// connection is closed. A writer that holds the file locked is waited for, five
// seconds at most.
package sqlite
