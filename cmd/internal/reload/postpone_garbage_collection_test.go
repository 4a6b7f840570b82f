package reload

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

// allocated keeps what a test allocates.
var allocated [][]byte

func allocate(bytes int) {
	allocated = nil
	for range bytes / (1 << 20) {
		allocated = append(allocated, make([]byte, 1<<20))
	}
}

func TestPostponeCollection_CollectsOnceAfterTheLoad(t *testing.T) {
	collect := postponeGarbageCollection()
	before := collections()
	allocate(loadHeapAllowance / 4)
	during := collections() - before
	collect()
	if after := collections() - before; during != 0 || after != 1 {
		t.Errorf("%d collections during the load and %d until its end, want 0 and 1", during, after)
	}
}

func TestPostponeCollection_BoundsTheHeap(t *testing.T) {
	collect := postponeGarbageCollection()
	defer collect()
	before := collections()
	for range 8 {
		allocate(loadHeapAllowance / 4)
	}
	if collections() == before {
		t.Errorf("no collection while %d MiB were allocated", 2*loadHeapAllowance>>20)
	}
}

func TestPostponeCollection_RestoresTheSettings(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	postponeGarbageCollection()()
	if limit := debug.SetMemoryLimit(math.MaxInt64); limit != 1<<40 {
		t.Errorf("the memory limit is %d afterwards", limit)
	}
	if percent := debug.SetGCPercent(100); percent != 70 {
		t.Errorf("the percentage is %d afterwards", percent)
	}
}
