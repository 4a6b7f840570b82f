package collector

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
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

// start starts a pacer over an empty heap.
func start(t *testing.T) *Pacer {
	t.Helper()
	allocated = nil
	runtime.GC()
	p := StartPacer()
	t.Cleanup(p.Stop)
	return p
}

func TestPacer_CollectsNothingBelowTheFloor(t *testing.T) {
	start(t)
	before := collections()
	for range 6 { // a collection begins some time before the heap has its size
		allocate(heapFloorBytes / 10)
	}
	if n := collections() - before; n != 0 {
		t.Errorf("%d collections below the floor", n)
	}
	for range 24 {
		allocate(heapFloorBytes / 10)
	}
	testwait.Until(t, "a collection ends", func() bool { return collections() != before })
	if n := collections() - before; n > 5 {
		t.Errorf("%d collections after three times the floor", n)
	}
}

func TestPacer_LetsALargeHeapGrowToTwiceItsSize(t *testing.T) {
	p := start(t)
	allocate(2 * heapFloorBytes)
	runtime.GC()
	p.setPercentAfterEachCollection(0) // which the runtime may call later
	if percent := debug.SetGCPercent(p.percentForNextCollection()); percent != defaultGCPercent {
		t.Errorf("the percentage is %d, want %d", percent, defaultGCPercent)
	}
}

func TestPacer_KeepsTheFloorAfterTheHeapHasGrown(t *testing.T) {
	p := start(t)
	small := p.percentForNextCollection()
	allocate(heapFloorBytes / 2)
	runtime.GC()
	if grown := p.percentForNextCollection(); grown >= small || grown > 110 {
		t.Errorf("the percentage is %d for a small heap and %d for half the floor", small, grown)
	}
}

func TestPacer_KeepsAChosenPercentage(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	t.Setenv("GOGC", "70")
	p := start(t)
	before := collections()
	end := p.Postpone()
	allocate(loadHeapAllowance / 4)
	during := collections() - before
	end()
	if after := collections() - before; during != 0 || after != 1 {
		t.Errorf("%d collections during the load and %d until its end, want 0 and 1", during, after)
	}
	if percent := debug.SetGCPercent(100); percent != 70 {
		t.Errorf("the percentage is %d", percent)
	}
}

func TestPostpone_CollectsAboveTheFloorOnly(t *testing.T) {
	for bytes, want := range map[int]uint32{heapFloorBytes / 4: 0, heapFloorBytes + heapFloorBytes/4: 1} {
		p := start(t)
		before := collections()
		end := p.Postpone()
		allocate(bytes)
		during := collections() - before
		end()
		if after := collections() - before; during != 0 || after != want {
			t.Errorf("%d MiB: %d collections during the load and %d until its end, want 0 and %d", bytes>>20, during, after, want)
		}
		p.Stop()
	}
}

func TestPostpone_BoundsTheHeap(t *testing.T) {
	end := start(t).Postpone()
	defer end()
	before := collections()
	for range 8 {
		allocate(loadHeapAllowance / 4)
	}
	// One that has begun counts when it ends, which a busy machine puts off.
	testwait.Until(t, "a collection ends, because twice the allowance was allocated", func() bool { return collections() != before })
}

func TestPacer_RestoresTheSettings(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(70))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	p := StartPacer()
	p.Postpone()()
	p.Stop()
	if limit := debug.SetMemoryLimit(math.MaxInt64); limit != 1<<40 {
		t.Errorf("the memory limit is %d afterwards", limit)
	}
	if percent := debug.SetGCPercent(100); percent != 70 {
		t.Errorf("the percentage is %d afterwards", percent)
	}
}
