package browser_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// within fails unless something takes no longer than a time that is stated for an idle machine.
// The best of several attempts counts: other work of the machine makes an attempt longer, never shorter.
func within(t *testing.T, limit time.Duration, what string, measure func() time.Duration) {
	t.Helper()
	const attempts = 5
	var all []time.Duration
	for range attempts {
		took := measure()
		if all = append(all, took); took <= idle(limit) {
			t.Logf("%s: %v", what, all)
			return
		}
	}
	t.Errorf("%s: %v, more than %s", what, all, idle(limit))
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

// idle returns the limit of a time that is stated for an idle machine: others get so many times as much that the best
// attempt exceeds it only if the page is at fault.
func idle(limit time.Duration) time.Duration {
	const patience = 20
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return patience * limit
	}
	load, err := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	if err != nil || load > float64(runtime.NumCPU())/2 {
		return patience * limit
	}
	return limit
}
