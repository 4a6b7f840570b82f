package engine

import (
	lru "github.com/hashicorp/golang-lru/v2"
)

// statementCache holds compiled statements, because a dashboard repeats the same
// queries all day and planning them again is a waste. A compiled statement depends on
// the model, the query and the target alone: the model of an engine does not change,
// the clock is never read, and the other two are the key. Errors are not cached:
// people read them and do not repeat the query.
type statementCache struct {
	cache *lru.Cache[string, *compiled] // nil: nothing is kept
}

// maxCachedBytes bounds the key and the SQL of a statement together, so that few
// long queries cannot fill the memory.
const maxCachedBytes = 16 << 10

// newStatementCache keeps n statements, those that were asked for last.
func newStatementCache(n int) (*statementCache, error) {
	if n < 0 {
		return &statementCache{}, nil
	}
	kept, err := lru.New[string, *compiled](n)
	return &statementCache{kept}, err
}

// queryWithCacheKey is a query that can append its cache key.
type queryWithCacheKey interface{ AppendKey(to []byte) []byte }

// compiled returns what q was compiled to for t before, or compiles it.
func (s *statementCache) compiled(q queryWithCacheKey, t target, compile func() (*compiled, error)) (*compiled, error) {
	if s.cache == nil {
		return compile()
	}
	var room [512]byte
	key := string(t.appendCacheKey(q.AppendKey(room[:0])))
	if c, ok := s.cache.Get(key); ok {
		here := *c
		here.target = t
		return &here, nil
	}
	c, err := compile()
	if err == nil && len(key)+len(c.sql) <= maxCachedBytes {
		s.cache.Add(key, c)
	}
	return c, err
}
