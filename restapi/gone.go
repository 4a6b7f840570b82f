package restapi

import (
	"net"
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
	done := make(chan struct{})
	go func() {
		look := time.NewTicker(goneEvery)
		defer look.Stop()
		for {
			select {
			case <-done:
				return
			case <-look.C:
			}
			if hungUp(c) {
				gone()
				return
			}
		}
	}()
	return func() { close(done) }
}
