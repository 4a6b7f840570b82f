package logqueue

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// MaxBytes is the length of the lines that wait for the reader of the log.
const MaxBytes = 1 << 20

// stallTimeout is how long Close waits for a reader that takes no line.
const stallTimeout = 250 * time.Millisecond

// Queue is a writer of lines. It is safe for concurrent use.
type Queue struct {
	to      io.Writer
	dropped atomic.Uint64
	written atomic.Uint64

	mu      sync.Mutex
	filled  sync.Cond // the queue has a line, or is closed
	lines   [][]byte
	bytes   int // of the lines, and of the one that is written
	closed  bool
	drained chan struct{} // closed when the last line is written
}

// New returns a queue in front of a writer.
func New(to io.Writer) *Queue {
	q := &Queue{to: to, drained: make(chan struct{})}
	q.filled.L = &q.mu
	go q.writeLines()
	return q
}

// Unwrap returns the writer behind the queue.
func (q *Queue) Unwrap() io.Writer { return q.to }

// Dropped returns how many lines were dropped.
func (q *Queue) Dropped() uint64 { return q.dropped.Load() }

// Write takes one line, or drops it. It never waits and never fails.
func (q *Queue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.bytes+len(line) > MaxBytes {
		q.dropped.Add(1)
		return len(line), nil
	}
	q.lines = append(q.lines, append([]byte(nil), line...))
	q.bytes += len(line)
	q.filled.Signal()
	return len(line), nil
}

// Close writes the waiting lines for as long as their reader takes them. A reader that takes none
// does not hold it.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.filled.Signal()
	q.mu.Unlock()
	for seen := q.written.Load(); ; seen = q.written.Load() {
		select {
		case <-q.drained:
			return
		case <-time.After(stallTimeout):
			if q.written.Load() == seen {
				return
			}
		}
	}
}

func (q *Queue) writeLines() {
	defer close(q.drained)
	for {
		line, ok := q.next()
		if !ok {
			return
		}
		if _, err := q.to.Write(line); err != nil {
			q.dropped.Add(1)
		}
		q.written.Add(1)
		q.mu.Lock()
		q.bytes -= len(line)
		q.mu.Unlock()
	}
}

// next waits for a line. It reports false when the queue is closed and empty.
func (q *Queue) next() ([]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) == 0 {
		if q.closed {
			return nil, false
		}
		q.filled.Wait()
	}
	line := q.lines[0]
	q.lines = q.lines[1:]
	return line, true
}
