package clients_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
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

// open returns an engine over a fixture in DuckDB.
func open(t *testing.T, name string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(ctx, engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
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

// shop returns a client of the six orders.
func shop(t *testing.T, opts ...client.Option) *client.Client {
	t.Helper()
	return dial(t, serving.Serve(t, open(t, "orders"), restapi.Config{Tokens: []string{token}}), opts...)
}
