package restapi

import (
	"io"
	"net"
	"sync/atomic"
	"time"
)

// How long and for how many bytes a connection is kept after its last answer,
// when the client was still sending.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 256 << 10
)

// lingering is a listener whose connections can close in a way that lets the
// client read the answer first. A plain close while bytes arrive resets the
// connection, and the client may never see why.
type lingering struct{ net.Listener }

func (l lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lingeringConn{Conn: c}, nil
}

type lingeringConn struct {
	net.Conn
	linger atomic.Bool
}

// lingerOn makes the close of a connection wait for the client, if it can.
func lingerOn(c net.Conn) {
	if l, ok := c.(*lingeringConn); ok {
		l.linger.Store(true)
	}
}

// Close says that nothing more is sent, lets the client see it, and closes.
func (c *lingeringConn) Close() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.linger.Swap(false) {
		deadline := time.Now().Add(lingerTime)
		if half.CloseWrite() == nil && c.SetReadDeadline(deadline) == nil {
			if n, err := io.CopyN(io.Discard, c.Conn, lingerBytes); err == nil && n == lingerBytes {
				// More is coming than will be read: the client is to notice, not to be served.
				time.Sleep(time.Until(deadline))
			}
		}
	}
	return c.Conn.Close()
}
