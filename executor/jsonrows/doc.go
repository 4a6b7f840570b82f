// Package jsonrows writes record batches as the rows of the execute response:
// one JSON object a row, keyed by column name, in column order.
//
//	RecordBatch ─► one encoder a column ─► []byte   {"status":"paid","revenue":12.50},{…
//
// Values are written straight from Arrow's buffers into the response: there is
// no value of type any in between, no map, and no second pass by an encoder of
// JSON. That is what makes the numbers exact (an integer of 39 digits and a
// decimal never become a float) and the writer fast.
//
// # How values look
//
// Integers and decimals are exact numbers in plain notation, floats the
// shortest text that reads back, NaN and the infinities null. A date is
// "2024-01-05", a timestamp "2024-01-05T10:00:00" with a fraction only when
// there is one and Z when the column has a time zone, a time "10:00:00", an
// interval an ISO 8601 duration. Binary is base64. Text is escaped, and invalid
// UTF-8 in it is replaced. Text columns that carry executor.TextKindDecimal or
// executor.TextKindJSON are written as what they mean; lists, structs and maps
// become JSON values as well.
//
// # Hints
//
// Some warehouses have no booleans, others no dates. The author of the SQL can declare the type
// of a column with a Hint, and the column is then written like that of a warehouse that has the
// type.
package jsonrows
