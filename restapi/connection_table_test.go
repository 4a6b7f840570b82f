package restapi_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

const healthRequest = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"

// dialFrom connects from an address of the loopback network.
func dialFrom(t *testing.T, base, from string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: testwait.Deadline}
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(testwait.Deadline))
	return c
}

// sendText sends a request over a connection and returns the status of the response, 0 if
// the connection is closed without one.
func sendText(t *testing.T, c net.Conn, text string) int {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		return 0
	}
	got, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, got.Body)
	_ = got.Body.Close()
	return got.StatusCode
}

// closed reports whether the server has closed a connection.
func closed(c net.Conn) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	return err != nil && !os.IsTimeout(err)
}

// failingListener fails to accept some times before it does.
type failingListener struct {
	net.Listener
	left atomic.Int32
	err  error
}

func (l *failingListener) Accept() (net.Conn, error) {
	if l.left.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", l.err)}
	}
	return l.Listener.Accept()
}

func TestConnections_AServerOutOfDescriptorsGoesOnAccepting(t *testing.T) {
	for _, shortage := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM} {
		t.Run(shortage.Error(), func(t *testing.T) {
			ln := &failingListener{Listener: listen(t), err: shortage}
			ln.left.Store(4)
			base := liveOn(t, serve(t, answering(), restapi.Config{}), ln)
			if got := sendText(t, dialFrom(t, base, "127.0.0.1"), healthRequest); got != http.StatusOK {
				t.Errorf("status %d", got)
			}
		})
	}
}

func TestConnections_AServerOutOfDescriptorsStopsAtOnce(t *testing.T) {
	ln := &failingListener{Listener: listen(t), err: syscall.EMFILE}
	ln.left.Store(1 << 30)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(t, answering(), restapi.Config{}).Serve(ctx, ln) }()
	testwait.Until(t, "the pause has grown", func() bool { return 1<<30-ln.left.Load() > 8 })
	stop()
	if err := testwait.Receive(t, "the end of Serve", ended); err != nil {
		t.Error(err)
	}
}

func TestConnections_AnErrorThatDoesNotPassEndsTheServer(t *testing.T) {
	ln := &failingListener{Listener: listen(t), err: syscall.EINVAL}
	ln.left.Store(1)
	if err := serve(t, answering(), restapi.Config{}).Serve(t.Context(), ln); err == nil || !strings.Contains(err.Error(), "invalid argument") {
		t.Error(err)
	}
}

func TestConnections_IdleOnesMakeRoom(t *testing.T) {
	for name, first := range map[string]string{
		"that never sent anything":    "",
		"that wait after a response":  healthRequest,
		"that sent a part of a head":  "GET /health HT",
		"that sent a part of a body":  "POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{",
		"that sent a head and a half": healthRequest + "GET /",
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, answering(), restapi.Config{MaxConnections: 8})
			base := live(t, s)
			for range 40 {
				c := dialFrom(t, base, "127.0.0.1")
				if strings.HasPrefix(first, healthRequest) {
					sendText(t, c, first)
				} else {
					_, _ = io.WriteString(c, first)
				}
			}
			for range 20 {
				if got := sendText(t, dialFrom(t, base, "127.0.0.1"), healthRequest); got != http.StatusOK {
					t.Fatalf("status %d", got)
				}
			}
			if open := value(scrape(t, s), "semlayer_http_connections"); open > 8 {
				t.Errorf("%v connections are open", open)
			}
			if got := value(scrape(t, s), "semlayer_http_requests_total", "code", "internal"); got > 0 {
				t.Errorf("%v closed connections count as failures of the server", got)
			}
		})
	}
}

func TestConnections_OneWithARequestIsNeverClosed(t *testing.T) {
	begun, release := make(chan struct{}, 8), make(chan struct{})
	s := serve(t, fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
		begun <- struct{}{}
		<-release
		return &engine.Result{Columns: []string{}, Rows: []byte("[]")}, nil
	}}, restapi.Config{MaxConnections: 4})
	base := live(t, s)
	statuses := make(chan int, 4)
	ask := func() {
		c := dialFrom(t, base, "127.0.0.1")
		go func() {
			statuses <- sendText(t, c, "POST /v1/query/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 23\r\n\r\n"+aQuery+" ")
		}()
		<-begun
	}
	for range 3 {
		ask()
	}
	for range 20 {
		dialFrom(t, base, "127.0.0.1")
	}
	ask() // takes the place of the last idle one
	if got := sendText(t, dialFrom(t, base, "127.0.0.1"), ""); got != http.StatusTooManyRequests {
		t.Errorf("a fifth connection: status %d", got)
	}
	if got := value(scrape(t, s), "semlayer_http_connections_closed_total", "state", "new"); got < 1 {
		t.Errorf("%v refused", got)
	}
	close(release)
	for range 4 {
		if got := <-statuses; got != http.StatusOK {
			t.Errorf("status %d", got)
		}
	}
	if got := sendText(t, dialFrom(t, base, "127.0.0.1"), healthRequest); got != http.StatusOK {
		t.Errorf("afterwards: status %d", got)
	}
}

func TestConnections_TheAddressWithMostMakesRoom(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{MaxConnections: 8}))
	quiet := dialFrom(t, base, "127.0.0.2")
	sendText(t, quiet, healthRequest)
	for range 60 {
		dialFrom(t, base, "127.0.0.3")
	}
	if got := sendText(t, quiet, healthRequest); got != http.StatusOK {
		t.Errorf("the connection of another address: status %d", got)
	}
}

func TestConnections_OfOneAddressAreBounded(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{MaxConnections: 16, MaxConnectionsPerAddress: 2}))
	first, second := dialFrom(t, base, "127.0.0.2"), dialFrom(t, base, "127.0.0.2")
	if sendText(t, first, healthRequest) != http.StatusOK || sendText(t, second, healthRequest) != http.StatusOK {
		t.Fatal("two are refused")
	}
	elsewhere := dialFrom(t, base, "127.0.0.3")
	if got := sendText(t, elsewhere, healthRequest); got != http.StatusOK {
		t.Fatalf("another address: status %d", got)
	}
	if got := sendText(t, dialFrom(t, base, "127.0.0.2"), healthRequest); got != http.StatusOK {
		t.Errorf("the third: status %d", got)
	}
	// Which of the two is idle for longer depends on when the server notices it.
	testwait.Until(t, "an idle one of the address is closed", func() bool { return closed(first) || closed(second) })
	if closed(first) && closed(second) || closed(elsewhere) {
		t.Error("another one is closed as well")
	}
}
