package pgwire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/planner/query"
)

// dial opens a connection that sends nothing.
func dial(t *testing.T, p *port) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(testwait.Deadline))
	return conn
}

// lastError returns the SQLSTATE of the error that ends a connection.
func lastError(t *testing.T, conn net.Conn) string {
	t.Helper()
	state, err := readLastError(conn)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// readLastError reads a connection to its end, and returns the SQLSTATE of its last error.
func readLastError(conn net.Conn) (state string, err error) {
	f := pgproto3.NewFrontend(conn, conn)
	for {
		m, err := f.Receive()
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !strings.Contains(err.Error(), "reset") {
				return "", err
			}
			return state, nil
		}
		if e, ok := m.(*pgproto3.ErrorResponse); ok {
			state = e.Code
		}
	}
}

func TestServer_ConnectionsWithoutSessionsAreBounded(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.MaxPending, c.Tokens = 3, []string{"one"} })
	refused := make(chan string, 5)
	for range 5 {
		silent := dial(t, p)
		go func() {
			state, _ := readLastError(silent)
			refused <- state
		}()
	}
	for range 2 {
		if state := testwait.Receive(t, "the end of a connection too many", refused); state != "53300" {
			t.Errorf("a connection too many: %q", state)
		}
	}
	testwait.ExpectNothing(t, "a third connection ends", refused)
	for range 10 {
		c, err := pgconn.Connect(t.Context(), p.url("one"))
		if err != nil {
			t.Fatalf("beside clients that send nothing: %v", err)
		}
		_ = c.Close(t.Context())
	}
	// Sessions are no longer among them.
	c := connect(t, p.url("one")).PgConn()
	for range 5 {
		dial(t, p)
	}
	if got := rowsOf(t, c, "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
		t.Error(got)
	}
}

func TestServer_SlowClientsAreCutOff(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) {
		c.Tokens, c.AuthenticationTimeout = []string{"one"}, 400*time.Millisecond
	})
	// One byte after the other, in the start-up packet and in the proof.
	for name, begin := range map[string]string{"silent": "", "start-up": "\x00\x00\x00\x20\x00\x03", "proof": "\x00\x00\x00\x11\x00\x03\x00\x00user\x00me\x00\x00p\x00\x00"} {
		conn := dial(t, p)
		_, _ = conn.Write([]byte(begin))
		stop := make(chan struct{})
		var drip sync.WaitGroup
		drip.Go(func() {
			pace := time.NewTicker(50 * time.Millisecond)
			defer pace.Stop()
			for {
				select {
				case <-stop:
					return
				case <-pace.C:
					if name != "silent" {
						_, _ = conn.Write([]byte{0})
					}
				}
			}
		})
		if state := lastError(t, conn); state != "08P01" {
			t.Errorf("%s: %q", name, state)
		}
		close(stop)
		drip.Wait()
	}
}

func TestServer_MessageThatDoesNotEndEndsItsSession(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.MessageTimeout = 300 * time.Millisecond })
	for _, text := range []string{"Q", "Q\x00\x00\x01\x00SELECT", "P\x00\x00"} {
		f, conn := frontend(t, p.address)
		_, _ = conn.Write([]byte(text))
		if got := readTo(t, f, "ErrorResponse 08P01"); len(got) != 1 {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestServer_ClientThatReadsNothingEndsItsSession(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.StallTimeout = 3 * time.Second })
	f, _ := frontend(t, p.address)
	f.Send(&pgproto3.Query{String: "SELECT n, label FROM numbers"})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the statement runs", func() bool { return p.engine.RunningExecutions() != 0 })
	testwait.Until(t, "the slot is free", func() bool { return p.engine.RunningExecutions() == 0 })
}

// Messages that are well formed, in an order that no client has.
func TestServer_UntimelyMessagesAreRefused(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.Tokens, c.AuthenticationTimeout = []string{"one"}, time.Second })
	startup := "\x00\x00\x00\x11\x00\x03\x00\x00user\x00me\x00\x00"
	for name, text := range map[string]string{
		"a statement before the proof":    startup + "Q\x00\x00\x00\x0dSELECT 1\x00",
		"a second start-up packet":        startup + startup,
		"TLS twice":                       "\x00\x00\x00\x08\x04\xd2\x16\x2f\x00\x00\x00\x08\x04\xd2\x16\x2f",
		"a start-up packet over its size": "\x00\x00\x27\x11\x00\x03\x00\x00",
		"a proof over its size":           startup + "p\x00\x00\x27\x21",
	} {
		conn := dial(t, p)
		_, _ = conn.Write([]byte(text))
		if strings.HasPrefix(name, "TLS") {
			_, _ = io.ReadFull(conn, make([]byte, 1)) // N
		}
		if state := lastError(t, conn); state != "08P01" && state != "0A000" {
			t.Errorf("%s: %q", name, state)
		}
	}
	if got := rowsOf(t, connect(t, p.url("one")).PgConn(), "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
		t.Error(got)
	}
}

// failingService panics when a statement names the word.
type failingService struct{ *engine.Engine }

func (f failingService) Prepare(ctx context.Context, q query.Body) (engine.Statement, error) {
	if s, ok := q.(engine.PositionalSQL); ok && strings.Contains(s.SQL, "panic") {
		panic("a defect of the test")
	}
	return f.Engine.Prepare(ctx, q)
}

func TestServer_PanicEndsOneSession(t *testing.T) {
	p := startPort(t, nil)
	if err := p.server.ReplaceModels(pgwire.Models{List: []pgwire.Model{{Name: "shop", Service: failingService{p.engine}}}, Default: "shop"}); err != nil {
		t.Fatal(err)
	}
	other := connect(t, p.url("")).PgConn()
	for range 3 {
		f, conn := frontend(t, p.address)
		f.Send(&pgproto3.Query{String: "SELECT 'panic', order_id FROM orders"})
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
		if state := lastError(t, conn); state != "XX000" {
			t.Errorf("the session ended with %q", state)
		}
		if got := rowsOf(t, other, "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
			t.Error(got)
		}
	}
	if p.engine.RunningExecutions() != 0 {
		t.Error("a slot is taken")
	}
	testwait.Until(t, "one session is left", func() bool { return p.server.SessionCount() == 1 })
}

// A thousand sessions that do nothing, and clients that come and go beside them.
func TestServer_HoldsAThousandIdleSessions(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.MaxSessions = 1001 })
	rowsOf(t, connect(t, p.url("")).PgConn(), "SELECT COUNT(*) FROM orders")
	before := heapAndStacks()
	for range 999 {
		frontend(t, p.address)
	}
	took := heapAndStacks() - before
	t.Attr("sessions", "999")
	t.Attr("bytes", fmt.Sprint(took))
	if took > 250<<20 {
		t.Errorf("999 sessions with their clients hold %d bytes", took)
	}
	for range 20 {
		c, err := pgconn.Connect(t.Context(), p.url(""))
		if err != nil {
			t.Fatal(err)
		}
		if got := rowsOf(t, c, "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
			t.Error(got)
		}
		_ = c.Close(t.Context())
		testwait.Until(t, "the session has ended", func() bool { return p.server.SessionCount() <= 1000 })
	}
}

// Cancel requests with wrong secrets, in great number, end nothing and take nothing.
func TestServer_CancelStormsEndNothing(t *testing.T) {
	p := startPort(t, nil)
	c := connect(t, p.url("")).PgConn()
	done := make(chan error, 1)
	go func() {
		_, err := run(c, "SELECT n, label FROM numbers LIMIT 1500000")
		done <- err
	}()
	var storm sync.WaitGroup
	for i := range 8 {
		storm.Go(func() {
			for j := range 25 {
				conn, err := net.Dial("tcp", p.address)
				if err != nil {
					continue
				}
				id := c.PID()
				_, _ = conn.Write([]byte{0, 0, 0, 16, 4, 0xd2, 0x16, 0x2e, byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id), byte(i), byte(j), 1, 2})
				_ = conn.Close()
			}
		})
	}
	storm.Wait()
	if err := <-done; err != nil {
		t.Errorf("the statement was ended by requests without its secret: %v", err)
	}
	if p.engine.RunningExecutions() != 0 {
		t.Error("a slot is taken")
	}
}
