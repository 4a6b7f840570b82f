package testwait

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// Deadline is how long a test waits for a state.
const Deadline = time.Minute

// pollInterval is the time between two looks at a state.
const pollInterval = 2 * time.Millisecond

// Until returns when holds returns true. It ends the test, with the state in the message, if that takes longer than
// Deadline. Call it from the goroutine of the test.
func Until(tb testing.TB, state string, holds func() bool) {
	tb.Helper()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for begun := time.Now(); !holds(); <-poll.C {
		if time.Since(begun) > Deadline {
			tb.Fatalf("after %s this does not hold: %s", Deadline, state)
		}
	}
}

// Receive returns the next value of a channel, or the zero value of a closed one. It ends the test, with the name of what
// it waits for in the message, if that takes longer than Deadline. Call it from the goroutine of the test.
func Receive[T any](tb testing.TB, name string, from <-chan T) T {
	tb.Helper()
	late := time.NewTimer(Deadline)
	defer late.Stop()
	select {
	case v := <-from:
		return v
	case <-late.C:
		tb.Fatalf("%s: nothing came within %s", name, Deadline)
		panic("unreachable: Fatalf ends the goroutine")
	}
}

// quietTime is how long ExpectNothing waits.
const quietTime = 300 * time.Millisecond

// ExpectNothing reports an error if a value arrives at the channel within a short time. A busy machine may hide a fault from it,
// and never causes an error without one.
func ExpectNothing[T any](tb testing.TB, name string, at <-chan T) {
	tb.Helper()
	quiet := time.NewTimer(quietTime)
	defer quiet.Stop()
	select {
	case v := <-at:
		tb.Errorf("%s: unexpected %v", name, v)
	case <-quiet.C:
	}
}

// Log keeps what a program writes, and may be read meanwhile. It is safe for concurrent use.
type Log struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write keeps some bytes.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns what has been written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
