package restapi

import (
	"context"
	"net"
	"sync"
	"time"
)

// disconnectPollInterval is the interval between checks for disconnected clients.
const disconnectPollInterval = 100 * time.Millisecond

// disconnectWatcher checks whether the clients that wait for an execution are still
// connected. The HTTP library does not report a disconnect while a handler runs. One
// goroutine checks all connections, and only while a client waits: a timer per request
// would wake the machine for each.
type disconnectWatcher struct {
	mu      sync.Mutex
	waiting map[*connWithDisconnectCallback]bool // false until the first look
	polling bool
}

type connWithDisconnectCallback struct {
	conn    net.Conn
	onClose func()
}

// onDisconnect calls gone when the peer closes a connection, until stop is called.
func (w *disconnectWatcher) onDisconnect(c net.Conn, gone func()) (stop func()) {
	switch own := c.(type) {
	case *mountedHandlerRequestConn: // net/http reports it
		unwatch := context.AfterFunc(own.ctx, gone)
		return func() { unwatch() }
	case *clientConn:
		c = own.below
	}
	one := &connWithDisconnectCallback{c, gone}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[*connWithDisconnectCallback]bool{}
	}
	w.waiting[one] = false
	if !w.polling {
		w.polling = true
		go w.pollConnections()
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.waiting, one)
	}
}

// pollConnections checks all waiting connections at each interval, and returns when there are none.
func (w *disconnectWatcher) pollConnections() {
	every := time.NewTicker(disconnectPollInterval)
	defer every.Stop()
	for range every.C {
		if !w.pollConnectionsOnce() {
			return
		}
	}
}

func (w *disconnectWatcher) pollConnectionsOnce() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c, seen := range w.waiting {
		// Most requests end before their first check.
		if seen && hasPeerClosed(c.conn) {
			delete(w.waiting, c)
			c.onClose()
			continue
		}
		w.waiting[c] = true
	}
	w.polling = len(w.waiting) > 0
	return w.polling
}
