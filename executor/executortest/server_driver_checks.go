package executortest

import (
	"context"
	"errors"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/testwait"
)

// ServerBackend is a driver family whose warehouse is a server that tests can start.
type ServerBackend struct {
	// Start starts a server of the test's own; Shared is that of all tests.
	Start  func(context.Context) (*localdb.Server, error)
	Shared func(testing.TB) *localdb.Server
	// Open opens the warehouse with a pool of that many connections, of its usual size
	// for 0. What it opens ends with the test.
	Open func(t testing.TB, at localdb.Address, connections int) executor.Executor
	// OpenTLS is Open for connections that want TLS.
	OpenTLS func(testing.TB, localdb.Address) executor.Executor
	// Series is a statement for the integers 0 to n-1 in order, column i.
	Series func(n int) string
	// Slow is a statement that computes for a minute before its first row.
	Slow string
	// Sleep is a statement that takes a minute, and Sleeping counts how many of them the
	// server runs, in column n.
	Sleep, Sleeping string
	// NoColumns is a statement without a result.
	NoColumns string
}

// TestServerDriver checks what the driver of a server owes besides Run.
func TestServerDriver(t *testing.T, b ServerBackend) {
	s := b.Shared(t)
	for _, c := range []struct {
		name string
		run  func(*testing.T, ServerBackend, *localdb.Server)
	}{
		{"a failure to connect has the code of its reason", testServerConnectErrors},
		{"a cancelled statement is gone from the server", testServerSideCancel},
		{"a statement without columns has no rows", testStatementWithoutColumns},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, b, s) })
	}
}

// TestServerFaults runs Faults against a separate server, because it is restarted, or against the
// shared one where none can be started.
func TestServerFaults(t *testing.T, b ServerBackend) {
	server, err := b.Start(t.Context())
	own := err == nil
	switch {
	case own:
		defer server.Stop()
	case errors.Is(err, localdb.ErrNoServer):
		server = b.Shared(t)
	default:
		t.Fatal(err)
	}
	backend := FaultBackend{
		Address: server.HostPort(),
		Open: func(t testing.TB, port, connections int) executor.Executor {
			at := server.Address
			at.Port = port
			return b.Open(t, at, connections)
		},
		Series: b.Series,
		Slow:   b.Slow,
		Hidden: HiddenServerTexts(server.Address),
	}
	if own {
		backend.Restart = server.Restart
	}
	RunFaultTests(t, backend)
}

// HiddenServerTexts returns what no error shows about a server.
func HiddenServerTexts(a localdb.Address) []string {
	return []string{a.Password, a.Host, "localhost", strconv.Itoa(a.Port)}
}

func testServerConnectErrors(t *testing.T, b ServerBackend, s *localdb.Server) {
	usual := func(t testing.TB, at localdb.Address) executor.Executor { return b.Open(t, at, 0) }
	for _, tt := range []struct {
		name   string
		change func(*localdb.Address)
		open   func(testing.TB, localdb.Address) executor.Executor
		code   string
	}{
		{"wrong password", func(a *localdb.Address) { a.Password = "wrong" }, usual, executor.CodeAuth},
		{"unknown user", func(a *localdb.Address) { a.User = "nobody" }, usual, executor.CodeAuth},
		{"unknown database", func(a *localdb.Address) { a.Database = "nowhere" }, usual, executor.CodeConfig},
		{"closed port", func(a *localdb.Address) { a.Port = 1 }, usual, executor.CodeConnection},
		{"unknown host", func(a *localdb.Address) { a.Host = "no-such-host.invalid" }, usual, executor.CodeConnection},
		{"TLS that the server has not", func(*localdb.Address) {}, b.OpenTLS, executor.CodeConnection},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := s.Address
			tt.change(&at)
			_, err := QueryRowsJSON(t.Context(), tt.open(t, at), "SELECT 1")
			ExpectError(t, err, tt.code, HiddenServerTexts(s.Address)...)
		})
	}
}

func testServerSideCancel(t *testing.T, b ServerBackend, s *localdb.Server) {
	e := b.Open(t, s.Address, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := QueryRowsJSON(ctx, e, b.Sleep)
	ExpectError(t, err, executor.CodeTimeout, HiddenServerTexts(s.Address)...)
	testwait.Until(t, "the server runs the statement no longer", func() bool {
		got, err := QueryRowsJSON(t.Context(), e, b.Sleeping)
		if err != nil {
			t.Fatal(err)
		}
		return got == `[{"n":0}]`
	})
}

func testStatementWithoutColumns(t *testing.T, b ServerBackend, s *localdb.Server) {
	rows := startQuery(t, b.Open(t, s.Address, 0), b.NoColumns)
	if _, err := rows.Next(t.Context()); !errors.Is(err, io.EOF) || rows.Schema().NumFields() != 0 {
		t.Fatalf("got %v", err)
	}
}
