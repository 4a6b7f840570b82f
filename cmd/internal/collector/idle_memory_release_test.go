package collector

import "testing"

func TestIdleCheck_ReleasesOnceAfterEachBurst(t *testing.T) {
	const much, little = 500 << 20, 100 << 20
	var c idleCheck
	for i, step := range []struct {
		cycles, used int64
		want         bool
	}{
		{7, much, false}, // a burst
		{9, much, false},
		{9, much, true}, // idle
		{9, much, false},
		{9, much, false},
		{10, little, false}, // another burst, without much memory
		{10, little, false},
		{12, much, false},
		{12, much, true},
	} {
		if got := c.mayRelease(step.cycles, step.used); got != step.want {
			t.Errorf("check %d: %v, want %v", i, got, step.want)
		}
	}
}
