package duckdb

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// maxCachedFastStatements and maxCachedFastStatementBytes bound the remembered statements: their number, and
	// the bytes of each.
	maxCachedFastStatements     = 512
	maxCachedFastStatementBytes = 16 << 10
	// maxFastStatementTime is the longest duration of a fast statement.
	maxFastStatementTime = 50 * time.Millisecond
)

// fastStatementCache remembers the statements whose last run was fast. DuckDB can be interrupted
// only between the steps of a plan, and one step of a heavy plan may take seconds; a
// statement that was fast as a whole has no such step. Two other causes of a late interrupt
// switch the cache off: files and networks that SQL reads, which may change or wait, and a
// database on a file system that waits for a network.
type fastStatementCache struct {
	statements *lru.Cache[string, struct{}] // nil: no statement counts as fast
}

func newFastStatementCache(o Options) fastStatementCache {
	if o.ExternalAccess || o.Data != nil || !o.isInMemory() && !isOnLocalFileSystem(o.Path) {
		return fastStatementCache{}
	}
	seen, err := lru.New[string, struct{}](maxCachedFastStatements)
	if err != nil {
		panic(err) // the size is a constant
	}
	return fastStatementCache{statements: seen}
}

// recordIfFast adds a statement that ran to its end, if it was fast.
func (s fastStatementCache) recordIfFast(sql string, took time.Duration) {
	if s.statements != nil && took <= maxFastStatementTime && len(sql) <= maxCachedFastStatementBytes {
		s.statements.Add(sql, struct{}{})
	}
}

// CancelsPromptly reports whether the last run of the statement was fast. The entry is used
// once: after the next run the statement counts as promptly cancelled only if that run was fast too.
func (e *Executor) CancelsPromptly(sql string) bool {
	return e.fast.statements != nil && e.fast.statements.Remove(sql)
}
