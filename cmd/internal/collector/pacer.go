// Package collector decides when the garbage collector of a server runs.
package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	// heapFloorBytes is the size in bytes up to which the heap grows without a collection. The heap of a server is small and
	// its requests allocate fast: at twice its live size it is collected many times a second, and each collection takes
	// the cores from the requests for milliseconds.
	heapFloorBytes = 64 << 20
	// minLiveHeapBytes is the least live size in bytes that the runtime computes with.
	minLiveHeapBytes = 4 << 20
	// defaultGCPercent is the percentage of the runtime without GOGC.
	defaultGCPercent = 100
	// loadHeapAllowance is what a load may allocate before the garbage collector runs after all. A model of
	// 1000 datasets takes about an eighth of it.
	loadHeapAllowance = 256 << 20
)

// Pacer sets the percentage of the garbage collector, which is that of the whole process. The memory limit of
// the process stays in force. Its methods may run at the same time.
type Pacer struct {
	mu        sync.Mutex
	former    int // percentage that Stop restores
	keepFloor bool
	postponed bool
	stopped   bool
}

// collectionSentinel is garbage from its start, so that its cleanup runs after the next collection.
type collectionSentinel struct{ _ [4]uint64 }

// StartPacer lets the heap grow to 64 MiB before it is collected, until Stop. A process whose variable GOGC is
// set keeps that percentage.
func StartPacer() *Pacer {
	_, chosen := os.LookupEnv("GOGC")
	p := &Pacer{keepFloor: !chosen}
	p.former = debug.SetGCPercent(defaultGCPercent)
	debug.SetGCPercent(p.former)
	p.setPercentAfterEachCollection(0)
	return p
}

// Stop restores the percentage of before StartPacer.
func (p *Pacer) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	debug.SetGCPercent(p.former)
}

// setPercentAfterEachCollection sets the percentage for the present live size, now and after each collection.
func (p *Pacer) setPercentAfterEachCollection(int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped || !p.keepFloor {
		return
	}
	runtime.AddCleanup(&collectionSentinel{}, p.setPercentAfterEachCollection, 0)
	if !p.postponed {
		debug.SetGCPercent(p.percentForNextCollection())
	}
}

// percentForNextCollection returns the percentage with which the next collection begins at the floor, or at twice the live size where that is more.
func (p *Pacer) percentForNextCollection() int {
	if !p.keepFloor {
		return p.former
	}
	live := max(minLiveHeapBytes, readRuntimeMetric("/gc/heap/live:bytes"))
	return max(defaultGCPercent, int((heapFloorBytes-live)*100/(live+readRuntimeMetric("/gc/scan/stack:bytes")+readRuntimeMetric("/gc/scan/globals:bytes"))))
}

// Postpone postpones the garbage collector until the returned function is called, which collects where the heap is above the floor.
// A load allocates in milliseconds what the requests allocate in seconds. A collection that runs meanwhile makes the
// requests pay for it: each that allocates marks memory first. A collection after the load finds no debt. One goroutine at a time may
// use it. The returned function must not run on a thread of low priority: the collector
// stops every request until the thread that began the collection continues.
func (p *Pacer) Postpone() (end func()) {
	p.setPostponed(true)
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, usedMemory()+loadHeapAllowance))
	return func() {
		if !p.keepFloor || readRuntimeMetric("/memory/classes/heap/objects:bytes") > heapFloorBytes {
			runtime.GC()
		}
		debug.SetMemoryLimit(limit)
		p.setPostponed(false)
	}
}

func (p *Pacer) setPostponed(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.postponed = is
	switch {
	case p.stopped:
	case is:
		debug.SetGCPercent(-1)
	default:
		debug.SetGCPercent(p.percentForNextCollection())
	}
}

// usedMemory returns the memory that a memory limit counts, in bytes.
func usedMemory() int64 {
	return readRuntimeMetric("/memory/classes/total:bytes") - readRuntimeMetric("/memory/classes/heap/released:bytes")
}

func readRuntimeMetric(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
