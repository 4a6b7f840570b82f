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
	// quick is how long a statement may have taken to be trusted the next time. Every
	// budget that there can be is many times as long.
	quick = 50 * time.Millisecond
)

// statements remembers which statements ran quickly. DuckDB can be interrupted between
// the steps of a plan only, and a step of a heavy one may take seconds; a statement that
// was quick as a whole has no such step. What reads files and networks may stall all the
// same, so nothing is remembered where a database lets it.
type statements struct {
	seen *lru.Cache[string, struct{}] // nil remembers nothing
}

func newStatements(o Options) statements {
	if o.ExternalAccess {
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
	switch {
	case s.seen == nil || len(sql) > longestQuick:
	case took <= quick:
		s.seen.Add(sql, struct{}{})
	default:
		s.seen.Remove(sql)
	}
}

// Prompt reports whether the statement ran quickly when it ran last.
func (e *Executor) Prompt(sql string) bool {
	return e.statements.seen != nil && e.statements.seen.Contains(sql)
}
