package engine

import (
	"context"
	"sync"
)

// sharedSlot is the one slot of the statements of a request. It is taken by the first that needs it, and given back when the request and
// all of its statements have ended: a statement that other requests wait for may outlive the request.
type sharedSlot struct {
	take slotTaker

	mu      sync.Mutex
	users   int // the request, and statements
	release func()
	closed  bool
}

// acquire counts a statement, for which it takes the slot if that is not taken.
func (s *sharedSlot) acquire(ctx context.Context) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 {
		if s.release, err = s.take(ctx); err != nil {
			return nil, err
		}
		if !s.closed {
			s.users++
		}
	}
	s.users++
	return sync.OnceFunc(s.leave), nil
}

func (s *sharedSlot) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users == 0 {
		s.release()
	}
}

// close ends the request.
func (s *sharedSlot) close() {
	s.mu.Lock()
	held := s.users > 0 && !s.closed
	s.closed = true
	s.mu.Unlock()
	if held {
		s.leave()
	}
}
