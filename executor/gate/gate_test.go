package gate_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/executor/gate"
)

func TestGate_FullRejectsUntilRelease(t *testing.T) {
	g := gate.New(2)
	first, ok := g.TryAcquire()
	if !ok {
		t.Fatal("first slot refused")
	}
	if _, ok := g.TryAcquire(); !ok {
		t.Fatal("second slot refused")
	}
	if release, ok := g.TryAcquire(); ok || release != nil {
		t.Fatal("third slot of two granted")
	}
	if g.InUse() != 2 || g.Cap() != 2 {
		t.Fatalf("in use %d of %d, want 2 of 2", g.InUse(), g.Cap())
	}
	if g.Refused() != 1 {
		t.Fatalf("%d refusals counted, want 1", g.Refused())
	}
	first()
	if _, ok := g.TryAcquire(); !ok {
		t.Fatal("a released slot was not granted again")
	}
}

func TestGate_DoubleReleaseFreesOneSlot(t *testing.T) {
	g := gate.New(2)
	first, _ := g.TryAcquire()
	_, _ = g.TryAcquire()
	first()
	first()
	if g.InUse() != 1 {
		t.Fatalf("in use %d, want 1", g.InUse())
	}
}

func TestGate_CapacityAtLeastOne(t *testing.T) {
	if got := gate.New(0).Cap(); got != 1 {
		t.Fatalf("capacity %d, want 1", got)
	}
}

func TestGate_CapacityHoldsUnderContention(t *testing.T) {
	const slots, workers, rounds = 3, 16, 500
	g := gate.New(slots)
	var running, granted atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				release, ok := g.TryAcquire()
				if !ok {
					continue
				}
				granted.Add(1)
				if n := running.Add(1); n > slots {
					t.Errorf("%d permits at once, want at most %d", n, slots)
				}
				running.Add(-1)
				release()
			}
		})
	}
	wg.Wait()
	if g.InUse() != 0 || granted.Load() == 0 {
		t.Fatalf("in use %d after all releases, %d granted", g.InUse(), granted.Load())
	}
}
