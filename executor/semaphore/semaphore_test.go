package semaphore_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/executor/semaphore"
)

func TestSemaphore_FullRejectsUntilRelease(t *testing.T) {
	s := semaphore.NewNonBlockingSemaphore(2)
	first, ok := s.TryAcquire()
	if !ok {
		t.Fatal("first slot refused")
	}
	if _, ok := s.TryAcquire(); !ok {
		t.Fatal("second slot refused")
	}
	if release, ok := s.TryAcquire(); ok || release != nil {
		t.Fatal("third slot of two granted")
	}
	if s.TakenCount() != 2 || s.Capacity() != 2 {
		t.Fatalf("in use %d of %d, want 2 of 2", s.TakenCount(), s.Capacity())
	}
	if s.RefusedAcquireCount() != 1 {
		t.Fatalf("%d refusals counted, want 1", s.RefusedAcquireCount())
	}
	first()
	if _, ok := s.TryAcquire(); !ok {
		t.Fatal("a released slot was not granted again")
	}
}

func TestSemaphore_DoubleReleaseFreesOneSlot(t *testing.T) {
	s := semaphore.NewNonBlockingSemaphore(2)
	first, _ := s.TryAcquire()
	_, _ = s.TryAcquire()
	first()
	first()
	if s.TakenCount() != 1 {
		t.Fatalf("in use %d, want 1", s.TakenCount())
	}
}

func TestSemaphore_CapacityAtLeastOne(t *testing.T) {
	if got := semaphore.NewNonBlockingSemaphore(0).Capacity(); got != 1 {
		t.Fatalf("capacity %d, want 1", got)
	}
}

func TestSemaphore_CapacityHoldsUnderContention(t *testing.T) {
	const slots, workers, rounds = 3, 16, 500
	s := semaphore.NewNonBlockingSemaphore(slots)
	var running, granted atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range rounds {
				release, ok := s.TryAcquire()
				if !ok {
					continue
				}
				granted.Add(1)
				if n := running.Add(1); n > slots {
					t.Errorf("%d slots taken at once, want at most %d", n, slots)
				}
				running.Add(-1)
				release()
			}
		})
	}
	wg.Wait()
	if s.TakenCount() != 0 || granted.Load() == 0 {
		t.Fatalf("in use %d after all releases, %d granted", s.TakenCount(), granted.Load())
	}
}
