// Package coerce gives the columns of an answer the types that whoever wrote the
// statement knows, where the warehouse has none for them.
//
//	executor.Rows ─► Rows(rows, hints) ─► executor.Rows
//	  int8, int32, utf8                     bool, date32, timestamp[us, UTC]
//
// A condition is an integer on MySQL, and a date is text on SQLite. The writer of
// JSON takes the hints itself, because the spelling of a value is all it makes. An
// Arrow stream has a schema, which the client sees before the first row: there a
// column has to become another column, and that is what happens here. Both ways
// lead to the same values.
//
// A column whose type says already what the hint says passes through untouched, and
// an answer without such a column is returned as it was. A timestamp that only gets
// its time zone shares the memory of its values; the rest is converted batch by
// batch.
//
// The one difference to JSON is a text that does not read as what the hint says. JSON
// hands the text on, and a typed column cannot: the answer fails with code driver and
// the name of the column.
package coerce
