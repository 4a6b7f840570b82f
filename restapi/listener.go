package restapi

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// How long accepting connections pauses after an error that passes, at first and at most.
const (
	acceptRetryPause    = 5 * time.Millisecond
	maxAcceptRetryPause = time.Second
)

// transientAcceptErrors lists the errors of accept that mean that the process or the machine is
// out of something. They pass; the HTTP library would end the server.
var transientAcceptErrors = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM}

// listener accepts the connections of clients, as many as there is room for.
type listener struct {
	net.Listener
	table       *connTable
	log         *slog.Logger
	closing     sync.Once
	closed      chan struct{}
	lastWarning map[string]time.Time // used by Accept alone
}

func newListener(ln net.Listener, t *connTable, log *slog.Logger) *listener {
	return &listener{Listener: ln, table: t, log: log, closed: make(chan struct{}), lastWarning: map[string]time.Time{}}
}

// Accept returns the next connection that there is room for.
func (l *listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.acceptNext()
		if err != nil {
			return nil, err
		}
		c := newClientConn(raw, l.table)
		if l.table.addConnection(c) {
			return c, nil
		}
		l.warnOncePerMinute("a connection is rejected: all connections are in use; see --max-connections", "connections", l.table.max)
		refuseConnectionAsBusy(raw)
	}
}

// acceptNext accepts a connection. Where the process is out of descriptors it closes
// idle connections and tries again, more and more slowly.
func (l *listener) acceptNext() (net.Conn, error) {
	for pause := acceptRetryPause; ; pause = min(2*pause, maxAcceptRetryPause) {
		c, err := l.Listener.Accept()
		if err == nil || !isTransientAcceptError(err) {
			return c, err
		}
		l.table.makeRoom()
		l.warnOncePerMinute("connections cannot be accepted for now", "error", err.Error())
		select {
		case <-l.closed:
			return nil, net.ErrClosed
		case <-time.After(pause):
		}
	}
}

func isTransientAcceptError(err error) bool {
	for _, e := range transientAcceptErrors {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// Close closes the listener; a pause of Accept ends.
func (l *listener) Close() error {
	l.closing.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// warnOncePerMinute writes a line that could otherwise repeat for each connection, once a minute.
func (l *listener) warnOncePerMinute(message string, attributes ...any) {
	if last, ok := l.lastWarning[message]; ok && time.Since(last) < time.Minute {
		return
	}
	l.lastWarning[message] = time.Now()
	l.log.Warn(message, attributes...)
}

// tooManyConnectionsResponse is the whole response to a client that the server has no free connection for.
// It fits into the buffer of any socket, so that writing it does not wait.
const tooManyConnectionsResponse = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 97\r\n\r\n" +
	`{"error":{"code":"busy","message":"all connections of the server are in use; try again shortly"}}`

func refuseConnectionAsBusy(c net.Conn) {
	if below := withoutTLS(c); below != c {
		_ = below.Close() // a response needs a handshake, for which there is no room
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(acceptRetryPause))
	_, _ = io.WriteString(c, tooManyConnectionsResponse)
	_ = c.Close()
}

// markConnWaitingWhenIdle learns from the HTTP library when a response is out.
func markConnWaitingWhenIdle(c net.Conn, state fasthttp.ConnState) {
	if state == fasthttp.StateIdle {
		setConnState(c, connWaitingForRequest)
	}
}
