package clients_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const token = "a token of the tests"

var ctx = context.Background()

func fixture(t *testing.T, name, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "fixtures", name, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// open is an engine over a fixture in DuckDB.
func open(t *testing.T, name string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(ctx, engine.Config{
		ModelPath: name + ".yaml",
		ModelText: []byte(fixture(t, name, "model.yaml")),
		Setup:     []string{fixture(t, name, "data.sql")},
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// listen serves an engine on a loopback address until the test ends, and
// returns its URL.
func listen(t *testing.T, s restapi.Service, c restapi.Config) string {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	server, err := restapi.New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serving, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		if err := server.Serve(serving, ln); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { stop(); running.Wait() })
	return "http://" + ln.Addr().String()
}

// asked remembers the routes that a client called.
type asked struct {
	mu     sync.Mutex
	routes map[string]bool
}

func (a *asked) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	if a.routes == nil {
		a.routes = map[string]bool{}
	}
	a.routes[r.Method+" "+r.URL.Path] = true
	a.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

func dial(t *testing.T, url string, opts ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(url, append([]client.Option{client.WithToken(token)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return c
}

// shop is a client of the six orders.
func shop(t *testing.T, opts ...client.Option) *client.Client {
	t.Helper()
	return dial(t, listen(t, open(t, "orders"), restapi.Config{Tokens: []string{token}}), opts...)
}
