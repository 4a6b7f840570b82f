package restapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/restapi"
)

const app = "https://app.example.com"

func corsHeaders(h http.Header) map[string]string {
	out := map[string]string{}
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") || name == "Vary" {
			out[name] = h.Get(name)
		}
	}
	return out
}

func TestCORS_OffWithoutOrigins(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	for _, r := range []*http.Request{
		request("GET", "/v1/model", "", "Origin", app),
		request("OPTIONS", "/v1/query/execute", "", "Origin", app, "Access-Control-Request-Method", "POST"),
	} {
		got := do(t, s, r)
		if d := cmp.Diff(map[string]string{}, corsHeaders(got.header)); d != "" {
			t.Errorf("%s: %s", r.Method, d)
		}
		if r.Method == "OPTIONS" && got.status != 405 {
			t.Errorf("preflight: %d", got.status)
		}
	}
}

func TestCORS_ConfiguredOriginAllowed(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"t"}, Origins: []string{"http://localhost:3000", app}})
	ask := []string{"Origin", app, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type"}
	shared := map[string]string{
		"Access-Control-Allow-Origin":   app,
		"Access-Control-Expose-Headers": "X-Request-Id, X-Query-Id, Retry-After, WWW-Authenticate, Mcp-Session-Id",
		"Vary":                          "Origin",
	}
	with := func(more map[string]string) map[string]string {
		for k, v := range shared {
			more[k] = v
		}
		return more
	}
	preflight := do(t, s, request("OPTIONS", "/v1/query/execute", "", ask...))
	if preflight.status != 204 || preflight.body != "" {
		t.Errorf("%+v", preflight)
	}
	if d := cmp.Diff(with(map[string]string{
		"Access-Control-Allow-Methods": "POST",
		"Access-Control-Allow-Headers": "Authorization, Content-Type, Accept, X-Request-Id, Traceparent, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name",
		"Access-Control-Max-Age":       "600",
	}), corsHeaders(preflight.header)); d != "" {
		t.Error(d)
	}
	for name, c := range map[string]struct {
		r      *http.Request
		status int
	}{
		"with the token":               {request("POST", "/v1/query/execute", aQuery, "Origin", app, "Authorization", "Bearer t"), 200},
		"an error is readable as well": {request("POST", "/v1/query/execute", aQuery, "Origin", app), 401},
		"OPTIONS that is no preflight": {request("OPTIONS", "/v1/query/execute", "", "Origin", app), 401},
		"a preflight for nowhere":      {request("OPTIONS", "/nowhere", "", ask...), 401},
	} {
		got := do(t, s, c.r)
		if d := cmp.Diff(shared, corsHeaders(got.header)); d != "" || got.status != c.status {
			t.Errorf("%s: %d %s", name, got.status, d)
		}
	}
	for _, other := range []string{"https://evil.example", app + ":8443", app + ".evil.example", "http://app.example.com", "null", "HTTPS://APP.EXAMPLE.COM"} {
		got := do(t, s, request("OPTIONS", "/v1/query/execute", "", "Origin", other, "Access-Control-Request-Method", "POST"))
		if d := cmp.Diff(map[string]string{"Vary": "Origin"}, corsHeaders(got.header)); d != "" || got.status != 401 {
			t.Errorf("%s: %d %s", other, got.status, d)
		}
	}
}

func TestCORS_ExactOriginsOnly(t *testing.T) {
	for _, origin := range []string{"*", "null", "app.example.com", "https://", "https://*.example.com", "https://app.example.com/", "https://app.example.com/x", "https://u@app.example.com", "https://App.example.com", "ftp://a", "https://a?b", "https://a#b", ""} {
		if _, err := restapi.New(answering(), restapi.Config{Origins: []string{origin}}); err == nil {
			t.Errorf("%q was taken", origin)
		}
	}
	for _, origin := range []string{"https://a.example", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:80"} {
		if err := restapi.CheckOrigins([]string{origin}); err != nil {
			t.Error(err)
		}
	}
}

// Unrelated headers of a client or a proxy must not change a response.
func TestResponse_IgnoresUnrelatedHeaders(t *testing.T) {
	s := shop(t, "orders", restapi.Config{Origins: []string{app}})
	requests := map[string]func(header ...string) *http.Request{
		"compile": func(h ...string) *http.Request { return request("POST", "/v1/query/compile", aQuery, h...) },
		"execute": func(h ...string) *http.Request {
			return request("POST", "/v1/query/execute", `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`, h...)
		},
		"metrics": func(h ...string) *http.Request { return request("GET", "/v1/metrics", "", h...) },
		"error": func(h ...string) *http.Request {
			return request("POST", "/v1/query/compile", `{"metrics":["revenu"]}`, h...)
		},
		"missing": func(h ...string) *http.Request { return request("GET", "/v1/nothing", "", h...) },
	}
	for name, ask := range requests {
		plain := do(t, s, ask())
		for _, header := range [][]string{
			{"Accept", "*/*"}, {"Accept", "application/json;q=0.1"}, {"Accept", "text/html"}, {"Accept", "application/vnd.apache.arrow.file"},
			{"Accept-Encoding", "deflate, br, zstd"}, {"Accept-Language", "de-DE"}, {"Accept-Charset", "latin1"},
			{"User-Agent", "Mozilla/5.0 (X11)"}, {"Origin", app}, {"Referer", app}, {"Cookie", "a=b"},
			{"Content-Type", "text/plain"}, {"Content-Type", "application/x-www-form-urlencoded"}, {"Content-Type", "multipart/form-data; boundary=x"},
			{"If-None-Match", `"of another"`}, {"If-Modified-Since", "Sat, 21 Nov 2026 00:00:00 GMT"}, {"Range", "bytes=0-1"},
			{"X-Forwarded-For", "1.2.3.4"}, {"X-Forwarded-Host", "evil.example"}, {"X-HTTP-Method-Override", "DELETE"},
			{"X-Request-Id", "mine"}, {"Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
			{"Cache-Control", "max-age=100"}, {"Prefer", "return=minimal"}, {"Te", "trailers"}, {"Upgrade-Insecure-Requests", "1"},
		} {
			got := do(t, s, ask(header...))
			if got.status != plain.status || got.body != plain.body || got.header.Get("Content-Type") != plain.header.Get("Content-Type") {
				t.Errorf("%s with %v: %d %s", name, header, got.status, got.body)
			}
		}
	}
}
