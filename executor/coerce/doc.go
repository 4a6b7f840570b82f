// Package coerce gives the columns of a result the types that their hints declare, where the
// warehouse has no such type.
//
//	executor.Rows ─► Rows(rows, hints) ─► executor.Rows
//	  int8, int32, utf8                     bool, date32, timestamp[us, UTC]
//
// A condition is an integer on MySQL, and a date is text on SQLite. The writer of JSON takes
// the hints itself, because it only produces the spelling of a value. An Arrow stream has a
// schema, which the client sees before the first row: there a column has to become another
// column, and this package converts it. Both ways lead to the same values.
//
// A column that already has the type of its hint passes through untouched, and a result without
// other columns is returned as it was. A timestamp that only gets its time zone shares the
// memory of its values; the rest is converted batch by batch.
//
// One case differs from JSON: a string that does not parse as the type of its hint. JSON passes
// the string on, but a typed column cannot hold it: the result fails with code driver and the
// name of the column.
package coerce
