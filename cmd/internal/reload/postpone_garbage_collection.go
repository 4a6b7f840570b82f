package reload

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// loadHeapAllowance is what a load may allocate before the garbage collector runs after all. A
// model of 1000 datasets takes about a quarter of it.
const loadHeapAllowance = 256 << 20

// postponeGarbageCollection postpones the garbage collector until the returned function is called, which collects.
// A load allocates in milliseconds what the requests allocate in seconds. A collection that runs
// meanwhile makes the requests pay for it: each that allocates marks memory first. A
// collection after the load finds no debt. The setting is that of the whole process, so
// that one goroutine at a time may use it. A memory limit of the process stays.
func postponeGarbageCollection() (collect func()) {
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, usedMemory()+loadHeapAllowance))
	return func() {
		runtime.GC()
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}
}

// usedMemory is the memory that a memory limit counts, in bytes.
func usedMemory() int64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
