package collector

import (
	"context"
	"runtime/debug"
	"time"
)

const (
	// idleCheckInterval is the time between two checks whether the process is idle.
	idleCheckInterval = 15 * time.Second
	// idleMemoryBytes is the memory of an idle process that is not worth a collection.
	idleMemoryBytes = 160 << 20
)

// ReleaseIdleMemory gives the memory that garbage takes back to the system when the process is idle, until ctx ends.
// The runtime alone collects an idle heap after two minutes and then gives it back slowly: until then the memory of a
// burst of requests counts against the limit of the container.
func ReleaseIdleMemory(ctx context.Context) {
	tick := time.NewTicker(idleCheckInterval)
	defer tick.Stop()
	var check idleCheck
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if check.mayRelease(readRuntimeMetric("/gc/cycles/total:gc-cycles"), usedMemory()) {
			debug.FreeOSMemory()
			check.cycles = readRuntimeMetric("/gc/cycles/total:gc-cycles")
		}
	}
}

// idleCheck finds the first check after a burst at which the process is idle.
type idleCheck struct {
	cycles   int64 // collections at the check before
	released bool  // since the last collection that the requests caused
}

// mayRelease reports whether memory is given back now: no collection has run since the check before, the process uses
// much memory, and it has not been given back since the last burst.
func (c *idleCheck) mayRelease(cycles, used int64) bool {
	idle := cycles == c.cycles
	c.cycles = cycles
	if !idle {
		c.released = false
		return false
	}
	if c.released || used < idleMemoryBytes {
		return false
	}
	c.released = true
	return true
}
