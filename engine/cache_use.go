package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/executor/resultcache"
)

// CacheUse is how the result cache and rollups have served a request. Several goroutines may use it.
type CacheUse struct {
	outer   *CacheUse // of the context; nil for the outermost
	mu      sync.Mutex
	outcome resultcache.Outcome
	age     time.Duration
	fresh   time.Time // when the oldest fresh rows of rollups were read; zero without any
	rollups []string
}

type cacheUseKey struct{}

// WithCacheUse returns a context whose executions report how the result cache has served them.
func WithCacheUse(ctx context.Context) (context.Context, *CacheUse) {
	outer, _ := ctx.Value(cacheUseKey{}).(*CacheUse)
	u := &CacheUse{outer: outer}
	return context.WithValue(ctx, cacheUseKey{}, u), u
}

// Outcome is hit, shared, miss or bypass: of several statements the first of bypass, miss, shared and hit that one of them has. It is ""
// where no statement was run with a result cache.
func (u *CacheUse) Outcome() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return string(u.outcome)
}

// Age is how old the result is, of several statements the oldest; false where it is new.
func (u *CacheUse) Age() (time.Duration, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.age, u.outcome == resultcache.Hit || u.outcome == resultcache.Shared
}

// freshSince is the time at which the oldest fresh rows of rollups were read; zero where no statement with a result cache reads any.
func (u *CacheUse) freshSince() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.fresh
}

// Rollups names the rollups whose tables the executions read, each once.
func (u *CacheUse) Rollups() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.rollups)
}

// recordRollupUse counts what the branches of an execution read, and notes the rollups among it for the caller and for the audit log.
func (e *Engine) recordRollupUse(ctx context.Context, queries []*compiledQuery) {
	var names []string
	for _, c := range queries {
		for _, use := range c.end.Rollups {
			if use.Rollup == nil {
				e.warehouses.rollups.base.Add(1)
				continue
			}
			e.warehouses.rollups.rolled.Add(1)
			if !slices.Contains(names, *use.Rollup) {
				names = append(names, *use.Rollup)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	for u, _ := ctx.Value(cacheUseKey{}).(*CacheUse); u != nil; u = u.outer {
		u.mu.Lock()
		u.rollups = appendNew(u.rollups, names)
		u.mu.Unlock()
	}
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) { f.Rollups = appendNew(f.Rollups, names) })
}

// appendNew appends the names that are not in a list yet.
func appendNew(to, names []string) []string {
	for _, name := range names {
		if !slices.Contains(to, name) {
			to = append(to, name)
		}
	}
	return to
}

// RollupBranches returns how many branches of executions have read a rollup, and how many the base tables of a model that declares one.
func (e *Engine) RollupBranches() (rollup, base int64) {
	return e.warehouses.rollups.rolled.Load(), e.warehouses.rollups.base.Load()
}

// outcomesByPrecedence are the outcomes in the order in which one of them stands for several statements.
var outcomesByPrecedence = []resultcache.Outcome{resultcache.Bypass, resultcache.Miss, resultcache.Shared, resultcache.Hit}

// outcomeOfBoth returns the outcome that stands for two statements; "" without any.
func outcomeOfBoth(a, b resultcache.Outcome) resultcache.Outcome {
	if a == "" || b != "" && slices.Index(outcomesByPrecedence, b) < slices.Index(outcomesByPrecedence, a) {
		return b
	}
	return a
}

// recordCacheUse notes how a statement was served, for the caller and for the audit log, and when its fresh rows of rollups were read.
func recordCacheUse(ctx context.Context, outcome resultcache.Outcome, age time.Duration, fresh time.Time) {
	for u, _ := ctx.Value(cacheUseKey{}).(*CacheUse); u != nil; u = u.outer {
		u.mu.Lock()
		u.outcome, u.age = outcomeOfBoth(u.outcome, outcome), max(u.age, age)
		if u.fresh.IsZero() || !fresh.IsZero() && fresh.Before(u.fresh) {
			u.fresh = fresh
		}
		u.mu.Unlock()
	}
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) { f.Cache = string(outcomeOfBoth(resultcache.Outcome(f.Cache), outcome)) })
}

// recordKeptRows notes the rows of a result for which no statement was run.
func recordKeptRows(ctx context.Context, rows int64) {
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) {
		f.Executed = true
		f.Rows += rows
	})
}
