package duckdb

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// mostQuick and longestQuick bound what is remembered of statements: their number,
	// and the bytes of each.
	mostQuick    = 512
	longestQuick = 16 << 10
	// quick is how long a statement may have taken to be trusted the next time.
	quick = 50 * time.Millisecond
)

// statements remembers which statements ran quickly when they ran last. DuckDB can be
// interrupted between the steps of a plan only, and one step of a heavy plan may take
// seconds; a statement that was quick as a whole has none. Other reasons to be late are
// shut out where that can be: files and networks that SQL reads, and a database on a
// file system that waits for a network.
type statements struct {
	seen *lru.Cache[string, struct{}] // nil trusts none
}

func newStatements(o Options) statements {
	if o.ExternalAccess || !o.inMemory() && !onLocalDisk(o.Path) {
		return statements{}
	}
	seen, err := lru.New[string, struct{}](mostQuick)
	if err != nil {
		panic(err) // the size is a constant
	}
	return statements{seen: seen}
}

// ended takes note of a statement that ran to its end.
func (s statements) ended(sql string, took time.Duration) {
	if s.seen != nil && took <= quick && len(sql) <= longestQuick {
		s.seen.Add(sql, struct{}{})
	}
}

// Prompt reports whether the statement was quick when it ran last, and trusts it once:
// only another quick end makes it prompt again.
func (e *Executor) Prompt(sql string) bool {
	return e.quick.seen != nil && e.quick.seen.Remove(sql)
}
