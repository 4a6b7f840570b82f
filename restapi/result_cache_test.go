package restapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// wideQuery has a response that is long enough to be compressed.
const wideQuery = `{"metrics":["revenue","order_count","unique_customers"],"group_by":[{"field":"orders.order_id"},{"field":"orders.status"},{"field":"orders.order_date"}],"order_by":[{"key":"order_id"}]}`

const attributionOfRevenue = `{"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`

func keeping(t *testing.T) *engine.Engine {
	return engineOf(t, "orders", engine.Config{CacheMiB: 4, CacheTTL: time.Hour})
}

// wholeSeconds is the header Age of a result that was kept now: a busy machine takes seconds for a request.
var wholeSeconds = regexp.MustCompile(`^[0-9]+$`)

// awaitKept waits until the results of all statements are kept.
func awaitKept(t *testing.T, e *engine.Engine) {
	t.Helper()
	testwait.Until(t, "no statement runs", func() bool { s, _ := e.ResultCacheStats(); return s.Waiting == 0 })
}

func TestResultCache_HeadersAndRevalidation(t *testing.T) {
	e := keeping(t)
	s := serve(t, e, restapi.Config{Origins: []string{app}})
	plain := serve(t, engineOf(t, "orders", engine.Config{}), restapi.Config{})
	tags := map[string]string{}
	for _, tt := range []struct {
		name, path, body string
		header           []string
	}{
		{"json", "/v1/query/execute", wideQuery, nil},
		{"gzip", "/v1/query/execute", wideQuery, []string{"Accept-Encoding", "gzip"}},
		{"arrow", "/v1/query/execute", wideQuery, []string{"Accept", engine.ArrowStreamType}},
		{"other rows", "/v1/query/execute", aQuery, nil},
		{"attribution", "/v1/query/attribute", attributionOfRevenue, nil},
		{"statement", "/v1/sql/execute", `{"sql":"SELECT status, MEASURE(order_count) AS n FROM orders GROUP BY status ORDER BY status"}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := do(t, plain, request("POST", tt.path, tt.body, tt.header...))
			if want.header.Get("X-Cache") != "" || want.header.Get("ETag") != "" {
				t.Errorf("without a cache: %v", want.header)
			}
			first := do(t, s, request("POST", tt.path, tt.body, tt.header...))
			awaitKept(t, e)
			second := do(t, s, request("POST", tt.path, tt.body, tt.header...))
			tag := first.header.Get("ETag")
			if first.body != want.body || second.body != want.body || first.status != 200 {
				t.Errorf("%d %q, then %q, want %q", first.status, first.body, second.body, want.body)
			}
			if tag == "" || second.header.Get("ETag") != tag || strings.HasPrefix(tag, "W/") || tags[tag] != "" {
				t.Errorf("the tags are %s and %s, as those of %s", tag, second.header.Get("ETag"), tags[tag])
			}
			tags[tag] = tt.name
			if second.header.Get("X-Cache") != "hit" || !wholeSeconds.MatchString(second.header.Get("Age")) {
				t.Errorf("the second response has %v", second.header)
			}
			if tt.name != "gzip" && tt.name != "arrow" && (first.header.Get("X-Cache") != "miss" || first.header.Get("Age") != "") {
				t.Errorf("the first response has %v", first.header)
			}
			for _, name := range []string{"Cache-Control", "Content-Encoding", "Content-Type", "Vary"} {
				got := second.header.Get(name)
				if name == "Vary" {
					got = strings.TrimPrefix(got, "Origin, ")
				}
				if got != want.header.Get(name) && !(name == "Vary" && got == "Origin" && want.header.Get(name) == "") {
					t.Errorf("%s is %q, without a cache %q", name, got, want.header.Get(name))
				}
			}
			unchanged := do(t, s, request("POST", tt.path, tt.body, append([]string{"If-None-Match", tag}, tt.header...)...))
			if unchanged.status != 304 || unchanged.body != "" || unchanged.header.Get("ETag") != tag || unchanged.header.Get("X-Cache") != "hit" || !wholeSeconds.MatchString(unchanged.header.Get("Age")) {
				t.Errorf("with the tag: %d %q %v", unchanged.status, unchanged.body, unchanged.header)
			}
			other := do(t, s, request("POST", tt.path, tt.body, append([]string{"If-None-Match", `"other"`}, tt.header...)...))
			if other.status != 200 || other.body != want.body {
				t.Errorf("with another tag: %d", other.status)
			}
		})
	}
	if e.RunningExecutions() != 0 {
		t.Error("a slot is taken")
	}
}

// The client that gets 304 is asked for its token like any other.
func TestResultCache_RevalidationIsAuthorised(t *testing.T) {
	e := keeping(t)
	s := serve(t, e, restapi.Config{Tokens: []string{"t"}})
	first := do(t, s, request("POST", "/v1/query/execute", aQuery, "Authorization", "Bearer t"))
	refused := do(t, s, request("POST", "/v1/query/execute", aQuery, "If-None-Match", first.header.Get("ETag")))
	if first.status != 200 || refused.status != 401 || refused.header.Get("X-Cache") != "" {
		t.Errorf("%d, then %d %v", first.status, refused.status, refused.header)
	}
}

func TestResultCache_ZeroAgeBypassesIt(t *testing.T) {
	e := keeping(t)
	s := serve(t, e, restapi.Config{})
	body := strings.TrimSuffix(aQuery, "}") + `,"max_age":0}`
	for range 2 {
		if got := do(t, s, request("POST", "/v1/query/execute", body)); got.status != 200 || got.header.Get("X-Cache") != "bypass" || got.header.Get("Age") != "" {
			t.Errorf("%d %v", got.status, got.header)
		}
		awaitKept(t, e)
	}
	if got := do(t, s, request("POST", "/v1/query/execute", aQuery)); got.header.Get("X-Cache") != "hit" {
		t.Errorf("a request that allows any age: %v", got.header)
	}
}

func TestResultCache_PagesReadItsHeaders(t *testing.T) {
	s := serve(t, keeping(t), restapi.Config{Origins: []string{app}})
	got := do(t, s, request("OPTIONS", "/v1/query/execute", "", "Origin", app, "Access-Control-Request-Method", "POST"))
	if exposed := got.header.Get("Access-Control-Expose-Headers"); !strings.HasSuffix(exposed, ", X-Cache, Age, ETag") {
		t.Errorf("pages read %s", exposed)
	}
	if accepted := got.header.Get("Access-Control-Allow-Headers"); !strings.HasSuffix(accepted, ", If-None-Match") {
		t.Errorf("pages send %s", accepted)
	}
}

func TestResultCache_LogAndMetrics(t *testing.T) {
	var log testwait.Log
	e := keeping(t)
	s := logged(t, e, &log)
	for range 2 {
		do(t, s, request("POST", "/v1/query/execute", aQuery))
		awaitKept(t, e)
	}
	if text := log.String(); !strings.Contains(text, "cache=miss") || !strings.Contains(text, "cache=hit") {
		t.Errorf("the log is %s", text)
	}
	metrics := do(t, s, request("GET", "/metrics", "")).body
	for _, line := range []string{
		`semlayer_cache_requests_total{result="hit"} 1`, `semlayer_cache_requests_total{result="miss"} 1`, `semlayer_cache_requests_total{result="shared"} 0`,
		`semlayer_cache_requests_total{result="bypass"} 0`, "semlayer_cache_entries 1", "semlayer_cache_evictions_total 0", "semlayer_cache_bytes ",
	} {
		if !strings.Contains(metrics, "\n"+line) {
			t.Errorf("%s is missing", line)
		}
	}
	without := serve(t, engineOf(t, "orders", engine.Config{}), restapi.Config{})
	if text := do(t, without, request("GET", "/metrics", "")).body; strings.Contains(text, "semlayer_cache") {
		t.Error("a server without a cache has its metrics")
	}
}

// A compressed response is that of its tag.
func TestResultCache_CompressedBodyIsWhole(t *testing.T) {
	s := serve(t, keeping(t), restapi.Config{})
	want := do(t, s, request("POST", "/v1/query/execute", wideQuery))
	got := do(t, s, request("POST", "/v1/query/execute", wideQuery, "Accept-Encoding", "gzip"))
	r, err := gzip.NewReader(bytes.NewReader([]byte(got.body)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil || string(text) != want.body {
		t.Errorf("%v: %s", err, text)
	}
}
