package testwait

import (
	"strings"
	"sync"
)

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
