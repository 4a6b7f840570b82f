package restapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// form is a way to reach a server: it serves for the length of a test and returns the
// address.
type form func(*testing.T, *restapi.Server) string

// eachForm runs a test over the server's own connections and over those of net/http.
func eachForm(t *testing.T, test func(*testing.T, form)) {
	t.Helper()
	t.Run("own", func(t *testing.T) { test(t, live) })
	t.Run("mounted", func(t *testing.T) { test(t, mounted("")) })
}

// mounted serves under a prefix of a server of net/http.
func mounted(prefix string) form {
	return func(t *testing.T, s *restapi.Server) string {
		t.Helper()
		mux := http.NewServeMux()
		mux.Handle(prefix+"/", s.Handler(prefix))
		h := httptest.NewServer(mux)
		t.Cleanup(h.Close)
		return h.URL + prefix
	}
}

func TestMount_ResponsesAreThoseOfTheServer(t *testing.T) {
	s := shop(t, "orders", restapi.Config{Origins: []string{app}, MCP: echo})
	own, other := live(t, s), mounted("")(t, s)
	const metric, rows = `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, `{"from":"orders","fields":["order_id","amount"]}`
	type probe struct {
		method, path, body string
		header             []string
	}
	probes := []probe{
		{"GET", "/", "", nil}, {"GET", "/docs/", "", nil}, {"GET", "/explorer/app.js", "", []string{"Accept-Encoding", "gzip"}},
		{"GET", "/v1/dimensions?metric=revenue", "", nil}, {"GET", "/v1/dimensions?metric=a%20b%2Fc", "", nil},
		{"GET", "/v1/lineage?format=dot", "", nil}, {"GET", "/v1/lineage?a=1&a=2", "", nil},
		{"GET", "/v1/metrics", "", []string{"Accept-Encoding", "gzip"}}, {"GET", "/v1/metrics", "", []string{"If-None-Match", "*"}},
		{"OPTIONS", "/v1/query/execute", "", []string{"Origin", app, "Access-Control-Request-Method", "POST"}},
		{"GET", "/v1/model", "", []string{"Origin", app}}, {"GET", "/v1/model", "", []string{"Origin", "https://evil.example"}},
		{"GET", "/v1/none", "", nil}, {"GET", "/v1%2Fmodel", "", nil}, {"DELETE", "/v1/model", "", nil}, {"GET", "/v1/query/execute", "", nil},
		{"POST", "/v1/query/execute", metric, []string{"Accept", arrowType}}, {"POST", "/v1/select/execute", rows, []string{"Accept", arrowType}},
		{"POST", "/v1/query/execute", metric, []string{"Accept-Encoding", "gzip"}}, {"POST", "/v1/query/execute", `{"metrics":["revenu"]}`, nil},
		{"POST", "/v1/query/execute", `{"metrics":["revenue"],"group_by":[{"field":"orders.broken"}]}`, nil},
		{"POST", "/v1/query/execute", "{", nil}, {"POST", "/v1/query/execute", "", nil},
		{"POST", "/v1/query/execute", metric, []string{"Content-Encoding", "gzip"}},
		{"POST", "/mcp", `{"id":1}`, []string{"Mcp-Session-Id", "s1"}},
	}
	for _, r := range restapi.Routes() {
		method, path, _ := strings.Cut(r, " ")
		body := ""
		switch {
		case method == "POST" && strings.HasPrefix(path, "/v1/query/"):
			body = metric
		case method == "POST":
			body = rows
		default:
			probes = append(probes, probe{"HEAD", path, "", nil})
		}
		if path != "/metrics" { // whose values change
			probes = append(probes, probe{method, path, body, nil})
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{DisableCompression: true}}
	for _, p := range probes {
		t.Run(p.method+" "+p.path, func(t *testing.T) {
			var got [2]reply
			for i, base := range []string{own, other} {
				r, err := http.NewRequestWithContext(t.Context(), p.method, base+p.path, strings.NewReader(p.body))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("X-Request-Id", "r1")
				for i := 0; i+1 < len(p.header); i += 2 {
					r.Header.Set(p.header[i], p.header[i+1])
				}
				got[i] = read(t, r, client.Do)
				got[i].header.Del("Date")
				if id := got[i].header.Get("X-Query-Id"); id != "" {
					got[i].header.Set("X-Query-Id", "some")
				}
				got[i].body = strings.ReplaceAll(got[i].body, strings.TrimPrefix(base, "http://"), "the host")
				if p.method == "HEAD" && p.path == "/metrics" {
					got[i].header.Del("Content-Length")
				}
				if p.path == "/mcp" {
					got[i].header.Del("Content-Length") // it counts the host
				}
			}
			if got[0].status != got[1].status {
				t.Errorf("status %d, mounted %d", got[0].status, got[1].status)
			}
			if d := cmp.Diff(got[0].header, got[1].header); d != "" {
				t.Error("headers (-own +mounted):\n", d)
			}
			if d := cmp.Diff(got[0].body, got[1].body); d != "" {
				t.Error("body (-own +mounted):\n", d)
			}
		})
	}
}

var fileOfThePage = regexp.MustCompile(`(?:src|href)="([^"#:]+)"`)

// Everything that a page loads or names is under the prefix that it is mounted at.
func TestMount_PagesAndDocumentAreUnderThePrefix(t *testing.T) {
	base := mounted("/data/semantic")(t, serve(t, answering(), restapi.Config{}))
	for _, page := range []string{"/", "/docs", "/docs/"} {
		got, err := http.Get(base + page)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(got.Body)
		if err != nil || got.StatusCode != 200 {
			t.Fatalf("%s: %d %v", page, got.StatusCode, err)
		}
		_ = got.Body.Close()
		files := fileOfThePage.FindAllStringSubmatch(string(text), -1)
		if len(files) == 0 {
			t.Errorf("%s names no file", page)
		}
		for _, f := range files {
			at, err := got.Request.URL.Parse(f[1])
			if err != nil {
				t.Fatal(err)
			}
			if status := get(t, at.String()); status != 200 {
				t.Errorf("%s loads %s: %d", page, at, status)
			}
		}
	}
	got := send(t, getRequest(t, base+"/openapi.json"))
	var document struct{ Servers []struct{ URL string } }
	if err := json.Unmarshal([]byte(got.body), &document); err != nil || len(document.Servers) != 1 || document.Servers[0].URL != "/data/semantic" {
		t.Errorf("the document is of a server at %v, error %v", document.Servers, err)
	}
	if got := send(t, getRequest(t, base[:len(base)-len("/data/semantic")]+"/v1/model")); got.status != 404 {
		t.Errorf("outside of the prefix: %+v", got)
	}
}

// A router that hands on the prefix without a slash gets the page with one.
func TestMount_TheRootHasASlash(t *testing.T) {
	w := httptest.NewRecorder()
	serve(t, answering(), restapi.Config{}).Handler("/data/semantic").ServeHTTP(w, httptest.NewRequest("GET", "/data/semantic", nil))
	if w.Code != 308 || w.Header().Get("Location") != "semantic/" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func getRequest(t *testing.T, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A stream is sent while it is made, over HTTP/2 too, and cut where it fails.
func TestMount_StreamsAreSentWhileTheyAreMade(t *testing.T) {
	for name, two := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			arrived := make(chan struct{})
			source := &batches{left: 1, after: func() error {
				select {
				case <-arrived:
					return &engine.ExecuteError{Code: "driver", Message: "broken"}
				case <-t.Context().Done():
					return io.EOF
				}
			}}
			h := httptest.NewUnstartedServer(serve(t, streaming(source), restapi.Config{}).Handler(""))
			h.EnableHTTP2 = two
			h.StartTLS()
			t.Cleanup(h.Close)
			r := request("POST", h.URL+"/v1/query/execute", aQuery, "Accept", arrowType)
			r.RequestURI = ""
			got, err := h.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Body.Close()
			if got.ProtoMajor == 2 != two {
				t.Fatal(got.Proto)
			}
			first := make([]byte, 16)
			if _, err := io.ReadFull(got.Body, first); err != nil {
				t.Fatal(err)
			}
			close(arrived)
			rest, err := io.ReadAll(got.Body)
			if err == nil || bytes.HasSuffix(rest, []byte(endMarker)) || bytes.Contains(rest, []byte("broken")) {
				t.Errorf("a broken stream ends with %q, error %v", rest, err)
			}
		})
	}
}

// stuck are rows that wait for the end of their statement.
type stuck struct {
	batches
	ended chan error
}

func (s *stuck) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if s.left > 0 {
		return s.batches.Next(ctx)
	}
	<-ctx.Done()
	s.ended <- ctx.Err()
	return nil, ctx.Err()
}

// net/http reports a disconnect at once, also between two batches of a stream.
func TestMount_ADisconnectEndsAStreamBetweenItsBatches(t *testing.T) {
	rows := &stuck{batches{left: 1}, make(chan error, 1)}
	var log testwait.Log
	got := posted(t, mounted("")(t, logged(t, streaming(rows), &log)), aQuery)
	_ = got.Body.Close()
	_ = testwait.Receive(t, "the end of the statement", rows.ended)
	testwait.Until(t, "the log tells", func() bool { return strings.Contains(log.String(), `code=client_gone end="the client went away"`) })
}

func TestMount_SlowBodiesAreCutOff(t *testing.T) {
	base := mounted("")(t, serve(t, answering(), restapi.Config{BodyTimeout: 100 * time.Millisecond}))
	for _, head := range []string{"Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"} {
		status, body := sendRaw(t, base, "POST /v1/query/compile HTTP/1.1\r\nHost: h\r\n"+head)
		if status != 408 || envelope(t, body).Code != "bad_request" {
			t.Errorf("%d %s", status, body)
		}
	}
	// A response takes longer than the body may: its deadline is over then. A busy machine reads the body before it.
	const budget = 2 * time.Second
	slow := fake{execute: func(ctx context.Context, _ *query.MetricQuery) (*engine.Result, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.Tick(budget + budget/4):
			return nil, &engine.ExecuteError{Code: "driver"}
		}
	}}
	base = mounted("")(t, serve(t, slow, restapi.Config{BodyTimeout: budget}))
	r := request("POST", base+"/v1/query/execute", aQuery)
	r.RequestURI = ""
	if got := send(t, r); got.status != 502 {
		t.Errorf("%+v", got)
	}
}

// A page that gives its own name to the loopback address is rejected as everywhere.
func TestMount_KnowsTheAddressThatARequestHasReached(t *testing.T) {
	base := mounted("")(t, serve(t, answering(), restapi.Config{}))
	r := getRequest(t, base+"/v1/model")
	r.Host = "evil.example"
	if got := send(t, r); got.status != 403 {
		t.Errorf("%+v", got)
	}
}

func TestMount_SpansAreBelowThatOfTheProgram(t *testing.T) {
	s, spans := tracingServer(t, answering())
	outer := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled})
	r := request("GET", "/health", "", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	s.Handler("").ServeHTTP(httptest.NewRecorder(), r.WithContext(trace.ContextWithSpanContext(r.Context(), outer)))
	if ended := spans.Ended(); len(ended) != 1 || ended[0].Parent().SpanID() != outer.SpanID() {
		t.Errorf("%v", ended)
	}
}

func TestMount_APanicIsAnErrorOfItsRequest(t *testing.T) {
	base := mounted("")(t, serve(t, fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) { panic("x") }}, restapi.Config{}))
	r := request("POST", base+"/v1/query/execute", aQuery)
	r.RequestURI = ""
	if got := send(t, r); got.status != 500 || envelope(t, got.body).Code != "internal" {
		t.Errorf("%+v", got)
	}
}
