package restapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

func serveModels(t *testing.T, m restapi.Models, c restapi.Config) *restapi.Server {
	t.Helper()
	if c.Logger == nil {
		c = silent(c)
	}
	s, err := restapi.NewForModels(m, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// named is a service whose answers hold its name.
type named struct {
	fake
	name string
}

func (n named) Model() engine.ModelInfo {
	return engine.ModelInfo{Name: "the model " + n.name, Revision: "r-" + n.name, Description: "d", Datasets: 2, Metrics: 3}
}

func (n named) Prepare(ctx context.Context, q query.Body) (engine.Statement, error) {
	s, err := n.fake.Prepare(ctx, q)
	return namedStatement{s, n.name}, err
}

type namedStatement struct {
	engine.Statement
	name string
}

func (s namedStatement) SQL(context.Context) (*engine.Compiled, error) {
	return &engine.Compiled{Dialect: "duckdb", SQL: "SELECT " + s.name}, nil
}

func (n named) Revision() string { return "r-" + n.name }

func modelNamed(name string) *restapi.Model {
	return &restapi.Model{Name: name, Service: named{answering(), name}, MCP: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"mcp":%q}`, name)
	})}
}

func several(defaultName string, names ...string) restapi.Models {
	m := restapi.Models{Several: true, Default: defaultName}
	for _, n := range names {
		m.List = append(m.List, modelNamed(n))
	}
	return m
}

const anyQuery = `{"metrics":["m"]}`

func TestModels_EachAnswersUnderItsPath(t *testing.T) {
	s := serveModels(t, several("b", "a", "b"), restapi.Config{})
	for _, c := range []struct {
		method, path, body, want string
	}{
		{"POST", "/m/a/v1/query/compile", anyQuery, "SELECT a"},
		{"POST", "/m/b/v1/query/compile", anyQuery, "SELECT b"},
		{"POST", "/v1/query/compile", anyQuery, "SELECT b"},
		{"GET", "/m/a/v1/model", "", `"name":"the model a"`},
		{"GET", "/m/a/v1/dimensions?metric=x", "", "asked for x"},
		{"POST", "/m/a/mcp", `{}`, `{"mcp":"a"}`},
		{"POST", "/mcp", `{}`, `{"mcp":"b"}`},
		{"GET", "/m/a/", "", "<!doctype html>"},
		{"GET", "/m/a/docs", "", "<!doctype html>"},
		{"GET", "/m/a/openapi.json", "", `"servers":[{"url":"/m/a"}]`},
		{"GET", "/openapi.json", "", `"/health"`},
	} {
		got := do(t, s, request(c.method, c.path, c.body))
		if got.status != 200 || !strings.Contains(strings.ToLower(got.body), strings.ToLower(c.want)) {
			t.Errorf("%s %s: %d %.200s, want %s", c.method, c.path, got.status, got.body, c.want)
		}
	}
	if got := do(t, s, request("GET", "/m/a/openapi.json", "")); strings.Contains(got.body, `"/health"`) {
		t.Error("the document below /m/a lists routes that are not there")
	}
	if got := do(t, s, request("GET", "/m/a", "")); got.status != 308 || got.header.Get("Location") != "a/" {
		t.Errorf("/m/a: %d %v", got.status, got.header)
	}
}

func TestModels_UnknownOnesAre404(t *testing.T) {
	without := serveModels(t, several("", "sales", "stock"), restapi.Config{Tokens: []string{"t"}})
	only := serve(t, named{answering(), "x"}, restapi.Config{})
	const code = `"code":"unknown_model"`
	for _, c := range []struct {
		server       *restapi.Server
		method, path string
		token        bool
		status       int
		want         string
	}{
		{without, "POST", "/v1/query/compile", true, 404, `"candidates":["sales","stock"]`},
		{without, "POST", "/mcp", true, 404, code},
		{without, "GET", "/v1/model", true, 404, code},
		{without, "POST", "/m/sale/v1/query/compile", true, 404, `"candidates":["sales","stock"]`},
		{without, "GET", "/m/sale/nothing", true, 404, code},
		{without, "GET", "/m/sales/nothing", true, 404, "there is nothing at /m/sales/nothing"},
		{without, "POST", "/m/sale/v1/query/compile", false, 401, `"code":"unauthorized"`},
		{without, "POST", "/m/sales/v1/query/compile", false, 401, `"code":"unauthorized"`},
		{without, "POST", "/v1/query/compile", false, 401, `"code":"unauthorized"`},
		{without, "GET", "/v1/models", false, 401, `"code":"unauthorized"`},
		{without, "GET", "/m/sale/", false, 404, `{"error":{"code":"unknown_model","message":"unknown model sale"}}`},
		{without, "GET", "/m/sale", false, 404, code},
		{without, "GET", "/m/sale/docs", false, 404, code},
		{without, "GET", "/m/sale/openapi.json", false, 404, code},
		{without, "GET", "/m/sales/", false, 200, ""},
		{without, "GET", "/openapi.json", false, 404, code},
		{without, "GET", "/docs", false, 404, code},
		{without, "GET", "/", false, 200, ""},
		{without, "GET", "/explorer/app.js", false, 200, ""},
		{without, "GET", "/health", false, 200, ""},
		{without, "GET", "/m/sales/health", false, 404, "there is nothing at /m/sales/health"},
		{without, "GET", "/m/sales/v1/models", true, 404, "there is nothing at"},
		{without, "GET", "/m/sales/metrics", false, 404, "there is nothing at"},
		{without, "GET", "/m/sales/m/sales/v1/model", true, 404, "there is nothing at"},
		{without, "GET", "/m/", true, 404, `"code":"bad_request"`},
		{without, "GET", "/m", true, 404, `"code":"bad_request"`},
		{without, "GET", "/m/sa%6ces/v1/model", true, 404, `"code":"bad_request"`},
		{without, "GET", "/m/../v1/models", true, 404, `"code":"bad_request"`},
		{only, "GET", "/m/x/v1/model", false, 404, `"code":"bad_request"`},
	} {
		var header []string
		if c.token {
			header = []string{"Authorization", "Bearer t"}
		}
		body := ""
		if c.method == "POST" {
			body = anyQuery
		}
		got := do(t, c.server, request(c.method, c.path, body, header...))
		if got.status != c.status || !strings.Contains(got.body, c.want) {
			t.Errorf("%s %s, token %v: %d %.200s, want %d %s", c.method, c.path, c.token, got.status, got.body, c.status, c.want)
		}
	}
}

func TestModels_APathWithTwoSlashesKeepsTheHost(t *testing.T) {
	s := serveModels(t, several("", "a"), restapi.Config{})
	got := do(t, s, request("POST", "/m/a//v1/query/compile", anyQuery))
	if got.status != 404 || !strings.Contains(got.body, "there is nothing at /m/a//v1/query/compile") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestModels_AreListed(t *testing.T) {
	for _, c := range []struct {
		name   string
		models restapi.Models
		want   string
	}{
		{"several", several("b", "a", "b"), `[{"name":"a","path":"/m/a","revision":"r-a","description":"d","datasets":2,"metrics":3,"default":false},` +
			`{"name":"b","path":"/m/b","revision":"r-b","description":"d","datasets":2,"metrics":3,"default":true}]`},
		{"one", restapi.Models{List: []*restapi.Model{modelNamed("x")}}, `[{"name":"the model x","path":"","revision":"r-x","description":"d","datasets":2,"metrics":3,"default":true}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serveModels(t, c.models, restapi.Config{})
			if got := do(t, s, request("GET", "/v1/models", "")); got.body != c.want {
				t.Errorf("%s", got.body)
			}
		})
	}
}

func TestModels_ImpossibleOnesAreRefused(t *testing.T) {
	for name, m := range map[string]restapi.Models{
		"none":            {},
		"two without":     {List: several("", "a", "b").List},
		"a slash":         several("", "a/b"),
		"an empty name":   several("", ""),
		"a name twice":    several("", "a", "a"),
		"another default": several("c", "a"),
		"no service":      {List: []*restapi.Model{{}}},
		"nil":             {List: []*restapi.Model{nil}},
	} {
		if _, err := restapi.NewForModels(m, silent(restapi.Config{})); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	s := serveModels(t, several("", "a"), restapi.Config{})
	for name, m := range map[string]restapi.Models{"one": {List: several("", "a").List}, "a slash": several("", "a/b")} {
		if err := s.ReplaceModels(m); err == nil {
			t.Errorf("replaced by %s: accepted", name)
		}
	}
}

func TestReplaceModels_ARequestEndsWithItsModel(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	old := fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
		close(begun)
		<-goOn
		return &engine.Result{Columns: []string{"a"}, Rows: []byte(`[{"a":"old"}]`), RowCount: 1}, nil
	}}
	var closed atomic.Int32
	gone := make(chan struct{})
	first := &restapi.Model{Service: old, Closed: func() { closed.Add(1); close(gone) }}
	s := serveModels(t, restapi.Models{List: []*restapi.Model{first}}, restapi.Config{})
	answer := make(chan reply, 1)
	go func() { answer <- do(t, s, request("POST", "/v1/query/execute", anyQuery)) }()
	<-begun
	if err := s.ReplaceModels(restapi.Models{List: []*restapi.Model{modelNamed("new")}}); err != nil {
		t.Fatal(err)
	}
	if got := do(t, s, request("POST", "/v1/query/compile", anyQuery)); !strings.Contains(got.body, "SELECT new") {
		t.Errorf("a later request: %s", got.body)
	}
	if n := closed.Load(); n != 0 {
		t.Error("the old model was closed while a request used it")
	}
	close(goOn)
	if got := <-answer; got.status != 200 || !strings.Contains(got.body, `"old"`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	testwait.Receive(t, "the end of the old model", gone)
	if n := closed.Load(); n != 1 {
		t.Errorf("closed %d times", n)
	}
}

func TestReplaceModels_ClosesWhatIsNoLongerListedOnce(t *testing.T) {
	var mu sync.Mutex
	closed := map[string]int{}
	model := func(name string) *restapi.Model {
		m := modelNamed(name)
		m.Closed = func() {
			mu.Lock()
			defer mu.Unlock()
			closed[name]++
		}
		return m
	}
	kept := model("kept")
	s := serveModels(t, restapi.Models{Several: true, List: []*restapi.Model{kept, model("0")}}, restapi.Config{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 300 {
				if got := do(t, s, request("POST", "/m/kept/v1/query/compile", anyQuery)); got.status != 200 {
					t.Errorf("%d %s", got.status, got.body)
				}
				if got := do(t, s, request("GET", "/v1/models", "")); got.status != 200 {
					t.Errorf("%d %s", got.status, got.body)
				}
			}
		})
	}
	const last = 200
	for i := 1; i <= last; i++ {
		if err := s.ReplaceModels(restapi.Models{Several: true, List: []*restapi.Model{kept, model(fmt.Sprint(i))}}); err != nil {
			t.Fatal(err)
		}
	}
	wait.Wait()
	want := map[string]int{}
	for i := range last {
		want[fmt.Sprint(i)] = 1
	}
	testwait.Until(t, "every model but the last is closed once", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return cmp.Equal(want, closed)
	})
}

func TestReadiness_NamesTheNewestRefusal(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	refused := func(model string, after time.Duration) restapi.ReloadReport {
		return restapi.ReloadReport{Model: model, Refused: 1, Error: &restapi.ReloadError{Code: "parse", Message: "line 3", At: at.Add(after)}}
	}
	m := several("", "a", "b")
	s := serveModels(t, m, restapi.Config{})
	ready := func() string { return do(t, s, request("GET", "/ready", "")).body }
	if got := ready(); got != `{"status":"ready"}` {
		t.Error(got)
	}
	m.Reloads = []restapi.ReloadReport{refused("a", time.Second), refused("b", 0), {Model: "c", Accepted: 3}}
	if err := s.ReplaceModels(m); err != nil {
		t.Fatal(err)
	}
	if got := ready(); got != `{"status":"ready","reload_error":{"code":"parse","message":"line 3","model":"a","at":"2026-01-02T03:04:06Z"}}` {
		t.Error(got)
	}
}

func TestModelMetrics_HaveTheModelWhereThereAreSeveral(t *testing.T) {
	var names []string
	for i := range restapi.MaxModelLabels + 3 {
		names = append(names, fmt.Sprintf("m%03d", i))
	}
	var log bytes.Buffer
	m := several("", names...)
	m.Reloads = []restapi.ReloadReport{{Model: "m000", Accepted: 2, Refused: 1}, {Model: "m101", Accepted: 4}, {Model: "m102", Accepted: 5}}
	s := serveModels(t, m, restapi.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	do(t, s, request("POST", "/m/m000/v1/query/compile", anyQuery))
	do(t, s, request("POST", "/m/m102/v1/query/compile", anyQuery))
	do(t, s, request("POST", "/m/none/v1/query/compile", anyQuery))
	text := do(t, s, request("GET", "/metrics", "")).body
	for _, want := range []string{
		`semlayer_http_requests_total{code="ok",connection="",method="POST",model="m000",route="/v1/query/compile",status="200"} 1`,
		`semlayer_http_requests_total{code="ok",connection="",method="POST",model="other",route="/v1/query/compile",status="200"} 1`,
		`semlayer_http_requests_total{code="unknown_model",connection="",method="POST",model="",route="/v1/query/compile",status="404"} 1`,
		`semlayer_model_info{model="m000",revision="r-m000"} 1`,
		`semlayer_model_reloads_total{model="m000",result="ok"} 2`,
		`semlayer_model_reloads_total{model="m000",result="refused"} 1`,
		`semlayer_model_reloads_total{model="other",result="ok"} 9`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	if n := strings.Count(text, "\nsemlayer_model_errors{"); n != restapi.MaxModelLabels+1 {
		t.Errorf("%d labels", n)
	}
	var line struct{ Model, Route string }
	first, _, _ := strings.Cut(log.String(), "\n")
	if err := json.Unmarshal([]byte(first), &line); err != nil || line.Model != "m000" || line.Route != "/v1/query/compile" {
		t.Errorf("%v %s", err, first)
	}
}

func TestModelMetrics_HaveNoModelWhereThereIsOne(t *testing.T) {
	s := serveModels(t, restapi.Models{List: []*restapi.Model{modelNamed("x")}, Reloads: []restapi.ReloadReport{{Accepted: 2, Refused: 1}}}, restapi.Config{})
	text := do(t, s, request("GET", "/metrics", "")).body
	for _, want := range []string{
		`semlayer_model_info{revision="r-x"} 1`, "semlayer_model_errors 0",
		`semlayer_model_reloads_total{result="ok"} 2`, `semlayer_model_reloads_total{result="refused"} 1`, "semlayer_rows_total 0",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	if strings.Contains(text, `model="`) {
		t.Error("there is a label model")
	}
}
