package duckdb

import "strings"

const (
	// longConstantBytes is the length from which on a constant counts.
	longConstantBytes = 64
	// rowsInFlight are the rows that DuckDB computes before it gives the first ones: a chunk in each of two threads. It copies the
	// constants of the items into each of them, and its limit of memory does not count that.
	rowsInFlight = 2 * 2048
)

// longConstantBytesInFlight returns the memory that DuckDB may take for the long constants of a statement.
func longConstantBytesInFlight(sql string) (n int) {
	for {
		start := strings.IndexAny(sql, `'"`)
		if start < 0 {
			return n
		}
		quote := sql[start]
		sql = sql[start+1:]
		end := strings.IndexByte(sql, quote) // a doubled quote ends one text and begins another
		if end < 0 {
			return n
		}
		if quote == '\'' && end >= longConstantBytes {
			n += rowsInFlight * end
		}
		sql = sql[end+1:]
	}
}
