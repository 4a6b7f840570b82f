package driver

import (
	"context"
	"sync"
)

// MaxAbandonedStatements bounds the statements that run on after they were abandoned. A thread or a
// function that computes cannot be ended from outside, so each of them keeps its cores and
// its memory.
const MaxAbandonedStatements = 4

// Slots bound the statements that run at once.
type Slots struct {
	taken chan struct{}

	mu        sync.Mutex
	abandoned int
}

// NewSlots makes n slots.
func NewSlots(n int) *Slots { return &Slots{taken: make(chan struct{}, n)} }

// Acquire waits for a slot. The error is that of ContextError.
func (s *Slots) Acquire(ctx context.Context) error {
	if err := ContextError(ctx); err != nil {
		return err
	}
	select {
	case s.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ContextError(ctx)
	}
}

// Release gives a slot back.
func (s *Slots) Release() { <-s.taken }

// TakenCount returns the number of slots that are taken.
func (s *Slots) TakenCount() int { return len(s.taken) }

// Capacity returns the number of slots.
func (s *Slots) Capacity() int { return cap(s.taken) }

// AbandonedStatementCount returns the number of statements that were abandoned and have not ended.
func (s *Slots) AbandonedStatementCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.abandoned
}

// SlotHolder holds a slot. A connection whose statement may have to be abandoned embeds it.
type SlotHolder struct{ abandoned bool }

// ReleaseSlotWhileStatementRuns frees the slot of a holder while its statement still runs. It reports
// whether it did; it does not if too many such statements run already.
func (s *Slots) ReleaseSlotWhileStatementRuns(h *SlotHolder) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.abandoned == MaxAbandonedStatements {
		return false
	}
	s.abandoned++
	h.abandoned = true
	s.Release()
	return true
}

// ReleaseSlotOfEndedStatement takes note that the statement of a holder has ended, and gives back its slot unless
// that was done by Abandon.
func (s *Slots) ReleaseSlotOfEndedStatement(h *SlotHolder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.abandoned {
		s.abandoned--
		return
	}
	s.Release()
}

// OpenConnectionWithSlot waits for a slot and opens a connection that holds it.
func OpenConnectionWithSlot[C any](ctx context.Context, s *Slots, open func(context.Context) (C, error)) (C, error) {
	if err := s.Acquire(ctx); err != nil {
		var none C
		return none, err
	}
	c, err := open(ctx)
	if err != nil {
		s.Release()
	}
	return c, err
}
