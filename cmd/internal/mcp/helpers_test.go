package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
)

func retail(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: warehouses.Drivers(), ModelPath: "retail.yaml", ModelText: demo.ModelText(), Setup: []string{demo.DataSQL()}, MaxExecutions: 2, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func server(s mcp.Service, c mcp.Config) *mcp.Server {
	c.Version, c.Logger = "v0.0.0-test", slog.New(slog.DiscardHandler)
	return mcp.New(s, c)
}

// transports are the two ways to a server.
var transports = map[string]func(*testing.T, *mcp.Server) sdk.Transport{
	"lines": func(t *testing.T, s *mcp.Server) sdk.Transport {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- s.ServeMessageLines(context.Background(), fromClient, toClient) }()
		t.Cleanup(func() {
			go func() { _, _ = io.Copy(io.Discard, fromServer) }() // the server may still write the response to a cancelled call
			_ = toServer.Close()
			if err := testwait.Receive(t, "the end of the server with its input", ended); err != nil {
				t.Error(err)
			}
		})
		return &sdk.IOTransport{Reader: io.NopCloser(fromServer), Writer: toServer}
	},
	"http": func(t *testing.T, s *mcp.Server) sdk.Transport {
		front := httptest.NewServer(s.Handler(false, new(mcp.CancelFuncsOfCalls)))
		t.Cleanup(front.Close)
		return &sdk.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}
	},
}

func connect(t *testing.T, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// callTool calls a tool and returns its text, and the notes after it.
func callTool(t *testing.T, session *sdk.ClientSession, tool, arguments string) (text string, notes []string, result *sdk.CallToolResult) {
	t.Helper()
	p := &sdk.CallToolParams{Name: tool}
	if arguments != "" {
		p.Arguments = json.RawMessage(arguments)
	}
	result, err := session.CallTool(t.Context(), p)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	var texts []string
	for _, c := range result.Content {
		part, ok := c.(*sdk.TextContent)
		if !ok {
			t.Fatalf("%s: content of type %T", tool, c)
		}
		texts = append(texts, part.Text)
	}
	if len(texts) == 0 {
		t.Fatalf("%s %s says nothing", tool, arguments)
	}
	return texts[0], texts[1:], result
}

// direct returns a session without a transport to speak of.
func direct(t *testing.T, s mcp.Service, c mcp.Config) *sdk.ClientSession {
	t.Helper()
	return connect(t, transports["lines"](t, server(s, c)))
}

func codeOf(t *testing.T, text string) string {
	t.Helper()
	var e struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil || e.Message == "" {
		t.Fatalf("no error struct: %s", text)
	}
	return e.Code
}

// fake is a service whose verbs are what a test needs.
type fake struct {
	mcp.Service
	metrics []describe.Metric
	execute func(context.Context) (*engine.Result, error)
}

func (f fake) Model() engine.ModelInfo           { return engine.ModelInfo{Name: "fake"} }
func (f fake) AIContext() any                    { return map[string]any{"instructions": "Amounts are in euro."} }
func (f fake) Capabilities() engine.Capabilities { panic("a defect") }
func (f fake) Datasets() []describe.Dataset      { return []describe.Dataset{{Name: "orders"}} }
func (f fake) Connections() []engine.ConnectionInfo {
	return []engine.ConnectionInfo{{Name: "lake", Dialect: "trino", Available: true}, {Name: "gone", Dialect: "mysql"}}
}

func (f fake) SavedQueries() []describe.SavedQuery { return nil }

func (f fake) MatchingNames(string, string) map[string]bool { return nil }

func (f fake) Metrics(context.Context) ([]describe.Metric, error) { return f.metrics, nil }

func (f fake) MetricNames() []string {
	names := make([]string, len(f.metrics))
	for i, m := range f.metrics {
		names[i] = m.Name
	}
	return names
}

func (f fake) Prepare(context.Context, query.Body) (engine.Statement, error) {
	return fakeStatement{execute: f.execute}, nil
}

type fakeStatement struct {
	engine.Statement
	execute func(context.Context) (*engine.Result, error)
}

func (s fakeStatement) Execute(ctx context.Context) (*engine.Result, error) { return s.execute(ctx) }
