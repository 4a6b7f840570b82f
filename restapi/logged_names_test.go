package restapi_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
)

const askedProfiles = `datasources:
  lake: {type: duckdb, uri: ":memory:"}
  broken: {type: postgres, host: h, password: "${SEMLAYER_TEST_UNSET}"}
`

// manyMetrics returns a model with twelve metrics of 100 letters each.
func manyMetrics() (model string, names []string) {
	var b strings.Builder
	b.WriteString(`version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: SELECT 1 AS amount
    fields: [{name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
`)
	for i := range 12 {
		names = append(names, fmt.Sprintf("m%02d%s", i, strings.Repeat("x", 97)))
		b.WriteString("  - {name: " + names[i] + ", expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}\n")
	}
	return b.String(), names
}

func TestRequestLine_NamesConnectionDialectPlaneAndMetrics(t *testing.T) {
	profiles := filepath.Join(t.TempDir(), "profiles.yaml")
	if err := os.WriteFile(profiles, []byte(askedProfiles), 0o600); err != nil {
		t.Fatal(err)
	}
	model, names := manyMetrics()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), ModelText: []byte(model), ConnectionsPath: profiles, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	var log testwait.Log
	s := logged(t, e, &log)
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = n[:64] + "…"
	}
	for id, c := range map[string]struct{ path, body, want string }{
		"embedded":   {"query/execute", `{"metrics":["total"]}`, " plane=metric metrics=total dialect=duckdb took_ms="},
		"connection": {"query/execute", `{"metrics":["total"],"connection":"lake"}`, " plane=metric metrics=total dialect=duckdb connection=lake took_ms="},
		"broken":     {"query/execute", `{"metrics":["total"],"connection":"broken"}`, " plane=metric metrics=total dialect=postgres connection=broken code=config "},
		"unknown":    {"query/execute", `{"metrics":["canary-metric"],"connection":"canary-connection"}`, " plane=metric code=config "},
		"value":      {"query/execute", `{"metrics":["total"],"where_sql":"sales.amount = 4711"}`, " plane=metric metrics=total dialect=duckdb took_ms="},
		"detail":     {"select/execute", `{"from":"sales","fields":["amount"],"connection":"lake"}`, " plane=detail dialect=duckdb connection=lake took_ms="},
		"statement":  {"sql/execute", `{"sql":"SELECT SUM(amount) AS canary FROM sales WHERE amount <> $1 OR amount = 4711","params":[4711],"connection":"lake"}`, " plane=sql dialect=duckdb connection=lake took_ms="},
		"refused":    {"sql/execute", `{"sql":"SELECT canary FROM sales WHERE amount = 4711"}`, " plane=sql dialect=duckdb code=unknown_column "},
		"unread":     {"sql/compile", `{"sql":"SELEC canary 4711"}`, " plane=sql dialect=duckdb code=sql_syntax "},
		"many":       {"query/compile", `{"metrics":["` + strings.Join(names, `","`) + `"]}`, " plane=metric metrics=" + strings.Join(short[:8], ",") + ",+4 dialect=duckdb took_ms="},
	} {
		t.Run(id, func(t *testing.T) {
			do(t, s, request("POST", "/v1/"+c.path, c.body, "X-Request-Id", id))
			var line string
			testwait.Until(t, "the request has a line", func() bool {
				_, line, _ = strings.Cut(log.String(), "request_id="+id+" ")
				line, _, _ = strings.Cut(line, "\n")
				return line != ""
			})
			if !strings.Contains(line, c.want) {
				t.Errorf("%s\nis not in\n%s", c.want, line)
			}
		})
	}
	for _, secret := range []string{"canary", "4711"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("what a client wrote is in the log: %s", secret)
		}
	}
	got := scrape(t, s)
	for _, c := range []struct {
		name   string
		want   float64
		labels []string
	}{
		{"semlayer_http_requests_total", 3, []string{"connection", "lake", "code", "ok"}},
		{"semlayer_http_requests_total", 1, []string{"connection", "broken", "code", "config"}},
		{"semlayer_http_requests_total", 1, []string{"connection", "", "code", "config"}},
		{"semlayer_http_request_duration_seconds", 3, []string{"connection", "lake"}},
		{"semlayer_execute_duration_seconds", 3, []string{"connection", "lake", "dialect", "duckdb"}},
		{"semlayer_execute_duration_seconds", 2, []string{"connection", "", "dialect", "duckdb"}},
	} {
		if v := value(got, c.name, c.labels...); v != c.want {
			t.Errorf("%s%v: %v, want %v", c.name, c.labels, v, c.want)
		}
	}
}
