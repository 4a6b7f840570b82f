package restapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// auditFile keeps each write of an audit log.
type auditFile struct {
	mu     sync.Mutex
	writes []string
}

func (f *auditFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes = append(f.writes, string(p))
	return len(p), nil
}

// line waits for the line of a request.
func (f *auditFile) line(t *testing.T, requestID string) (text string, line map[string]any) {
	t.Helper()
	testwait.Until(t, "the line is written", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, w := range f.writes {
			if strings.Contains(w, `"request_id":"`+requestID+`"`) {
				text = w
			}
		}
		return text != ""
	})
	if !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") != 1 {
		t.Errorf("a write of other than one line: %q", text)
	}
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		t.Fatal(err)
	}
	return text, line
}

func audited(t *testing.T, s restapi.Service, c restapi.Config, literals bool) (*restapi.Server, *auditFile) {
	t.Helper()
	f := new(auditFile)
	log, err := audit.Open(audit.Config{Path: audit.Stdout, Stdout: f, Literals: literals})
	if err != nil {
		t.Fatal(err)
	}
	c.Audit = log
	return serve(t, s, c), f
}

func TestAudit_SaysWhatAQueryUses(t *testing.T) {
	s, f := audited(t, engineOf(t, "orders", engine.Config{}), restapi.Config{}, false)
	const body = `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"where_sql":"orders.status <> 'canary-literal-77'"}`
	for _, id := range []string{"first", "of-the-kept-statement"} {
		r := do(t, s, request("POST", "/v1/query/execute", body, "X-Request-Id", id))
		if r.status != 200 {
			t.Fatal(r.body)
		}
		text, line := f.line(t, id)
		want := map[string]any{
			"surface": "rest", "route": "/v1/query/execute", "plane": "metric", "metrics": []any{"revenue"}, "dimensions": []any{"orders.status"},
			"datasets": []any{"orders"}, "filtered": []any{"orders.status"}, "dialect": "duckdb", "outcome": "ok", "status": 200.0,
			"query_id": r.header.Get("X-Query-Id"), "bytes": float64(len(r.body)),
		}
		for key, value := range want {
			if got, _ := json.Marshal(line[key]); string(got) != mustMarshal(t, value) {
				t.Errorf("%s: %s is %s, want %v", id, key, got, value)
			}
		}
		var answer struct {
			RowCount float64 `json:"row_count"`
		}
		if err := json.Unmarshal([]byte(r.body), &answer); err != nil || line["rows"] != answer.RowCount {
			t.Errorf("%s: %v rows, the response has %v (%v)", id, line["rows"], answer.RowCount, err)
		}
		if hash, _ := line["sql_hash"].(string); len(hash) != 12 {
			t.Errorf("%s: the hash %q", id, hash)
		}
		if strings.Contains(text, "canary") {
			t.Errorf("%s: a literal is in %s", id, text)
		}
	}
}

func mustMarshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A literal is in a line with literals alone, wherever the query has it and however the request ends.
func TestAudit_HasLiteralsOnlyWhereTheyAreWanted(t *testing.T) {
	bodies := map[string][2]string{
		"compile":     {"/v1/query/compile", `{"metrics":["revenue"],"where_sql":"orders.status = 'canary-literal-77'"}`},
		"unparseable": {"/v1/query/execute", `{"metrics":["revenue"],"where_sql":"orders.status = = 'canary-literal-77'"}`},
		"wrong-type":  {"/v1/query/execute", `{"metrics":["revenue"],"where_sql":"CAST(orders.status AS INTEGER) = 1 OR orders.status = 'canary-literal-77'"}`},
		"sql":         {"/v1/sql/execute", `{"sql":"SELECT status FROM orders WHERE status = 'canary-literal-77'"}`},
		"sql-refused": {"/v1/sql/execute", `{"sql":"SELECT status FROM orders WHERE status === 'canary-literal-77'"}`},
		"sql-param":   {"/v1/sql/execute", `{"sql":"SELECT status FROM orders WHERE status = $1","params":["canary-literal-77"]}`},
		"select":      {"/v1/select/execute", `{"fields":["orders.status"],"where_sql":"orders.status = 'canary-literal-77'"}`},
		"no-body":     {"/v1/query/execute", `{"metrics":["revenue"],"limit":"canary-literal-77"}`},
	}
	e := engineOf(t, "orders", engine.Config{})
	plain, without := audited(t, e, restapi.Config{}, false)
	open, with := audited(t, e, restapi.Config{}, true)
	for id, b := range bodies {
		do(t, plain, request("POST", b[0], b[1], "X-Request-Id", id))
		if text, line := without.line(t, id); strings.Contains(text, "canary") || line["request"] != nil || line["sql"] != nil {
			t.Errorf("%s: %s", id, text)
		}
		do(t, open, request("POST", b[0], b[1], "X-Request-Id", id))
		if text, _ := with.line(t, id); !strings.Contains(text, "canary") {
			t.Errorf("%s, with literals: %s", id, text)
		}
	}
}

func TestAudit_HasRefusalsAndNoProbe(t *testing.T) {
	s, f := audited(t, answering(), restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens), MCP: echo}, false)
	for _, r := range []*http.Request{request("GET", "/health", "", "X-Request-Id", "probe"), request("GET", "/metrics", "", "X-Request-Id", "scrape")} {
		do(t, s, r)
	}
	for _, tt := range []struct{ id, method, path, token, outcome, identity string }{
		{"stranger", "POST", "/v1/query/execute", "guess", "unauthorized", ""},
		{"stranger-of-mcp", "POST", "/mcp", "guess", "unauthorized", ""},
		{"incomplete", "GET", "/v1/metrics", "incomplete-token", "forbidden", "half"},
		{"known", "GET", "/v1/metrics", "regional-token", "ok", "dash"},
	} {
		do(t, s, request(tt.method, tt.path, "{}", "Authorization", "Bearer "+tt.token, "X-Request-Id", tt.id))
		text, line := f.line(t, tt.id)
		if line["outcome"] != tt.outcome || strings.Contains(text, tt.token) {
			t.Errorf("%s: %s", tt.id, text)
		}
		if name, _ := line["identity"].(string); name != tt.identity {
			t.Errorf("%s: the identity %q, want %q", tt.id, name, tt.identity)
		}
		if hash, _ := line["policy"].(string); tt.identity != "" && len(hash) != 12 {
			t.Errorf("%s has no revision of the policies: %s", tt.id, text)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if all := strings.Join(f.writes, ""); strings.Contains(all, "probe") || strings.Contains(all, "scrape") {
		t.Error(all)
	}
}

// Names of clients forge no line and are bounded.
func TestAudit_OfHostileNames(t *testing.T) {
	s, f := audited(t, engineOf(t, "orders", engine.Config{}), restapi.Config{}, false)
	for id, name := range map[string]string{
		"forged": "x\n{\"time\":\"2026-01-01T00:00:00.000Z\",\"outcome\":\"ok\"}\r\n\u2028",
		"long":   strings.Repeat("n", 400<<10),
	} {
		do(t, s, request("POST", "/v1/query/execute", mustMarshal(t, map[string]any{"metrics": []string{name}, "connection": name}), "X-Request-Id", id))
		text, _ := f.line(t, id)
		if len(text) > 4096 {
			t.Errorf("%s: a line of %d bytes", id, len(text))
		}
		if bytes.ContainsAny([]byte(strings.TrimSuffix(text, "\n")), "\r\n") {
			t.Errorf("%s: %q", id, text)
		}
	}
}

func TestAudit_OfAStreamCountsWhatWasSent(t *testing.T) {
	s, f := audited(t, engineOf(t, "orders", engine.Config{}), restapi.Config{}, false)
	r := do(t, s, request("POST", "/v1/query/execute", aQuery, "Accept", engine.ArrowStreamType, "X-Request-Id", "stream"))
	if text, line := f.line(t, "stream"); line["outcome"] != "ok" || line["bytes"] != float64(len(r.body)) || line["rows"] == nil {
		t.Errorf("%d bytes were received: %s", len(r.body), text)
	}
}

// A look-up for the hints of an empty result is beside the request: its rows are not those of the request.
func TestAudit_CountsNoLookUpForAHint(t *testing.T) {
	s, f := audited(t, engineOf(t, "orders", engine.Config{}), restapi.Config{}, false)
	r := do(t, s, request("POST", "/v1/query/execute", `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"where_sql":"orders.status = 'complete'","hints":true}`, "X-Request-Id", "empty"))
	if r.status != 200 || !strings.Contains(r.body, `"rows":[]`) || !strings.Contains(r.body, "completed") {
		t.Fatalf("want no rows and a hint: %s", r.body)
	}
	if _, line := f.line(t, "empty"); line["rows"] != 0.0 {
		t.Errorf("%v rows, want 0", line["rows"])
	}
}
