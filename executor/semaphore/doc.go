// Package semaphore bounds the number of executions that run at the same time.
//
// A semaphore never queues: TryAcquire returns a slot at once or reports that all slots are
// taken, and the client decides when to retry. The slot comes with a function that releases
// it. The caller releases the slot when the call has really ended, which may be long after
// the caller stopped waiting for it: an abandoned statement still uses the warehouse. If its
// slot were free before, the load would grow without bound.
//
//	release, ok := s.TryAcquire()
//	if !ok { … busy … }
//	go func() { defer release(); … the call … }()
package semaphore
