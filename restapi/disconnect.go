package restapi

import (
	"context"
	"net"
	"sync"
	"time"
)

// disconnectPollInterval is how often it is looked whether clients are still there.
const disconnectPollInterval = 100 * time.Millisecond

// disconnectWatcher looks after the clients that wait for an execution. The HTTP library does
// not tell while a handler works. One goroutine looks for all, and only while
// somebody waits: a timer for each request would wake the machine for each.
type disconnectWatcher struct {
	mu      sync.Mutex
	waiting map[*watchedConn]bool // false until the first look
	polling bool
}

type watchedConn struct {
	conn    net.Conn
	onClose func()
}

// onDisconnect calls gone when the other side of a connection has closed it, until
// it is stopped.
func (w *disconnectWatcher) onDisconnect(c net.Conn, gone func()) (stop func()) {
	switch own := c.(type) {
	case *mountedConn: // net/http reports it
		unwatch := context.AfterFunc(own.ctx, gone)
		return func() { unwatch() }
	case *clientConn:
		c = own.Conn
	}
	one := &watchedConn{c, gone}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[*watchedConn]bool{}
	}
	w.waiting[one] = false
	if !w.polling {
		w.polling = true
		go w.poll()
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.waiting, one)
	}
}

// poll ends when it finds nobody.
func (w *disconnectWatcher) poll() {
	every := time.NewTicker(disconnectPollInterval)
	defer every.Stop()
	for range every.C {
		if !w.pollOnce() {
			return
		}
	}
}

func (w *disconnectWatcher) pollOnce() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c, seen := range w.waiting {
		// Most are answered before they were ever looked at.
		if seen && peerClosed(c.conn) {
			delete(w.waiting, c)
			c.onClose()
			continue
		}
		w.waiting[c] = true
	}
	w.polling = len(w.waiting) > 0
	return w.polling
}
