package pgwire

import (
	"bufio"
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// lateWatchConn delays the deadlines that the watch itself sets until the watch has been ended.
type lateWatchConn struct {
	net.Conn
	begun   atomic.Bool   // the watch has been started
	ended   chan struct{} // closed when its end has set a deadline in the past
	watched chan struct{} // receives when the watch works
}

func (c *lateWatchConn) SetReadDeadline(t time.Time) error {
	switch {
	case t.IsZero() && c.begun.Load():
		c.watched <- struct{}{}
		<-c.ended
	case !t.IsZero():
		defer close(c.ended)
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *lateWatchConn) Read(p []byte) (int, error) {
	select {
	case c.watched <- struct{}{}:
	default:
	}
	return c.Conn.Read(p)
}

func TestClientWatch_EndsThoughItBeginsLate(t *testing.T) {
	client, served := net.Pipe()
	defer client.Close()
	conn := &lateWatchConn{Conn: served, ended: make(chan struct{}), watched: make(chan struct{}, 1)}
	s := &session{conn: conn, in: &messageReader{br: bufio.NewReader(conn)}}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	stop := s.startClientWatch(cancel)
	conn.begun.Store(true)
	<-conn.watched
	stopped := make(chan struct{})
	go func() {
		stop()
		close(stopped)
	}()
	limit, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	select {
	case <-stopped:
	case <-limit.Done():
		t.Fatal("the watch does not end")
	}
	if ctx.Err() != nil {
		t.Fatal("the watch has cancelled the statement of a client that is there")
	}
}
