package admin_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/admin"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// administered is a server whose administrator has the token t.
type administered struct{}

func (administered) Handler(string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("probe " + r.URL.Path)) })
}

func (administered) MetricsHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("measurements")) })
}

func (administered) CheckAdministrator(_ context.Context, authorization string) error {
	switch authorization {
	case "Bearer t":
		return nil
	case "Bearer reader":
		return &restapi.Error{Code: restapi.CodeForbidden, Message: "no role"}
	}
	return &restapi.Error{Code: restapi.CodeUnauthorized, Message: "no token"}
}

// executions has one, whose id is a.
type executions struct{ ended []string }

func (e *executions) Executions() []engine.RunningExecution {
	return []engine.RunningExecution{{QueryID: "a", AgeMS: 7, Connection: "wh", Model: "m", Surface: "sql", State: engine.ExecutionQueued}}
}

func (e *executions) CancelExecution(id string) int {
	if id != "a" {
		return 0
	}
	e.ended = append(e.ended, id)
	return 1
}

func TestHandler_Guards(t *testing.T) {
	const listed = `{"executions":[{"query_id":"a","age_ms":7,"connection":"wh","model":"m","surface":"sql","state":"queued"}]}`
	for name, c := range map[string]struct {
		remote       bool // the address is not loopback
		method, path string
		header       []string
		status       int
		body         string
	}{
		"a probe":                               {true, "GET", "/health", nil, 200, "probe /health"},
		"a probe, in another way":               {true, "POST", "/health", nil, 404, "this address has"},
		"measurements":                          {true, "GET", "/metrics", nil, 200, "measurements"},
		"a route of the interface":              {true, "GET", "/v1/model", nil, 404, `"code":"bad_request"`},
		"the state, on loopback":                {false, "GET", "/debug/state", nil, 200, listed},
		"the state, without a token":            {true, "GET", "/debug/state", nil, 401, `"code":"unauthorized"`},
		"the state, of a reader":                {true, "GET", "/debug/state", []string{"Authorization", "Bearer reader"}, 403, `"code":"forbidden"`},
		"the state, with a token":               {true, "GET", "/debug/state", []string{"Authorization", "Bearer t"}, 200, listed},
		"profiles, without a token":             {true, "GET", "/debug/pprof/", nil, 401, `"code":"unauthorized"`},
		"profiles in another spelling":          {true, "GET", "//debug/pprof/", nil, 307, ""},
		"a path below debug, without a token":   {true, "GET", "/debug/none", nil, 401, ""},
		"profiles, on loopback":                 {false, "GET", "/debug/pprof/", nil, 200, "goroutine"},
		"a goroutine profile":                   {false, "GET", "/debug/pprof/goroutine?debug=1", nil, 200, "goroutine profile"},
		"the end of an execution":               {false, "POST", "/debug/state/cancel?query_id=a", nil, 200, `{"query_id":"a","ended":1}`},
		"the end by a link":                     {false, "GET", "/debug/state/cancel?query_id=a", nil, 404, ""},
		"the end of none":                       {false, "POST", "/debug/state/cancel?query_id=b", nil, 404, "no execution has this query_id"},
		"the end without an id":                 {false, "POST", "/debug/state/cancel", nil, 400, "query_id is missing"},
		"a form of another site":                {false, "POST", "/debug/state/cancel?query_id=a", []string{"Origin", "https://evil.example"}, 403, "web page"},
		"a page without an origin":              {false, "GET", "/debug/state", []string{"Sec-Fetch-Site", "cross-site"}, 403, "web page"},
		"a page whose name leads to loopback":   {false, "GET", "/debug/state", []string{"Host", "evil.example:9"}, 403, "names another host"},
		"loopback by its name":                  {false, "GET", "/debug/state", []string{"Host", "localhost:9"}, 200, listed},
		"loopback by its address of version 6":  {false, "GET", "/debug/state", []string{"Host", "[::1]:9"}, 200, listed},
		"the end without a token, from outside": {true, "POST", "/debug/state/cancel?query_id=a", nil, 401, ""},
	} {
		list := new(executions)
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Host = "127.0.0.1:9"
		for i := 0; i+1 < len(c.header); i += 2 {
			r.Header.Set(c.header[i], c.header[i+1])
			if c.header[i] == "Host" {
				r.Host = c.header[i+1]
			}
		}
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}))
		w := httptest.NewRecorder()
		admin.NewHandler(administered{}, list, !c.remote).ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if (len(list.ended) > 0) != (name == "the end of an execution") {
			t.Errorf("%s: ended %v", name, list.ended)
		}
	}
}
