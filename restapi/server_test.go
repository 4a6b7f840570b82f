package restapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

const aQuery = `{"metrics":["revenue"]}`

func TestRoutes_ResponseShapes(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/health", "", `{"status":"ok"}`},
		{"GET", "/ready", "", `{"status":"ready"}`},
		{"GET", "/v1/datasets", "", `[]`},
		{"GET", "/v1/metrics", "", `[]`},
		{"GET", "/v1/relationships", "", `[]`},
		{"GET", "/v1/findings", "", `{"compile_errors":[],"warnings":[]}`},
		{"GET", "/v1/connections", "", `[]`},
		{"GET", "/v1/dimensions", "", `[{"name":"asked for ","is_time":false,"is_dimension":false,"source":""}]`},
		{"GET", "/v1/dimensions?metric=a%20b", "", `[{"name":"asked for a b","is_time":false,"is_dimension":false,"source":""}]`},
		{"POST", "/v1/validate", `{"model":"x"}`, `{"valid":false,"issues":null,"compile_errors":null,"warnings":null}`},
		{"POST", "/v1/query/compile", aQuery, `{"dialect":"duckdb","sql":"SELECT a < 1"}`},
		{"POST", "/v1/query/explain", aQuery, `{"plan":"Scan\n"}`},
		{"POST", "/v1/query/execute", aQuery, `{"dialect":"duckdb","sql":"SELECT 1","columns":["a"],"rows":[{"a":1.50}],"row_count":1}`},
	} {
		t.Run(c.path, func(t *testing.T) {
			got := do(t, s, request(c.method, c.path, c.body))
			if got.status != 200 {
				t.Errorf("status %d", got.status)
			}
			if d := cmp.Diff(c.want, got.body); d != "" {
				t.Error(d)
			}
			if ct := got.header.Get("Content-Type"); ct != "application/json" {
				t.Errorf("content type %s", ct)
			}
		})
	}
}

func TestResponse_PrivateAndHasRequestID(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"t"}})
	for _, r := range []*http.Request{
		request("GET", "/health", ""),
		request("GET", "/v1/model", ""),
		request("GET", "/nowhere", "", "Authorization", "Bearer t"),
	} {
		got := do(t, s, r)
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Content-Type-Options") != "nosniff" || got.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: %v", r.URL, got.header)
		}
	}
	if got := do(t, s, request("GET", "/health", "", "X-Request-Id", "abc-1.2_3")); got.header.Get("X-Request-Id") != "abc-1.2_3" {
		t.Errorf("the client's id became %q", got.header.Get("X-Request-Id"))
	}
	for _, id := range []string{"a b", strings.Repeat("a", 65), `a"b`} {
		if got := do(t, s, request("GET", "/health", "", "X-Request-Id", id)); got.header.Get("X-Request-Id") == id {
			t.Errorf("the id %q was taken over", id)
		}
	}
}

func TestErrors_RouterFailuresHaveEnvelope(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
		says   string
	}{
		{"unknown route", request("GET", "/v1/nothing?x=<script>", ""), 404, "there is nothing at /v1/nothing"},
		{"root of nothing", request("GET", "/v2", ""), 404, "there is nothing at /v2"},
		{"bytes that are no text", request("GET", "/%ff%00", ""), 404, "there is nothing at "},
		{"wrong method", request("GET", "/v1/query/compile", ""), 405, "/v1/query/compile does not take GET"},
		{"wrong method on a list", request("POST", "/v1/model", "{}"), 405, "/v1/model does not take POST"},
		{"delete", request("DELETE", "/v1/model", ""), 405, "does not take DELETE"},
		{"empty body", request("POST", "/v1/query/compile", ""), 400, "the body is empty"},
		{"no JSON", request("POST", "/v1/query/execute", "{"), 400, "not valid JSON"},
		{"compressed body", request("POST", "/v1/query/compile", aQuery, "Content-Encoding", "gzip"), 400, "content encoding gzip"},
		{"unknown query parameter", request("GET", "/v1/dimensions?metrics=a", ""), 400, "metrics"},
		{"query parameter twice", request("GET", "/v1/dimensions?metric=a&metric=b", ""), 400, "once"},
		{"lineage in two formats", request("GET", "/v1/lineage?format=dot&format=json", ""), 400, "format can be given once"},
		{"validate without a model", request("POST", "/v1/validate", "{}"), 400, `needs the key "model"`},
		{"validate with an object", request("POST", "/v1/validate", `{"model":{}}`), 400, "must be a string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := do(t, s, c.r)
			if got.status != c.status {
				t.Errorf("status %d, want %d", got.status, c.status)
			}
			e := envelope(t, got.body)
			if e.Code != "bad_request" || !strings.Contains(e.Message, c.says) {
				t.Errorf("%+v does not say %q", e, c.says)
			}
		})
	}
	if got := do(t, s, request("GET", "/v1/query/compile", "")); got.header.Get("Allow") != "POST" {
		t.Errorf("Allow: %q", got.header.Get("Allow"))
	}
}

// What the HTTP library rejects by itself never reaches a route, and still has
// the envelope and the headers.
func TestErrors_HTTPFailuresHaveEnvelope(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{MaxBodyBytes: 100}))
	for _, c := range []struct {
		name   string
		header string
		body   string
		status int
		says   string
	}{
		{"body over the limit", "", strings.Repeat(" ", 101), 413, "limit of 100 bytes"},
		{"head over the limit", strings.Repeat("x", 20<<10), "", 431, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequest("POST", base+"/v1/query/compile", strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Long", c.header)
			got := send(t, r)
			if e := envelope(t, got.body); got.status != c.status || e.Code != "bad_request" || !strings.Contains(e.Message, c.says) {
				t.Errorf("%+v", got)
			}
			if got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Request-Id") == "" {
				t.Errorf("%v", got.header)
			}
		})
	}
}

type wireError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func envelope(t *testing.T, body string) wireError {
	t.Helper()
	var e struct{ Error wireError }
	d := json.NewDecoder(strings.NewReader(body))
	if err := d.Decode(&e); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return e.Error
}

func TestErrors_KeepEveryField(t *testing.T) {
	for want, err := range map[string]error{
		`{"error":{"code":"fan_out_risk","message":"a < b","metrics":["m"],"candidates":["c"],"suggested_retry":"{\"metrics\":[\"m\"]}"}}`: &planerr.Error{
			Code: "fan_out_risk", Message: "a < b", Metrics: []string{"m"}, Candidates: []string{"c"}, SuggestedRetry: `{"metrics":["m"]}`},
		`{"error":{"code":"unknown_field","location":"x.y","message":"m","candidates":["c"],"hint":"h"}}`: &modelspec.CompileError{
			Code: "unknown_field", Location: "x.y", Message: "m", Candidates: []string{"c"}, Hint: "h"},
		`{"error":{"code":"sql_rejected","message":"m","hint":"h"}}`: &engine.ExecuteError{Code: "sql_rejected", Message: "m", Hint: "h", Err: errors.New("host")},
	} {
		wrapped := fmt.Errorf("on the way: %w", err)
		if got := do(t, serve(t, failing(wrapped), restapi.Config{}), request("POST", "/v1/query/execute", aQuery)); got.body != want {
			t.Errorf("got  %s\nwant %s", got.body, want)
		}
	}
}

// The statuses of the contract, 7.2 and 7.8. Every code that has none of its
// own here is a rejection.
func TestErrors_StatusPerCode(t *testing.T) {
	want := map[string]int{
		"not_implemented": 501, "internal": 500, "busy": 429, "rate_limited": 429, "timeout": 504,
		"connection": 502, "auth": 502, "sql_rejected": 502, "driver": 502, "config": 400,
		"unauthorized": 401, "forbidden": 403, "unknown_model": 404, "client_gone": 499,
	}
	codes := map[string]bool{}
	for _, c := range engine.Codes() {
		codes[c.Code] = true
	}
	for _, c := range restapi.Codes() {
		codes[c.Code] = true
		if c.Code == "memory_limit" { // 429 where other requests hold the memory, 400 where one is too large
			continue
		}
		if restapi.StatusOfCode(c.Code) != c.Status {
			t.Errorf("%s is listed with %d and answered with %d", c.Code, c.Status, restapi.StatusOfCode(c.Code))
		}
	}
	for code := range want {
		if !codes[code] {
			t.Errorf("%s is in no registry", code)
		}
	}
	for code := range codes {
		status, ok := want[code]
		if !ok {
			status = 400
		}
		if got := restapi.StatusOfCode(code); got != status {
			t.Errorf("%s: %d, want %d", code, got, status)
		}
	}
}

func TestErrors_BusyHasRetryAfter(t *testing.T) {
	got := do(t, serve(t, failing(&engine.BusyError{Code: "busy", Message: "all taken"}), restapi.Config{}), request("POST", "/v1/query/execute", aQuery))
	if got.status != 429 || got.header.Get("Retry-After") != "1" || envelope(t, got.body).Code != "busy" {
		t.Errorf("%+v", got)
	}
}

func TestErrors_MemoryLimitDependsOnItsCause(t *testing.T) {
	part := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes}).Part(memory.Results)
	held, err := part.Reserve(part.Capacity())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	for _, test := range []struct {
		bytes, status int64
		retry         string
	}{{1, 429, "1"}, {part.Capacity() + 1, 400, ""}} {
		_, err := part.Reserve(test.bytes)
		got := do(t, serve(t, failing(err), restapi.Config{}), request("POST", "/v1/query/execute", aQuery))
		if int64(got.status) != test.status || got.header.Get("Retry-After") != test.retry || envelope(t, got.body).Code != "memory_limit" {
			t.Errorf("%d bytes: %+v", test.bytes, got)
		}
	}
}

func TestErrors_PanicIsInternalWithID(t *testing.T) {
	logged := new(testwait.Log)
	broken := fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) { panic("the secret reason") }}
	s, err := restapi.New(broken, restapi.Config{Logger: slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	got := do(t, s, request("POST", "/v1/query/execute", aQuery, "X-Request-Id", "id-7"))
	if e := envelope(t, got.body); got.status != 500 || e.Code != "internal" || !strings.Contains(e.Message, "id-7") || strings.Contains(got.body, "secret") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(logged.String(), "the secret reason") || !strings.Contains(logged.String(), "id-7") {
		t.Errorf("logged: %s", logged.String())
	}
	if got := do(t, s, request("GET", "/health", "")); got.status != 200 {
		t.Errorf("after the panic: %+v", got)
	}
}

func TestErrors_UncodedIsInternalWithoutDetail(t *testing.T) {
	got := do(t, serve(t, failing(errors.New("dial 10.0.0.1")), restapi.Config{}), request("POST", "/v1/query/compile", aQuery))
	if got.status != 500 || envelope(t, got.body).Code != "internal" || strings.Contains(got.body, "10.0.0.1") {
		t.Errorf("%+v", got)
	}
}

func TestBudget_ExceededIsTimeout(t *testing.T) {
	stuck := fake{execute: func(ctx context.Context, _ *query.MetricQuery) (*engine.Result, error) {
		<-ctx.Done()
		return nil, errors.New("too late")
	}}
	s := serve(t, stuck, restapi.Config{RequestTimeout: 30 * time.Millisecond, ExecuteTimeout: 60 * time.Millisecond})
	for _, path := range []string{"/v1/query/compile", "/v1/query/explain", "/v1/query/execute"} {
		start := time.Now()
		got := do(t, s, request("POST", path, aQuery))
		if got.status != 504 || envelope(t, got.body).Code != "timeout" {
			t.Errorf("%s: %+v", path, got)
		}
		if took := time.Since(start); took > testwait.Deadline {
			t.Errorf("%s took %s", path, took)
		}
	}
}

// Reading a model ends with its budget too.
func TestBudget_SlowModelIsTimeout(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	s := serve(t, stuckReader{answering(), release}, restapi.Config{RequestTimeout: 30 * time.Millisecond})
	got := do(t, s, request("POST", "/v1/validate", `{"model":"name: m"}`))
	if got.status != 504 || envelope(t, got.body).Code != "timeout" {
		t.Errorf("%+v", got)
	}
}

type stuckReader struct {
	fake
	release chan struct{}
}

func (s stuckReader) Validate(ctx context.Context, _ []byte) (*engine.Validation, error) {
	select {
	case <-s.release:
		return nil, errors.New("too late")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestBudget_EndsContextOfCall(t *testing.T) {
	s := serve(t, fake{execute: func(ctx context.Context, _ *query.MetricQuery) (*engine.Result, error) {
		deadline, ok := ctx.Deadline()
		if left := time.Until(deadline); !ok || left > 5*time.Second || left < 4*time.Second {
			return nil, errors.New("no deadline, or a wrong one")
		}
		return nil, &engine.ExecuteError{Code: "driver"}
	}}, restapi.Config{RequestTimeout: time.Hour, ExecuteTimeout: 5 * time.Second})
	if got := do(t, s, request("POST", "/v1/query/execute", aQuery)); got.status != 502 {
		t.Errorf("%+v", got)
	}
}

func TestCompileOnly_ForbidsBeforeReadingBody(t *testing.T) {
	s := serve(t, answering(), restapi.Config{DisableExecute: true})
	for _, body := range []string{aQuery, "{", ""} {
		if got := do(t, s, request("POST", "/v1/query/execute", body)); got.status != 403 || envelope(t, got.body).Code != "forbidden" {
			t.Errorf("%q: %+v", body, got)
		}
	}
	if got := do(t, s, request("POST", "/v1/query/compile", aQuery)); got.status != 200 {
		t.Errorf("compile: %+v", got)
	}
	for _, c := range []struct {
		config restapi.Config
		want   bool
	}{{restapi.Config{DisableExecute: true}, true}, {restapi.Config{}, false}} {
		got := do(t, shop(t, "orders", c.config), request("GET", "/v1/capabilities", ""))
		if has := strings.Contains(got.body, `"compile_only"`); got.status != 200 || has != c.want {
			t.Errorf("capabilities of %+v: %+v", c.config, got)
		}
	}
}
