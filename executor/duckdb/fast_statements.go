package duckdb

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// maxFastStatements and maxFastBytes bound the remembered statements: their number, and
	// the bytes of each.
	maxFastStatements = 512
	maxFastBytes      = 16 << 10
	// maxFastTime is the longest duration of a fast statement.
	maxFastTime = 50 * time.Millisecond
)

// fastStatements remembers the statements whose last run was fast. DuckDB can be interrupted
// only between the steps of a plan, and one step of a heavy plan may take seconds; a
// statement that was fast as a whole has no such step. Two other causes of a late interrupt
// switch the cache off: files and networks that SQL reads, which may change or wait, and a
// database on a file system that waits for a network.
type fastStatements struct {
	seen *lru.Cache[string, struct{}] // nil: no statement counts as fast
}

func newFastStatements(o Options) fastStatements {
	if o.ExternalAccess || o.Data != nil || !o.inMemory() && !isOnLocalDisk(o.Path) {
		return fastStatements{}
	}
	seen, err := lru.New[string, struct{}](maxFastStatements)
	if err != nil {
		panic(err) // the size is a constant
	}
	return fastStatements{seen: seen}
}

// recordFast adds a statement that ran to its end, if it was fast.
func (s fastStatements) recordFast(sql string, took time.Duration) {
	if s.seen != nil && took <= maxFastTime && len(sql) <= maxFastBytes {
		s.seen.Add(sql, struct{}{})
	}
}

// Interruptible reports whether the last run of the statement was fast. The entry is used
// once: after the next run the statement is interruptible only if that run was fast too.
func (e *Executor) Interruptible(sql string) bool {
	return e.fast.seen != nil && e.fast.seen.Remove(sql)
}
