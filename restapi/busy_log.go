package restapi

import (
	"sync"
	"time"
)

// busyLogInterval is the time between two lines of log for requests answered busy.
const busyLogInterval = time.Second

// busyLog lets one line of log in each interval through for requests that were answered
// busy, and counts those left out. A client that asks in a loop gets thousands of such
// answers a second.
type busyLog struct {
	mu      sync.Mutex
	next    time.Time
	omitted int
}

// admitLine reports whether the request of this time has a line of log, and how many had
// none since the last line.
func (b *busyLog) admitLine(now time.Time) (omitted int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.next) {
		b.omitted++
		return 0, false
	}
	b.next = now.Add(busyLogInterval)
	omitted, b.omitted = b.omitted, 0
	return omitted, true
}
