package restapi_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// fake is a service whose metric verbs are one function.
type fake struct {
	restapi.Service
	execute func(context.Context, *query.MetricQuery) (*engine.Result, error)
}

func (fake) Model() engine.ModelInfo                            { return engine.ModelInfo{Name: "fake"} }
func (fake) Capabilities() engine.Capabilities                  { return engine.Capabilities{} }
func (fake) Datasets() []describe.Dataset                       { return []describe.Dataset{} }
func (fake) Metrics(context.Context) ([]describe.Metric, error) { return []describe.Metric{}, nil }
func (fake) Relationships() []describe.Relationship             { return []describe.Relationship{} }
func (fake) Findings() engine.Findings {
	return engine.Findings{CompileErrors: []*modelspec.CompileError{}, Warnings: []modelspec.CompileWarning{}}
}
func (fake) Connections() []engine.ConnectionInfo { return []engine.ConnectionInfo{} }
func (fake) LikelyConnection() string             { return "" }
func (fake) SavedQueries() []describe.SavedQuery  { return []describe.SavedQuery{} }
func (fake) Validate(context.Context, []byte) (*engine.Validation, error) {
	return &engine.Validation{}, nil
}

func (fake) Dimensions(_ context.Context, metric string) ([]describe.Dimension, error) {
	return []describe.Dimension{{Name: "asked for " + metric}}, nil
}

func (f fake) Prepare(_ context.Context, q query.Body) (engine.Statement, error) {
	return fakeStatement{fake: f, q: q.(*query.MetricQuery)}, nil
}

// fakeStatement is a metric query of a fake. A test may replace one verb.
type fakeStatement struct {
	engine.Statement
	fake
	q      *query.MetricQuery
	stream func(context.Context) (*engine.Stream, error)
}

func (s fakeStatement) Execute(ctx context.Context) (*engine.Result, error) {
	return s.execute(ctx, s.q)
}

func (s fakeStatement) Stream(ctx context.Context) (*engine.Stream, error) { return s.stream(ctx) }

func (s fakeStatement) SQL(ctx context.Context) (*engine.Compiled, error) {
	if _, err := s.execute(ctx, s.q); err != nil {
		return nil, err
	}
	return &engine.Compiled{Dialect: "duckdb", SQL: "SELECT a < 1"}, nil
}

func (s fakeStatement) Explain(ctx context.Context) (*engine.Explained, error) {
	if _, err := s.execute(ctx, s.q); err != nil {
		return nil, err
	}
	return &engine.Explained{Plan: "Scan\n"}, nil
}

func failing(err error) fake {
	return fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) { return nil, err }}
}

func answering() fake {
	return fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
		return &engine.Result{Dialect: "duckdb", SQL: "SELECT 1", Columns: []string{"a"}, Rows: []byte(`[{"a":1.50}]`), RowCount: 1}, nil
	}}
}

func silent(c restapi.Config) restapi.Config {
	c.Logger = slog.New(slog.DiscardHandler)
	return c
}

func serve(t *testing.T, s restapi.Service, c restapi.Config) *restapi.Server {
	t.Helper()
	server, err := restapi.New(s, silent(c))
	if err != nil {
		t.Fatal(err)
	}
	return server
}

type reply struct {
	status int
	body   string
	header http.Header
}

func request(method, path, body string, header ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

func do(t *testing.T, s *restapi.Server, r *http.Request) reply {
	t.Helper()
	return read(t, r, s.Do)
}

func send(t *testing.T, r *http.Request) reply {
	t.Helper()
	return read(t, r, http.DefaultClient.Do)
}

func read(t *testing.T, r *http.Request, answer func(*http.Request) (*http.Response, error)) reply {
	t.Helper()
	got, err := answer(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{got.StatusCode, string(body), got.Header}
}

// live serves on a socket for the length of the test and returns its address.
func live(t *testing.T, s *restapi.Server) string {
	t.Helper()
	return liveOn(t, s, listen(t))
}

func liveOn(t *testing.T, s *restapi.Server, ln net.Listener) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return "http://" + ln.Addr().String()
}
