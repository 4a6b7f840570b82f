package engine

import (
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/semlayer/semlayer/planner/plan"
)

// statementCache holds compiled statements, because a dashboard repeats the same
// queries all day and planning them again is a waste. A compiled statement depends on
// the model, the query, the target and the bounds of its relative ranges: the model of an
// engine does not change, query and target are the key, and the bounds are compared with those of
// now. Statements whose conditions hold the time of compilation are not cached. Errors are not cached: people read them and do not repeat the query.
// The key is the decoded query and not the bytes of a request, so that each body is read strictly, and queries that
// are written in different ways share a statement.
type statementCache struct {
	cache *lru.Cache[string, *compiledQuery] // nil: nothing is kept
}

// maxCachedStatementBytes bounds the key and the SQL of a statement together, so that few
// long queries cannot fill the memory.
const maxCachedStatementBytes = 16 << 10

// newStatementCache keeps n statements, those that were requested last.
func newStatementCache(n int) (*statementCache, error) {
	if n < 0 {
		return &statementCache{}, nil
	}
	kept, err := lru.New[string, *compiledQuery](n)
	return &statementCache{kept}, err
}

// cacheKeyAppender is a query that can append its cache key.
type cacheKeyAppender interface{ AppendCacheKey(to []byte) []byte }

// getOrCompile returns what q was compiled to for t and a reader of a key before, or compiles it: compile has the length of the query. Resolve returns the
// relative ranges that q has now; it is nil for a statement in SQL, which has none.
func (s *statementCache) getOrCompile(
	q cacheKeyAppender, t compileTarget, reader string, resolve func() ([]plan.ResolvedTimeRange, error), compile func(queryBytes int) (*compiledQuery, error),
) (*compiledQuery, error) {
	var room [512]byte
	key := string(append(t.appendCacheKey(q.AppendCacheKey(room[:0])), reader...))
	if s.cache == nil {
		return compile(len(key))
	}
	if c, ok := s.cache.Get(key); ok {
		if here, ok := c.copyIfTimeRangesUnchanged(resolve); ok {
			here.target = t
			return &here, nil
		}
	}
	c, err := compile(len(key))
	if err == nil && !c.readsNow && len(key)+len(c.sql)+len(c.countSQL) <= maxCachedStatementBytes {
		s.cache.Add(key, c)
	}
	return c, err
}

// copyIfTimeRangesUnchanged returns a copy of a statement with the ranges of now; false where their bounds have moved.
func (c *compiledQuery) copyIfTimeRangesUnchanged(resolve func() ([]plan.ResolvedTimeRange, error)) (compiledQuery, bool) {
	here := *c
	if len(c.resolved) == 0 || resolve == nil {
		return here, true
	}
	now, err := resolve()
	if err != nil || !slices.EqualFunc(c.resolved, now, haveSameBounds) {
		return here, false
	}
	here.end.ResolvedTimeRange = newResolvedTimeRange(now)
	return here, true
}

func haveSameBounds(a, b plan.ResolvedTimeRange) bool {
	a.AsOf = b.AsOf
	return a == b
}
