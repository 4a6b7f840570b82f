// Package serving runs the HTTP service and the PostgreSQL port for tests.
package serving

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/restapi"
)

// Serve answers on a loopback address until the test ends, which fails when the server
// does not drain. It returns the origin, as http://127.0.0.1:49152. Without a logger
// the server is silent.
func Serve(tb testing.TB, s restapi.Service, c restapi.Config) (origin string) {
	tb.Helper()
	return ServeModels(tb, restapi.Models{List: []*restapi.Model{{Service: s, MCP: c.MCP}}}, c)
}

// ServeModels is Serve for a server of these models.
func ServeModels(tb testing.TB, m restapi.Models, c restapi.Config) (origin string) {
	tb.Helper()
	_, origin = StartServer(tb, m, c)
	return origin
}

// StartServer is ServeModels for a test that needs the server, to replace its models. It returns
// the server and its origin.
func StartServer(tb testing.TB, m restapi.Models, c restapi.Config) (*restapi.Server, string) {
	tb.Helper()
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	server, err := restapi.NewForModels(m, c)
	if err != nil {
		tb.Fatal(err)
	}
	return server, "http://" + listenAndServe(tb, server)
}

// ServePostgres serves one model on the PostgreSQL port, without TLS and tokens, until the test
// ends, which fails when the port does not drain. It returns the address of sessions, as
// postgres://me@127.0.0.1:49153/NAME?sslmode=disable.
func ServePostgres(tb testing.TB, m pgwire.Model, c pgwire.Config) (uri string) {
	tb.Helper()
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	port, err := pgwire.New(pgwire.Models{List: []pgwire.Model{m}, Default: m.Name}, c)
	if err != nil {
		tb.Fatal(err)
	}
	return "postgres://me@" + listenAndServe(tb, port) + "/" + m.Name + "?sslmode=disable"
}

type listenerServer interface {
	Serve(ctx context.Context, ln net.Listener) error
}

// listenAndServe runs a server on a loopback address until the test ends. It returns the address,
// as 127.0.0.1:49152.
func listenAndServe(tb testing.TB, s listenerServer) (address string) {
	tb.Helper()
	ln, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	tb.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			tb.Errorf("Serve: %v", err)
		}
	})
	return ln.Addr().String()
}
