package restapi_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

var queryIDPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// identified is a service that keeps the id of the query that it was asked last.
type identified struct {
	*engine.Engine
	id *string
}

func (s identified) Prepare(ctx context.Context, q query.Body) (engine.Statement, error) {
	*s.id = engine.QueryID(ctx)
	return s.Engine.Prepare(ctx, q)
}

func TestQueryID_NamesAQueryInResponseLogAndEngine(t *testing.T) {
	var log testwait.Log
	var seen string
	s := logged(t, identified{engineOf(t, "orders", engine.Config{}), &seen}, &log)
	ids := map[string]bool{}
	for name, r := range map[string]*http.Request{
		"compile":                      request("POST", "/v1/query/compile", aQuery),
		"a query that does not plan":   request("POST", "/v1/query/compile", `{"metrics":["revenu"]}`),
		"execute":                      request("POST", "/v1/query/execute", aQuery),
		"execute with the client's id": request("POST", "/v1/query/execute", aQuery, "X-Query-Id", strings.Repeat("a", 32), "X-Request-Id", "mine"),
		"stream":                       request("POST", "/v1/query/execute", aQuery, "Accept", engine.ArrowStreamType),
	} {
		t.Run(name, func(t *testing.T) {
			id := do(t, s, r).header.Get("X-Query-Id")
			if !queryIDPattern.MatchString(id) || ids[id] || id == strings.Repeat("a", 32) {
				t.Errorf("%q is not a new id", id)
			}
			ids[id] = true
			if seen != id {
				t.Errorf("the engine works for %q, the response names %q", seen, id)
			}
			testwait.Until(t, "the log names the query", func() bool { return strings.Contains(log.String(), "query_id="+id) })
		})
	}
}

func TestQueryID_IsAbsentWhereNothingIsPlanned(t *testing.T) {
	var log testwait.Log
	s := logged(t, answering(), &log)
	for _, r := range []*http.Request{
		request("GET", "/v1/model", "", "X-Query-Id", "theirs"),
		request("GET", "/health", ""),
		request("POST", "/v1/query/compile", "{"),
	} {
		if got := do(t, s, r); got.header.Get("X-Query-Id") != "" {
			t.Errorf("%s: %v", r.URL, got.header)
		}
	}
	if strings.Contains(log.String(), "query_id") {
		t.Error(log.String())
	}
}

func TestQueryID_OfAMessageThatAsksForAQuery(t *testing.T) {
	e := engineOf(t, "orders", engine.Config{})
	var seen string
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = engine.QueryID(r.Context())
		if r.Header.Get("X-Tool") == "compile" {
			prepared, err := e.Prepare(r.Context(), &query.MetricQuery{})
			if err == nil {
				_, err = prepared.SQL(r.Context())
			}
			if err == nil {
				t.Error("a query without metrics compiles")
			}
		}
		w.WriteHeader(http.StatusAccepted)
	})
	s := serve(t, answering(), restapi.Config{MCP: handler})
	if got := do(t, s, request("POST", "/mcp", `{}`)); got.header.Get("X-Query-Id") != "" {
		t.Errorf("a message without a query: %v", got.header)
	}
	got := do(t, s, request("POST", "/mcp", `{}`, "X-Tool", "compile")).header.Get("X-Query-Id")
	if !queryIDPattern.MatchString(got) || got != seen {
		t.Errorf("%q, the engine works for %q", got, seen)
	}
}

// Responses of a model name its revision, errors too; pages and the state of the process belong to none.
func TestModelRevision_IsAHeaderOfEachResponseOfAModel(t *testing.T) {
	e := engineOf(t, "orders", engine.Config{})
	var log testwait.Log
	s := logged(t, e, &log)
	for _, r := range []*http.Request{
		request("GET", "/v1/model", ""), request("GET", "/v1/catalog", ""), request("POST", "/v1/query/execute", aQuery),
		request("POST", "/v1/query/compile", `{"metrics":["revenu"]}`), request("POST", "/v1/query/execute", aQuery, "Accept", engine.ArrowStreamType),
	} {
		if got := do(t, s, r).header.Get("X-Model-Revision"); got != e.Model().Revision {
			t.Errorf("%s: %q, want %q", r.URL, got, e.Model().Revision)
		}
	}
	for _, path := range []string{"/", "/health", "/docs"} {
		if got := do(t, s, request("GET", path, "")).header.Get("X-Model-Revision"); got != "" {
			t.Errorf("%s: %q", path, got)
		}
	}
}
