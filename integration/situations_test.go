package integration_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
	"github.com/semlayer/semlayer/restapi/identity"
)

// situation raises a code that no query raises by itself: the server or a warehouse
// is in a state, and a sound question is asked.
type situation struct {
	stage, code string
	status      int
	connection  string
	metric      string
	token       string
	config      restapi.Config
	meanwhile   bool // an execution holds the only slot
	held        bool // others hold the memory for results
	service     func(*engine.Engine) restapi.Service
	body        string // in place of the sound question
	path        string // in place of the query's
	leaves      bool   // the client hangs up, so that the log has the code
	limits      string // of the policies file; "" for no file
	records     bool   // three rows of a dataset are requested
	again       bool   // the request is sent twice, and the second response is checked
}

const situationModel = `
version: 0.2.0.dev0
name: m
datasets:
  - name: few
    source: SELECT 1 AS n
    fields:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: missing
    source: no_such_table
    fields:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: long
    source: SELECT REPEAT('x', 30000000) AS t
    fields:
      - {name: t, expression: {dialects: [{dialect: ANSI_SQL, expression: t}]}}
  - name: endless
    source: SELECT hash(i) AS n FROM range(1000000000000) AS t(i)
    fields:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: several
    source: SELECT i AS n FROM range(5) AS t(i)
    fields:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: writer
    source: SELECT 1 AS n FROM checkpoint()
    fields:
      - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
metrics:
  - {name: written, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(writer.n)}]}}
  - {name: wide, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(long.t)}]}}
  - {name: rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(few.n)}]}}
  - {name: nothing, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(missing.n)}]}}
  - {name: forever, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT endless.n % 10)}]}}
`

func situations() []situation {
	const hasty = 200 * time.Millisecond
	return []situation{
		{stage: engine.StageExecute, code: "config", status: 400, connection: "broken"},
		{stage: engine.StageExecute, code: "config", status: 400, connection: "nowhere"},
		{stage: engine.StageExecute, code: "connection", status: 502, connection: "down"},
		{stage: engine.StageExecute, code: "auth", status: 502, connection: "locked"},
		{stage: engine.StageExecute, code: "sql_rejected", status: 502, metric: "nothing"},
		{stage: engine.StageExecute, code: "internal", status: 500, metric: "written"},
		{stage: engine.StageExecute, code: "driver", status: 502, connection: "garbled"},
		{stage: engine.StageExecute, code: "timeout", status: 504, metric: "forever", config: restapi.Config{ExecuteTimeout: hasty}},
		{stage: engine.StageExecute, code: "memory_limit", status: 400, metric: "wide"},
		{stage: engine.StageExecute, code: "result_too_large", status: 400, limits: "{rows: 2}", records: true, path: "/v1/select/execute"},
		{stage: engine.StageExecute, code: "cost_limit_exceeded", status: 400, limits: "{bytes_billed: 5}", connection: "costly"},
		{stage: engine.StageServer, code: "rate_limited", status: 429, limits: "{requests_per_second: 0.001, burst: 1}", again: true},
		{stage: engine.StageServer, code: "memory_limit", status: 429, held: true},
		{stage: engine.StageServer, code: "busy", status: 429, meanwhile: true, config: restapi.Config{ExecuteTimeout: 5 * time.Second}},
		{stage: engine.StageServer, code: "bad_request", status: 400, body: `{"metrics":`},
		{stage: engine.StageServer, code: "unknown_model", status: 404, path: "/m/another/v1/query/execute"},
		{stage: engine.StageServer, code: "unauthorized", status: 401, token: "another"},
		{stage: engine.StageServer, code: "forbidden", status: 403, config: restapi.Config{DisableExecute: true}},
		{stage: engine.StageServer, code: "timeout", status: 504, metric: "forever", config: restapi.Config{ExecuteTimeout: hasty}},
		{stage: engine.StageServer, code: "client_gone", status: 499, metric: "forever", leaves: true},
		{stage: engine.StageServer, code: "internal", status: 500, service: func(e *engine.Engine) restapi.Service { return panickingEngine{e} }},
	}
}

// asStatement asks the same question as a statement in SQL.
func (s situation) asStatement() situation {
	s.path = strings.NewReplacer("/query/", "/sql/", "/select/", "/sql/").Replace(cmp.Or(s.path, "/v1/query/execute"))
	return s
}

// writeBody writes the question.
func (s situation) writeBody() ([]byte, error) {
	if s.body != "" {
		return []byte(s.body), nil
	}
	metric := cmp.Or(s.metric, "rows")
	q := object{"metrics": []string{metric}}
	switch sql := strings.Contains(s.path, "/sql/"); {
	case sql && s.records:
		q = object{"sql": "SELECT n FROM several LIMIT 3"}
	case sql:
		q = object{"sql": "SELECT MEASURE(" + metric + ") FROM m"}
	case s.records:
		q = object{"from": "several", "fields": []string{"several.n"}, "limit": 3}
	}
	if s.connection != "" {
		q["connection"] = s.connection
	}
	return json.Marshal(q)
}

// costlyWarehouse rejects statements by the limit of their caller.
type costlyWarehouse struct{ executor.Executor }

func (costlyWarehouse) Dialect() string { return "duckdb" }

func (costlyWarehouse) Close() error { return nil }

func (costlyWarehouse) Query(ctx context.Context, _ string) (executor.Rows, error) {
	return nil, &executor.Error{Code: executor.CodeCostLimitExceeded, Message: fmt.Sprintf("the statement costs more than %d bytes", executor.MaxBytesBilled(ctx))}
}

// panickingEngine is an engine with a defect.
type panickingEngine struct{ *engine.Engine }

func (panickingEngine) Prepare(context.Context, query.Body) (engine.Statement, error) {
	panic("as the test wants it")
}

func TestErrorCodes_EveryRuntimeCodeIsRaised(t *testing.T) {
	profiles := hostileProfiles(t)
	raised := map[string]bool{}
	for _, s := range situations() {
		for _, s := range []situation{s, s.asStatement()} {
			t.Run(s.stage+" "+s.code+" "+s.connection+" "+s.path, func(t *testing.T) {
				quiet := slog.New(slog.DiscardHandler)
				budget := memory.NewBudget(memory.Settings{TotalBytes: memory.MinTotalBytes})
				if results := budget.Part(memory.Results); s.held {
					if _, err := results.Reserve(results.Capacity()); err != nil {
						t.Fatal(err)
					}
				}
				e, err := engine.Open(t.Context(), engine.Config{Memory: budget, Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(situationModel), ConnectionsPath: profiles, Connections: []engine.ProgramConnection{{Name: "costly", Executor: costlyWarehouse{}}}, MaxExecutions: 1, Logger: quiet})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = e.Close() }()
				s.raise(t, e)
				raised[s.stage+" "+s.code] = !t.Failed()
			})
		}
	}
	count := 0
	for _, c := range engine.Codes() {
		if c.Stage == engine.StageExecute {
			count++
			if !raised[c.Stage+" "+c.Code] {
				t.Errorf("nothing raises %s", c.Code)
			}
		}
	}
	for _, c := range restapi.Codes() {
		if count++; !raised[engine.StageServer+" "+c.Code] {
			t.Errorf("nothing raises %s of the server", c.Code)
		}
	}
	floor.CheckCount(t, "codes", count, 15)
}

func (s situation) raise(t *testing.T, e *engine.Engine) {
	t.Helper()
	var service restapi.Service = e
	if s.service != nil {
		service = s.service(e)
	}
	const token = "the-token-of-the-test"
	requests := new(requestLog)
	s.config.Tokens, s.config.Logger = []string{token}, slog.New(requests)
	if s.limits != "" {
		s.config.Tokens, s.config.Identities = nil, limitedCallers(t, token, s.limits)
	}
	// A server of several models answers its default model as that of one does.
	models := restapi.Models{List: []*restapi.Model{{Name: "m", Service: service}}, Several: true, Default: "m"}
	base := serving.ServeModels(t, models, s.config)
	if s.meanwhile {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() { _, _ = prepare.Rows(ctx, e, &query.MetricQuery{Metrics: []string{"forever"}}) }()
		testwait.Until(t, "the request executes", func() bool { return e.RunningExecutions() != 0 })
	}
	body, err := s.writeBody()
	if err != nil {
		t.Fatal(err)
	}
	path := cmp.Or(s.path, "/v1/query/execute")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token+s.token)
	if s.again {
		first, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = first.Body.Close()
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if s.leaves {
		disconnectClient(t, e, r)
		requests.await(t, s.status, s.code)
		return
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	var answer struct {
		Error struct{ Code, Message string }
	}
	if err := json.NewDecoder(got.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if got.StatusCode != s.status || answer.Error.Code != s.code || answer.Error.Message == "" {
		t.Errorf("%d %+v, want %d %s", got.StatusCode, answer.Error, s.status, s.code)
	}
	if retry := got.Header.Get("Retry-After"); (s.status == http.StatusTooManyRequests) != (retry != "") {
		t.Errorf("Retry-After is %q", retry)
	}
}

// limitedCallers returns the callers of a token, for whom limits are required.
func limitedCallers(t *testing.T, token, limits string) *identity.Directory {
	t.Helper()
	file, issues := access.Parse("policies.yaml", []byte("version: 1\nrequired: {limits: "+limits+"}\n"))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	out := identity.New(identity.Config{Logger: slog.New(slog.DiscardHandler)})
	if err := out.Replace([]access.Token{access.PlainToken(token)}, file); err != nil {
		t.Fatal(err)
	}
	return out
}

// hostileProfiles returns a file of warehouses that fail, each in its way.
func hostileProfiles(t *testing.T) string {
	t.Helper()
	down, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = down.Close()
	garbled := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("no rows of any format")) }))
	t.Cleanup(garbled.Close)
	at, err := url.Parse(garbled.URL)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`datasources:
  broken: {type: postgres, host: 127.0.0.1, password: "${SEMLAYER_TEST_NO_SUCH_VARIABLE}"}
  down: {type: postgres, host: 127.0.0.1, port: %d, username: u, password: p, sslmode: disable}
  locked: {type: postgres, host: 127.0.0.1, port: %d, username: u, password: p, sslmode: disable}
  garbled: {type: clickhouse, host: 127.0.0.1, port: %s, username: u, password: p}
`, down.Addr().(*net.TCPAddr).Port, lockedPostgres(t), at.Port())
	path := filepath.Join(t.TempDir(), "connections.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lockedPostgres implements enough of the protocol to reject every login.
func lockedPostgres(t *testing.T) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fields := []byte("SFATAL\x00VFATAL\x00C28P01\x00Mpassword authentication failed\x00\x00")
	refusal := slices.Concat([]byte{'E'}, binary.BigEndian.AppendUint32(nil, uint32(4+len(fields))), fields)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1<<10))
			_, _ = c.Write(refusal)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return l.Addr().(*net.TCPAddr).Port
}
