package gate

import "sync/atomic"

// Gate is a counter with a ceiling. The zero value has no slots; use New.
type Gate struct {
	capacity int64
	inUse    atomic.Int64
	refused  atomic.Int64
}

// New returns a gate with capacity slots; a capacity below one counts as one.
func New(capacity int) *Gate {
	return &Gate{capacity: int64(max(capacity, 1))}
}

// TryAcquire takes a slot if one is free. The returned release gives it back
// exactly once, however often and from whichever goroutine it is called; it is
// nil when ok is false.
func (g *Gate) TryAcquire() (release func(), ok bool) {
	for {
		n := g.inUse.Load()
		if n >= g.capacity {
			g.refused.Add(1)
			return nil, false
		}
		if g.inUse.CompareAndSwap(n, n+1) {
			break
		}
	}
	var released atomic.Bool
	return func() {
		if released.CompareAndSwap(false, true) {
			g.inUse.Add(-1)
		}
	}, true
}

// InUse returns the number of slots that are taken now.
func (g *Gate) InUse() int { return int(g.inUse.Load()) }

// Refused returns how often TryAcquire found no slot.
func (g *Gate) Refused() int64 { return g.refused.Load() }

// Cap returns the number of slots there are.
func (g *Gate) Cap() int { return int(g.capacity) }
