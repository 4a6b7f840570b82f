package engine

import (
	lru "github.com/hashicorp/golang-lru/v2"
)

// statements remembers what was compiled, because a dashboard asks the same
// questions all day and each is planned from scratch otherwise. What a query
// compiles to depends on the model, the query and the target alone; the model of
// an engine does not change, the clock is never read, and the other two are the
// key. Refusals are not kept: they are for people, who do not repeat them.
type statements struct {
	kept *lru.Cache[string, *compiled] // nil: nothing is kept
}

// maxRemembered bounds the key and the SQL of a statement together, so that few
// long queries cannot fill the memory.
const maxRemembered = 16 << 10

// newStatements keeps n statements, those that were asked for last.
func newStatements(n int) (*statements, error) {
	if n < 0 {
		return &statements{}, nil
	}
	kept, err := lru.New[string, *compiled](n)
	return &statements{kept}, err
}

// keyed is a query that can stand for what it compiles to.
type keyed interface{ AppendKey(to []byte) []byte }

// compiled returns what q was compiled to for t before, or compiles it.
func (s *statements) compiled(q keyed, t target, compile func() (*compiled, error)) (*compiled, error) {
	if s.kept == nil {
		return compile()
	}
	var room [512]byte
	key := string(t.appendKey(q.AppendKey(room[:0])))
	if c, ok := s.kept.Get(key); ok {
		here := *c
		here.target = t
		return &here, nil
	}
	c, err := compile()
	if err == nil && len(key)+len(c.sql) <= maxRemembered {
		s.kept.Add(key, c)
	}
	return c, err
}
