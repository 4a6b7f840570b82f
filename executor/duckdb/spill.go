package duckdb

import "os"

// spill is the directory for what a statement cannot hold in memory. Left to
// itself, DuckDB makes one beside the database file or, for a database in memory,
// in the working directory of the process: places that a service may not write, or
// share with another process that does the same. This one is nobody else's, and
// only its owner may look into it.
type spill struct{ path string }

// newSpill makes the directory where the system wants temporary files. Where there
// is no room for it, the path is empty: a statement that needs more than its memory
// is then refused, and all others run.
func newSpill() spill {
	path, err := os.MkdirTemp("", "semlayer-duckdb-")
	if err != nil {
		return spill{}
	}
	return spill{path}
}

// remove deletes the directory with what is left in it.
func (s spill) remove() {
	if s.path != "" {
		// What cannot be deleted now is left to whoever cleans up temporary files.
		_ = os.RemoveAll(s.path)
	}
}
