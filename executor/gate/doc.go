// Package gate bounds how many executions run at once.
//
// A gate never queues: a request either gets a permit now or is told that all
// slots are taken, and the client decides when to come back. A permit is a
// function that gives the slot back. It ends when the call it stands for has
// really ended, which may be long after the caller stopped waiting for it: an
// abandoned statement still uses the warehouse, and a gate that forgot about
// it would let the load grow without bound.
//
//	release, ok := g.TryAcquire()
//	if !ok { … busy … }
//	go func() { defer release(); … the call … }()
package gate
