package restapi

import (
	"net"
	"sync"
	"time"
)

// goneEvery is how often it is looked whether a client is still there.
const goneEvery = 100 * time.Millisecond

// whenGone calls gone when the other side of a connection has closed it, until
// it is stopped. The HTTP library does not tell while a handler works.
func whenGone(c net.Conn, gone func()) (stop func()) {
	if l, ok := c.(*lingeringConn); ok {
		c = l.Conn
	}
	w := &watch{}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.look = time.AfterFunc(goneEvery, func() {
		if hungUp(c) {
			gone()
			return
		}
		w.again()
	})
	return w.stop
}

// watch is a look that is taken over and over. It costs a waiting request a
// timer, and one that is answered at once next to nothing.
type watch struct {
	mu   sync.Mutex
	look *time.Timer
	over bool
}

func (w *watch) again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.look.Reset(goneEvery)
	}
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.look.Stop()
}
