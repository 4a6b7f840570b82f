package testwait_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
)

// recorder is a test that remembers its failure.
type recorder struct {
	testing.TB
	message string
}

func (*recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.message = strings.TrimSpace(format)
	for _, a := range args {
		if text, is := a.(string); is {
			r.message += " " + text
		}
	}
	runtime.Goexit()
}

// run calls wait as a test does. It returns the message of the failure and how long it took.
func run(wait func(tb testing.TB)) (message string, took time.Duration) {
	begun, r, ended := time.Now(), &recorder{}, make(chan struct{})
	go func() {
		defer close(ended)
		wait(r)
	}()
	<-ended
	return r.message, time.Since(begun)
}

func TestUntil_WaitsForState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		message, took := run(func(tb testing.TB) {
			testwait.Until(tb, "the kiln is hot", func() bool { return time.Since(begun) >= 59*time.Second })
		})
		if message != "" || took < 59*time.Second || took > testwait.Deadline {
			t.Errorf("%q after %s", message, took)
		}
		message, took = run(func(tb testing.TB) { testwait.Until(tb, "the kiln is hot", func() bool { return false }) })
		if !strings.Contains(message, "the kiln is hot") || took < testwait.Deadline || took > testwait.Deadline+time.Second {
			t.Errorf("%q after %s", message, took)
		}
	})
}

func TestReceive_WaitsForValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pots := make(chan int)
		time.AfterFunc(59*time.Second, func() { pots <- 7 })
		got := 0
		if message, _ := run(func(tb testing.TB) { got = testwait.Receive(tb, "a pot", pots) }); message != "" || got != 7 {
			t.Errorf("%d, %q", got, message)
		}
		message, took := run(func(tb testing.TB) { testwait.Receive(tb, "a pot", pots) })
		if !strings.Contains(message, "a pot") || took != testwait.Deadline {
			t.Errorf("%q after %s", message, took)
		}
		close(pots)
		if message, _ := run(func(tb testing.TB) { got = testwait.Receive(tb, "the end", pots) }); message != "" || got != 0 {
			t.Errorf("%d, %q", got, message)
		}
	})
}

func (r *recorder) Errorf(format string, args ...any) { r.message = fmt.Sprintf(format, args...) }

func TestExpectNothing_ReportsValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pots := make(chan int, 1)
		if message, took := run(func(tb testing.TB) { testwait.ExpectNothing(tb, "a pot", pots) }); message != "" || took == 0 {
			t.Errorf("%q after %s", message, took)
		}
		pots <- 7
		if message, _ := run(func(tb testing.TB) { testwait.ExpectNothing(tb, "a pot", pots) }); message != "a pot: unexpected 7" {
			t.Errorf("%q", message)
		}
	})
}
