package reload

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// policyOfThread returns the scheduling policy of the present thread.
func policyOfThread(t *testing.T) uint32 {
	t.Helper()
	a, err := unix.SchedGetAttr(presentThread, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a.Policy
}

func TestRunAtLowPriority_LowersOnlyItsThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := policyOfThread(t)
	var during uint32
	runAtLowPriority(func() { during = policyOfThread(t) })
	if after := policyOfThread(t); during != unix.SCHED_IDLE || after != before {
		t.Errorf("the policy is %d before, %d during and %d after, want %d during and no change after", before, during, after, unix.SCHED_IDLE)
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
