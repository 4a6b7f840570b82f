package restapi

import (
	"context"
	"net"
	"sync"
	"time"
)

// goneEvery is how often it is looked whether clients are still there.
const goneEvery = 100 * time.Millisecond

// watch looks after the clients that wait for an execution. The HTTP library does
// not tell while a handler works. One goroutine looks for all, and only while
// somebody waits: a timer for each request would wake the machine for each.
type watch struct {
	mu      sync.Mutex
	waiting map[*client]bool // false until the first look
	looking bool
}

type client struct {
	conn net.Conn
	gone func()
}

// whenGone calls gone when the other side of a connection has closed it, until
// it is stopped.
func (w *watch) whenGone(c net.Conn, gone func()) (stop func()) {
	switch own := c.(type) {
	case *mountedConn: // net/http reports it
		unwatch := context.AfterFunc(own.ctx, gone)
		return func() { unwatch() }
	case *clientConn:
		c = own.Conn
	}
	one := &client{c, gone}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[*client]bool{}
	}
	w.waiting[one] = false
	if !w.looking {
		w.looking = true
		go w.look()
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.waiting, one)
	}
}

// look ends when it finds nobody.
func (w *watch) look() {
	every := time.NewTicker(goneEvery)
	defer every.Stop()
	for range every.C {
		if !w.lookOnce() {
			return
		}
	}
}

func (w *watch) lookOnce() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c, seen := range w.waiting {
		// Most are answered before they were ever looked at.
		if seen && hungUp(c.conn) {
			delete(w.waiting, c)
			c.gone()
			continue
		}
		w.waiting[c] = true
	}
	w.looking = len(w.waiting) > 0
	return w.looking
}
