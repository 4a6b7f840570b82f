package semaphore

import "sync/atomic"

// NonBlockingSemaphore is a counter with a ceiling. The zero value has no slots; use New.
type NonBlockingSemaphore struct {
	capacity int64
	inUse    atomic.Int64
	refused  atomic.Int64
}

// NewNonBlockingSemaphore returns a semaphore of capacity slots; a capacity below one counts as one.
func NewNonBlockingSemaphore(capacity int) *NonBlockingSemaphore {
	return &NonBlockingSemaphore{capacity: int64(max(capacity, 1))}
}

// TryAcquire takes a slot if one is free. The returned function releases it exactly once; it
// may be called several times and from any goroutine. It is nil when ok is false.
func (s *NonBlockingSemaphore) TryAcquire() (release func(), ok bool) {
	if release, ok = s.TryAcquireQuietly(); !ok {
		s.CountRefusal()
	}
	return release, ok
}

// CountRefusal counts a caller that got no slot.
func (s *NonBlockingSemaphore) CountRefusal() { s.refused.Add(1) }

// TryAcquireQuietly is TryAcquire for a caller that waits and tries again: it counts no rejection.
func (s *NonBlockingSemaphore) TryAcquireQuietly() (release func(), ok bool) {
	for {
		n := s.inUse.Load()
		if n >= s.capacity {
			return nil, false
		}
		if s.inUse.CompareAndSwap(n, n+1) {
			break
		}
	}
	var released atomic.Bool
	return func() {
		if released.CompareAndSwap(false, true) {
			s.inUse.Add(-1)
		}
	}, true
}

// TakenCount returns the number of slots that are taken now.
func (s *NonBlockingSemaphore) TakenCount() int { return int(s.inUse.Load()) }

// RefusedAcquireCount returns how often TryAcquire found no slot.
func (s *NonBlockingSemaphore) RefusedAcquireCount() int64 { return s.refused.Load() }

// Capacity returns the number of slots.
func (s *NonBlockingSemaphore) Capacity() int { return int(s.capacity) }
