package restapi

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/engine/memory"
)

// How long and for how many bytes a connection is kept after its last response, when the
// client was still sending.
const (
	lingerTime     = 500 * time.Millisecond
	maxLingerBytes = 256 << 10
)

// clientConn is a connection of a client. Its table records whether it has a request. Its
// close can wait until the client has read the response: a plain close while bytes arrive
// resets the connection, and the client may never see why.
type clientConn struct {
	net.Conn           // with TLS, where the listener has it
	below     net.Conn // without TLS
	handshake *tls.Conn
	table     *connTable
	address   netip.Prefix
	state     atomic.Int32 // a connState
	since     atomic.Int64 // by now(), when it entered that state
	linger    atomic.Bool
	held      memory.Account // of the response that is being made or sent
	body      requestBodyMemory
}

func newClientConn(c net.Conn, t *connTable) *clientConn {
	out := &clientConn{Conn: c, below: withoutTLS(c), table: t, address: connectionCountKey(c.RemoteAddr())}
	out.handshake, _ = c.(*tls.Conn)
	out.body.held, _ = t.messages.Reserve(0)
	out.since.Store(monotonicNow())
	return out
}

// setConnState sets the state of a connection.
func setConnState(c net.Conn, state connState) {
	own, ok := c.(*clientConn)
	if !ok {
		return
	}
	if state == connWaitingForRequest {
		own.held.Release() // the response has been sent
		own.body.release()
	}
	if own.state.Load() != connClosedToMakeRoom {
		own.since.Store(monotonicNow())
		own.state.Store(state)
	}
}

// withAccountOfConn returns a context whose responses are counted until the connection has sent them. Those of a
// connection of another kind are counted while they are made.
func withAccountOfConn(ctx context.Context, c net.Conn) context.Context {
	if own, ok := c.(*clientConn); ok {
		return memory.WithAccount(ctx, &own.held)
	}
	return ctx
}

// isClosedToMakeRoom reports whether a connection was closed to make room for others.
func isClosedToMakeRoom(c net.Conn) bool {
	own, ok := c.(*clientConn)
	return ok && own.state.Load() == connClosedToMakeRoom
}

// enableLingeringClose makes the close of a connection wait until the client has read the
// response.
func enableLingeringClose(c net.Conn) {
	if l, ok := c.(*clientConn); ok {
		l.linger.Store(true)
	}
}

// Read notes the first bytes of a request, and counts all of them. Its error is a *memory.LimitError where the body has no
// memory.
func (c *clientConn) Read(p []byte) (int, error) {
	if err := c.completeHandshake(); err != nil {
		return 0, err
	}
	if err := c.body.reserve(len(p)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	c.body.received += int64(n)
	if n > 0 && c.state.Load() == connWaitingForRequest {
		c.since.Store(monotonicNow())
		c.state.CompareAndSwap(connWaitingForRequest, connReceivingRequest)
	}
	return n, err
}

// Close ends the sending direction, waits for the client to read that, and closes.
func (c *clientConn) Close() error {
	defer c.held.Release()
	defer c.body.held.Release()
	defer c.table.removeConnection(c)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.linger.Swap(false) {
		deadline := time.Now().Add(lingerTime)
		if half.CloseWrite() == nil && c.SetReadDeadline(deadline) == nil {
			if n, err := io.CopyN(io.Discard, c.Conn, maxLingerBytes); err == nil && n == maxLingerBytes {
				// More is coming than will be read: the client is to notice, not to be served.
				time.Sleep(time.Until(deadline))
			}
		}
	}
	return c.Conn.Close()
}
