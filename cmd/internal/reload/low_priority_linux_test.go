package reload

import (
	"runtime"
	"syscall"
	"testing"
)

// niceValue is that of the present thread: getpriority(2) returns 20 minus it.
func niceValue(t *testing.T) int {
	t.Helper()
	p, err := syscall.Getpriority(priorityOfThread, syscall.Gettid())
	if err != nil {
		t.Fatal(err)
	}
	return 20 - p
}

func TestRunAtLowPriority_LowersOnlyItsThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := niceValue(t)
	var during int
	runAtLowPriority(func() { during = niceValue(t) })
	if after := niceValue(t); during != lowestPriority || after != before {
		t.Errorf("the nice value is %d before, %d during and %d after, want %d during and no change after", before, during, after, lowestPriority)
	}
}

func TestRunAtLowPriority_PassesPanicsOn(t *testing.T) {
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v", p)
		}
	}()
	runAtLowPriority(func() { panic("broken") })
}
