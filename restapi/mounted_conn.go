package restapi

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/valyala/fasthttp"
)

// mountedHandlerRequestConn is the connection of a request that a server of net/http has received,
// as far as the HTTP library here requests it: two addresses and the disconnect.
type mountedHandlerRequestConn struct {
	net.Conn // nil: the bytes belong to the other server
	prefix   string
	ctx      context.Context // of the request
	remote   string
}

// LocalAddr returns the address that the request has reached, nil where it is unknown.
func (c *mountedHandlerRequestConn) LocalAddr() net.Addr {
	local, _ := c.ctx.Value(http.LocalAddrContextKey).(net.Addr)
	return local
}

// RemoteAddr returns the address of the client.
func (c *mountedHandlerRequestConn) RemoteAddr() net.Addr { return stringNetAddr(c.remote) }

// SetWriteDeadline does nothing: sendFasthttpResponseToNetHTTP sets the deadlines of a stream.
func (c *mountedHandlerRequestConn) SetWriteDeadline(time.Time) error { return nil }

type stringNetAddr string

func (stringNetAddr) Network() string  { return "tcp" }
func (a stringNetAddr) String() string { return string(a) }

// mountPrefixOf returns the path that the server of a connection is mounted at, "" where it
// is its own.
func mountPrefixOf(c net.Conn) string {
	if m, ok := c.(*mountedHandlerRequestConn); ok {
		return m.prefix
	}
	return ""
}

// baseContext returns the context for the work of a request, whether its client waits or
// not: for a mounted server, the values of the program's context.
func baseContext(c *fasthttp.RequestCtx) context.Context {
	if m, ok := c.Conn().(*mountedHandlerRequestConn); ok {
		return context.WithoutCancel(m.ctx)
	}
	return context.Background()
}
