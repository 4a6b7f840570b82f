package restapi_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// The canaries: what must appear nowhere, and what only the one who sent it and
// the log at debug level may see.
const (
	canaryToken   = "canary-token-4711"
	canaryOld     = "canary-token-0815"
	canaryGuess   = "canary-guess-1234"
	canaryProfile = "canary-password-99"
	canaryLiteral = "canary-literal-77"
)

var secrets = []string{canaryToken, canaryOld, canaryProfile}

// canaryProfiles are unreachable warehouses, and some with invalid settings that a careless
// message would quote.
const canaryProfiles = `datasources:
  pg: {type: postgres, host: 127.0.0.1, port: 1, username: u, password: ` + canaryProfile + `, database: d, timeout_seconds: 1}
  pg_uri: {type: postgres, uri: "postgres://u:` + canaryProfile + `@127.0.0.1:1/d?connect_timeout=1"}
  pg_bad_port: {type: postgres, uri: "postgres://u:` + canaryProfile + `@127.0.0.1:notaport/d"}
  pg_bad_key: {type: postgres, host: h, pasword: ` + canaryProfile + `}
  pg_bad_mode: {type: postgres, host: 127.0.0.1, password: ` + canaryProfile + `, sslmode: ` + canaryProfile + `}
  my: {type: mysql, host: 127.0.0.1, port: 1, username: u, password: ` + canaryProfile + `, database: d, timeout_seconds: 1}
  my_uri: {type: mysql, uri: "mysql://u:` + canaryProfile + `@127.0.0.1:1/d"}
  my_bad_uri: {type: mysql, uri: "mysql://u:` + canaryProfile + `@[127.0.0.1/d%zz"}
  unset: {type: postgres, host: h, password: "${SEMLAYER_CANARY_UNSET}"}
  from_env: {type: postgres, host: 127.0.0.1, port: 1, username: u, password: "${SEMLAYER_CANARY}", timeout_seconds: 1}
  unknown: {type: oracle, password: ` + canaryProfile + `}
  ch: {type: clickhouse, host: 127.0.0.1, port: 1, username: u, password: ` + canaryProfile + `}
  trino: {type: trino, host: 127.0.0.1, port: 1, username: u, password: ` + canaryProfile + `}
  snow: {type: snowflake, account: a, username: u, password: ` + canaryProfile + `}
  brick: {type: databricks, host: 127.0.0.1, http_path: /x, token: ` + canaryProfile + `}
`

// everything is what left the server in one run.
type everything struct {
	log             *testwait.Log
	answers, traces bytes.Buffer
}

func (e *everything) hits(words ...string) []string {
	var out []string
	for _, w := range words {
		for name, text := range map[string]string{"log": e.log.String(), "answers": e.answers.String(), "traces": e.traces.String()} {
			if at := strings.Index(text, w); at >= 0 {
				out = append(out, fmt.Sprintf("%s in the %s: …%s…", w, name, text[max(0, at-150):min(len(text), at+60)]))
			}
		}
	}
	return out
}

// runCanaries sends a request of every kind and collects all output.
func runCanaries(t *testing.T, level slog.Level) *everything {
	t.Helper()
	t.Setenv("SEMLAYER_CANARY", canaryProfile)
	profiles := filepath.Join(t.TempDir(), "profiles.yaml")
	if err := os.WriteFile(profiles, []byte(canaryProfiles), 0o600); err != nil {
		t.Fatal(err)
	}
	all := &everything{log: new(testwait.Log)}
	log := slog.New(slog.NewJSONHandler(all.log, &slog.HandlerOptions{Level: level}))
	e := engineOf(t, "orders", engine.Config{ConnectionsPath: profiles, Logger: log})
	for _, w := range e.ConnectionsFileReport().Warnings {
		log.Warn(w)
	}
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	s, err := restapi.New(e, restapi.Config{Tokens: []string{canaryToken, canaryOld}, Logger: log, Tracer: provider})
	if err != nil {
		t.Fatal(err)
	}
	base := live(t, s)
	ask := func(method, path, body, token string, header ...string) {
		r, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(got.Body)
		_ = got.Body.Close()
		_ = got.Header.Write(&all.answers)
		all.answers.Write(text)
	}
	condition := `"where_sql":"orders.status = '` + canaryLiteral + `'"`
	for _, token := range []string{canaryToken, canaryOld, canaryGuess} {
		for _, route := range restapi.Routes() {
			method, path, _ := strings.Cut(route, " ")
			body := ""
			if method == "POST" {
				body = `{"metrics":["revenue"],` + condition + `}`
			}
			ask(method, path, body, token)
		}
		ask("GET", "/v1/nothing?token="+canaryGuess, "", token)
		ask("POST", "/v1/query/execute", `{`+canaryGuess, token)
		ask("POST", "/v1/query/compile", `{"metrics":["revenue"],`+condition+`}`, token, "Expect", "100-continue")
		ask("POST", "/v1/query/compile", strings.Repeat(" ", 2<<20), token)
	}
	for _, c := range e.Connections() {
		for _, path := range []string{"/v1/query/compile", "/v1/query/execute"} {
			for _, accept := range []string{"application/json", arrowType} {
				ask("POST", path, `{"metrics":["revenue"],"connection":"`+c.Name+`",`+condition+`}`, canaryToken, "Accept", accept)
				ask("POST", strings.Replace(path, "/query/", "/sql/", 1), `{"sql":"SELECT MEASURE(revenue) FROM orders WHERE status = '`+canaryLiteral+`'","connection":"`+c.Name+`"}`, canaryToken, "Accept", accept)
			}
		}
	}
	// What the warehouse rejects, with its own words about it.
	ask("POST", "/v1/query/execute", `{"metrics":["revenue"],"where_sql":"CAST(orders.status AS DATE) = CAST('`+canaryLiteral+`' AS DATE)"}`, canaryToken)
	ask("POST", "/v1/sql/execute", `{"sql":"SELECT MEASURE(revenue) FROM orders WHERE CAST(status AS DATE) = CAST('`+canaryLiteral+`' AS DATE)"}`, canaryToken)
	ask("POST", "/v1/sql/execute", `{"sql":"SELECT COUNT(*) FROM orders WHERE amount > $1","params":["`+canaryLiteral+`"]}`, canaryToken)
	ask("POST", "/v1/query/execute", `{"metrics":["revenue"],"where_sql":"CAST(orders.status AS DATE) = CAST('`+canaryLiteral+`' AS DATE)"}`, canaryToken, "Accept", arrowType)
	ask("GET", "/metrics", "", "")
	_ = provider.ForceFlush(context.Background())
	for _, span := range spans.GetSpans() {
		fmt.Fprintf(&all.traces, "%+v\n", span)
	}
	return all
}

func TestSecrets_AppearNowhere(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
		all := runCanaries(t, level)
		found := all.hits(secrets...)
		for _, hit := range found {
			t.Errorf("at level %s: %s", level, hit)
		}
		t.Attr("found", strconv.Itoa(len(found)))
		t.Attr("bytes", strconv.Itoa(len(all.log.String())+all.answers.Len()+all.traces.Len()))
		if !strings.Contains(all.log.String(), `"code":"unauthorized"`) || !strings.Contains(all.traces.String(), "execute") || !strings.Contains(all.answers.String(), "semlayer_http_requests_total") {
			t.Error("the outputs were not collected")
		}
	}
}

func TestSecrets_LiteralsNotInLogsOrTraces(t *testing.T) {
	t.Run("what a client writes appears in no log at info level and in no trace", func(t *testing.T) {
		all := runCanaries(t, slog.LevelInfo)
		all.answers.Reset() // who sent a literal may see it again
		for _, hit := range all.hits(canaryLiteral, canaryGuess) {
			t.Error(hit)
		}
	})
}

// A defect may carry what was being worked on: the log has its kind and where it
// was, and the text at debug level only.
func TestSecrets_PanicsAndFailuresHideText(t *testing.T) {
	t.Run("the text of a panic or failure is logged at debug level only", func(t *testing.T) {
		carried := fmt.Errorf("cannot happen: %s", canaryLiteral)
		for name, work := range map[string]func(context.Context, *query.MetricQuery) (*engine.Result, error){
			"a panic with a text":   func(context.Context, *query.MetricQuery) (*engine.Result, error) { panic("at " + canaryLiteral) },
			"a panic with an error": func(context.Context, *query.MetricQuery) (*engine.Result, error) { panic(carried) },
			"an error":              func(context.Context, *query.MetricQuery) (*engine.Result, error) { return nil, carried },
			"a warehouse's words": func(context.Context, *query.MetricQuery) (*engine.Result, error) {
				return nil, &engine.ExecuteError{Code: "driver", Message: "m", Err: carried}
			},
		} {
			for _, level := range []slog.Level{slog.LevelInfo, slog.LevelDebug} {
				log := new(testwait.Log)
				s, err := restapi.New(fake{execute: work}, restapi.Config{Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))})
				if err != nil {
					t.Fatal(err)
				}
				got := do(t, s, request("POST", "/v1/query/execute", aQuery))
				if strings.Contains(got.body, canaryLiteral) {
					t.Errorf("%s: answered %s", name, got.body)
				}
				if level == slog.LevelInfo && strings.Contains(log.String(), canaryLiteral) {
					t.Errorf("%s: logged %s", name, log.String())
				}
				if strings.HasPrefix(name, "a panic") && (!strings.Contains(log.String(), "canary_test.go") || level == slog.LevelDebug && !strings.Contains(log.String(), canaryLiteral)) {
					t.Errorf("%s: the log does not help to find it: %s", name, log.String())
				}
			}
		}
		var index map[int][]int
		log := new(testwait.Log)
		s, err := restapi.New(fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
			return nil, fmt.Errorf("%d", index[0][0])
		}}, restapi.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		do(t, s, request("POST", "/v1/query/execute", aQuery))
		if !strings.Contains(log.String(), "index out of range [0] with length 0") {
			t.Errorf("what the runtime says is not logged: %s", log.String())
		}
	})
}

func TestRequestLog_OneLinePerRequest(t *testing.T) {
	log := new(testwait.Log)
	e := engineOf(t, "orders", engine.Config{})
	s, err := restapi.New(e, restapi.Config{Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*http.Request{
		request("POST", "/v1/query/execute", `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`, "X-Request-Id", "one"),
		request("POST", "/v1/query/compile", `{"metrics":["revenu"]}`, "X-Request-Id", "two"),
		request("GET", "/v1/nowhere", "", "X-Request-Id", "three"),
		request("GET", "/health", "", "X-Request-Id", "four"),
		request("GET", "/ready", ""), request("GET", "/metrics", ""),
	} {
		do(t, s, r)
	}
	want := []string{
		`level=INFO msg=request request_id=one method=POST route=/v1/query/execute status=200 query_id=@ plane=metric metrics=revenue dialect=duckdb took_ms=# plan_ms=# execute_ms=# rows=#`,
		`level=INFO msg=request request_id=two method=POST route=/v1/query/compile status=400 query_id=@ plane=metric dialect=duckdb code=unknown_metric took_ms=# plan_ms=#`,
		`level=INFO msg=request request_id=three method=other route=other status=404 code=bad_request took_ms=#`,
	}
	got := strings.Split(strings.TrimSpace(log.String()), "\n")
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || !matches(want[i], got[i]) {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// matches compares a line of the log, without its time, with what is wanted: #
// stands for a number.
func matches(want, got string) bool {
	_, got, _ = strings.Cut(got, " ")
	w, g := strings.Fields(want), strings.Fields(got)
	if len(w) != len(g) {
		return false
	}
	for i := range w {
		if name, id := strings.CutSuffix(w[i], "@"); id {
			if value, ok := strings.CutPrefix(g[i], name); !ok || !queryIDPattern.MatchString(value) {
				return false
			}
		} else if name, number := strings.CutSuffix(w[i], "#"); number {
			value, ok := strings.CutPrefix(g[i], name)
			if !ok || value == "" || strings.Trim(value, "0123456789.") != "" {
				return false
			}
		} else if w[i] != g[i] {
			return false
		}
	}
	return true
}
