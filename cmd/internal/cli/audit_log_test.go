package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
)

const auditedTokens = `{"name": "ana", "token": "token-of-ana-0123456789", "roles": ["analyst"]}
{"name": "nobody", "token": "token-of-nobody-0123456789", "roles": ["unknown"]}
`

const auditedPolicies = `version: 1
roles: {analyst: {datasets: {"*": {rows: all, fields: all}}, metrics: all, limits: {requests_per_second: 0.001, burst: 7}}}
`

// startAudited serves the orders of the tests with an audit log.
func startAudited(t *testing.T, args ...string) running {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"tokens": auditedTokens, "policies.yaml": auditedPolicies, "orders.csv": "order_id,status,amount\n1,new,10\n2,old,20\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return start(t, append([]string{
		"serve", "--data", filepath.Join(folder, "orders.csv"), "--bind", "127.0.0.1:0", "--auth-token-file", filepath.Join(folder, "tokens"),
		"--policies", filepath.Join(folder, "policies.yaml"),
	}, args...)...)
}

// linesOf decodes the lines of an audit log.
func linesOf(t *testing.T, text string) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, one)
	}
	return out
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func TestAuditLog_HasEachRequestWithoutItsValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	s := startAudited(t, "--audit-log", path)
	ana := []string{"Authorization", "Bearer token-of-ana-0123456789", "Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
	long := strings.Repeat("x", 300)
	for _, ask := range []struct {
		path, body string
		header     []string
	}{
		{"/v1/query/execute", `{"metrics":["total_amount"],"group_by":[{"field":"orders.status"}],"where_sql":"orders.status <> 'canaryword'"}`, ana},
		{"/v1/query/execute", `{"metrics":["forged\n{\"outcome\":\"ok\"}` + long + `"]}`, ana},
		{"/v1/query/execute", `{"metrics":["total_amount"],"where_sql":"CAST(orders.status AS DATE) > DATE '2024-01-01' OR orders.status = 'canaryword'"}`, ana},
		{"/v1/query/compile", `{"metrics":["total_amount"]}`, ana},
		{"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_sql","arguments":{"sql":"SELECT MEASURE(total_amount) FROM orders WHERE status <> 'canaryword'"}}}`, ana},
		{"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, ana}, // runs nothing
		{"/v1/query/execute", `{"metrics":["total_amount"]}`, nil},
		{"/v1/query/execute", `{"metrics":["total_amount"]}`, []string{"Authorization", "Bearer token-of-nobody-0123456789"}},
		{"/v1/query/execute", `{"metrics":["total_amount"]}`, ana},
		{"/v1/query/execute", `{"metrics":["total_amount"]}`, ana}, // beyond the rate
		{"/health", "", nil},
	} {
		post(t, s.base+ask.path, ask.body, ask.header...)
	}
	var lines []map[string]any
	testwait.Until(t, "a line for each", func() bool { lines = linesOf(t, readText(t, path)); return len(lines) >= 9 })
	var got []string
	for _, line := range lines {
		who, _ := line["identity"].(string)
		tool, _ := line["tool"].(string)
		route, _ := line["route"].(string)
		got = append(got, strings.Join([]string{who, line["surface"].(string), route + tool, line["outcome"].(string)}, " "))
		if metrics, ok := line["metrics"].([]any); ok && len(metrics[0].(string)) > 256 {
			t.Errorf("a name has %d bytes", len(metrics[0].(string)))
		}
	}
	want := []string{
		"ana rest /v1/query/execute ok", "ana rest /v1/query/execute unknown_metric", "ana rest /v1/query/execute sql_rejected", "ana rest /v1/query/compile ok",
		"ana mcp /mcprun_sql ok", " rest /v1/query/execute unauthorized", "nobody rest /v1/query/execute forbidden",
		"ana rest /v1/query/execute ok", "ana rest /v1/query/execute rate_limited",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	first := lines[0]
	for key, want := range map[string]any{
		"metrics": []any{"total_amount"}, "dimensions": []any{"orders.status"}, "datasets": []any{"orders"}, "filtered": []any{"orders.status"},
		"plane": "metric", "dialect": "duckdb", "rows": 2.0, "status": 200.0, "roles": []any{"analyst"},
	} {
		if diff := cmp.Diff(want, first[key]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", key, diff)
		}
	}
	text := readText(t, path)
	for _, secret := range []string{"canaryword", "SELECT", "Conversion", "token-of"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %s: %s", secret, text)
		}
	}
	if about, err := os.Stat(path); err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v %v, want a file for its owner alone", about, err)
	}
	// A rotated log goes on under its name.
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the log is made again", func() bool {
		post(t, s.base+"/v1/query/execute", `{"metrics":["total_amount"]}`)
		return strings.Contains(readText(t, path), "unauthorized")
	})
}

func TestAuditLog_ShowsLiteralsAndChoosesLinesOnRequest(t *testing.T) {
	s := startAudited(t, "--audit-log", "-", "--audit-literals", "--audit-only", "errors")
	ana := []string{"Authorization", "Bearer token-of-ana-0123456789"}
	post(t, s.base+"/v1/query/execute", `{"metrics":["total_amount"]}`, ana...)
	post(t, s.base+"/v1/query/execute", `{"metrics":["total_amount"],"where_sql":"CAST(orders.status AS DATE) > DATE '2024-01-01'"}`, ana...)
	var out string
	testwait.Until(t, "a line on standard output", func() bool { out = s.out(); return strings.Contains(out, "sql_rejected") })
	_, found, _ := strings.Cut(out, "{")
	line := linesOf(t, "{"+found)
	if len(line) != 1 || !strings.Contains(line[0]["sql"].(string), "SELECT") || !strings.Contains(line[0]["message"].(string), "Conversion") ||
		line[0]["request"].(map[string]any)["where_sql"] == nil {
		t.Errorf("%v", line)
	}
}

func TestAuditLog_ThatCannotBeOpenedStopsTheStart(t *testing.T) {
	for _, args := range [][]string{{"--audit-log", t.TempDir()}, {"--audit-log", "x", "--audit-only", "some"}, {"--audit-log", filepath.Join(t.TempDir(), "none", "audit")}} {
		var errs bytes.Buffer
		code := cli.Run(context.Background(), append([]string{"serve", "--model", "testdata/none.yaml"}, args...), cli.Streams{In: strings.NewReader(""), Out: &errs, Err: &errs}, "v")
		if code != 2 || !strings.Contains(errs.String(), "audit-") {
			t.Errorf("%v: exit %d, %s", args, code, errs.String())
		}
	}
}
