// Package jsontext appends single values to a byte slice in the spelling that
// the service's JSON has: exact numbers, ISO 8601 dates, escaped text.
//
// It exists so that a value is written the same everywhere: as a column by jsonrows, or inside
// a nested value by a driver. Every function appends to dst and returns it, allocates nothing
// else, and cannot fail. The functions for dates, times and intervals append bare text; the
// caller adds the quotation marks.
package jsontext
