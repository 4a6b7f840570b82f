package cli_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
)

// running is a command that serves until stop is called.
type running struct {
	base string
	out  func() string
	err  func() string
	stop func() int
}

// start runs a command that serves and waits until it prints its address.
func start(t *testing.T, args ...string) running {
	t.Helper()
	t.Setenv("HOME", t.TempDir()) // the user's connection profiles are in HOME
	ctx, cancel := context.WithCancel(context.Background())
	out, errs := new(testwait.Log), new(testwait.Log)
	code := make(chan int, 1)
	go func() {
		code <- cli.Run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: out, Err: errs}, "v0.0.0-test")
	}()
	stop := sync.OnceValue(func() int {
		cancel()
		return <-code
	})
	t.Cleanup(func() { stop() })
	address := regexp.MustCompile(`https?://[0-9.:\[\]]+`)
	return running{awaitAddress(t, address, func() string { return out.String() + errs.String() }), out.String, errs.String, stop}
}

// awaitAddress returns the first match in the output of a program, which it waits for.
func awaitAddress(t *testing.T, address *regexp.Regexp, output func() string) (found string) {
	t.Helper()
	t.Cleanup(func() {
		if found == "" {
			t.Logf("no address in\n%s", output())
		}
	})
	testwait.Until(t, "an address is printed", func() bool {
		found = address.FindString(output())
		return found != ""
	})
	return found
}

func post(t *testing.T, url, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(text)
}

// ask does what curl does with an address and perhaps a body.
func ask(t *testing.T, url, body string) (int, string) {
	t.Helper()
	if body != "" {
		return post(t, url, body)
	}
	got, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(text)
}

func TestServe_AnswersUntilStopped(t *testing.T) {
	t.Setenv("SVC_SERVER_TOKEN", "hunter2")
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	const query = `{"metrics":["revenue"]}`
	if status, body := post(t, s.base+"/v1/query/execute", query); status != 401 {
		t.Errorf("without the token: %d %s", status, body)
	}
	status, body := post(t, s.base+"/v1/query/execute", query, "Authorization", "Bearer hunter2")
	if status != 200 || !strings.Contains(body, `"rows":[{"revenue":158}]`) {
		t.Errorf("%d %s", status, body)
	}
	if code := s.stop(); code != 0 {
		t.Errorf("exit code %d: %s", code, s.err())
	}
	if !strings.Contains(s.err(), "authentication=true") || strings.Contains(s.err(), "hunter2") {
		t.Errorf("logged: %s", s.err())
	}
}

func TestServe_CompileOnlyRejectsExecution(t *testing.T) {
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--disable-execute", "--sem-basic", "--auth-token", "a", "--auth-token", "b")
	if status, _ := post(t, s.base+"/v1/query/execute", `{"metrics":["revenue"]}`, "Authorization", "Bearer a"); status != 403 {
		t.Errorf("execute: %d", status)
	}
	if status, _ := post(t, s.base+"/v1/query/compile", `{"metrics":["revenue"]}`, "Authorization", "Bearer b"); status != 200 {
		t.Errorf("compile: %d", status)
	}
	if !strings.Contains(s.err(), "ignored_vendor_extension") {
		t.Errorf("the warnings of the model are not logged: %s", s.err())
	}
}

func TestServe_WarnsWithoutToken(t *testing.T) {
	t.Run("serve warns when it listens on every address without a token", func(t *testing.T) {
		s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "0.0.0.0:0")
		testwait.Until(t, "the missing token is logged", func() bool { return strings.Contains(s.err(), "no --auth-token (SVC_SERVER_TOKEN) is set") })
	})
}

func TestDemo_SuggestedCommandsWork(t *testing.T) {
	s := start(t, "demo", "--bind", "127.0.0.1:0")
	if !strings.Contains(s.out(), "5000 orders, 400 customers, 60 products, 382 returns") {
		t.Errorf("%s", s.out())
	}
	tried := 0
	curl := regexp.MustCompile(`(?m)^ +curl -s (\S+)(?: -d '(.*)')?$`)
	for _, line := range curl.FindAllStringSubmatch(s.out(), -1) {
		tried++
		status, body := ask(t, line[1], line[2])
		if status != 200 || len(body) < 200 {
			t.Errorf("%s: %d %s", line[0], status, body)
		}
	}
	if tried != 3 {
		t.Errorf("%d lines to try, want 3", tried)
	}
	if code := s.stop(); code != 0 {
		t.Errorf("exit code %d: %s", code, s.err())
	}
}

// The promise of the demo: a response within two seconds of its start. The fastest of three
// starts counts. The clock is judged in the long form alone, where the machine has nothing else to do.
func TestDemo_AnswersWithinTwoSeconds(t *testing.T) {
	fastest := time.Hour
	for range 3 {
		begun := time.Now()
		s := start(t, "demo", "--bind", "127.0.0.1:0")
		status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["net_revenue","return_rate"],"group_by":[{"field":"metric_time","grain":"quarter"}]}`)
		if status != 200 || !strings.Contains(body, `"net_revenue":`) {
			t.Errorf("%d %s", status, body)
		}
		if fastest = min(fastest, time.Since(begun)); fastest < 2*time.Second {
			return
		}
		s.stop()
	}
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		t.Errorf("the first answer took %s", fastest)
	}
}

func TestDemo_PicksAnotherPort(t *testing.T) {
	t.Run("the demo listens on another port when its own is taken", func(t *testing.T) {
		first := start(t, "demo")
		second := start(t, "demo")
		if first.base == second.base {
			t.Errorf("both at %s", first.base)
		}
		if status, _ := post(t, second.base+"/v1/query/compile", `{"metrics":["revenue"]}`); status != 200 {
			t.Errorf("status %d", status)
		}
	})
}

func TestServe_DefaultConnectionServesRequestsThatNameNone(t *testing.T) {
	dir := t.TempDir()
	model, profiles, db := dir+"/kilns.yaml", dir+"/profiles.yaml", dir+"/kilns.duckdb"
	if err := duckdb.CreateDatabase(t.Context(), db, "CREATE TABLE kilns AS SELECT 'north' AS name, 3 AS heat"); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		model: `
version: 0.2.0.dev0
name: studio
datasets:
  - name: kilns
    source: kilns
    fields:
      - {name: name, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - {name: heat, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: heat}]}}
metrics:
  - {name: heat_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(kilns.heat)}]}}
`,
		profiles: "datasources:\n  kilns: {type: duckdb, uri: '" + db + "'}\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"serve", "--model", model, "--connections", profiles, "--bind", "127.0.0.1:0"}
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_query","arguments":{"metrics":["heat_total"]}}}`
	doors := map[string]string{
		"/v1/query/execute": `{"metrics":["heat_total"]}`, "/v1/select/execute": `{"from":"kilns","fields":["heat"]}`,
		"/v1/sql/execute": `{"sql":"SELECT heat_total FROM studio"}`, "/v1/values?field=kilns.name": "", "/mcp": call,
	}
	s := start(t, args...)
	putQuestion := func(path, body string) (int, string) {
		if body == "" {
			return ask(t, s.base+path, "")
		}
		return post(t, s.base+path, body, "Accept", "application/json, text/event-stream", "Content-Type", "application/json")
	}
	for path, body := range doors {
		_, got := putQuestion(path, body)
		if got = strings.ReplaceAll(got, `\`, ""); !strings.Contains(got, `"suggested_retry":"{"connection":"kilns"}"`) || strings.Contains(got, "Did you mean") {
			t.Errorf("%s: %s", path, got)
		}
	}
	t.Setenv("SVC_DEFAULT_CONNECTION", "kilns")
	s = start(t, args...)
	for path, body := range doors {
		if _, got := putQuestion(path, body); strings.Contains(got, "error") || !strings.Contains(got, "3") && !strings.Contains(got, "north") {
			t.Errorf("%s: %s", path, got)
		}
	}
	if _, got := ask(t, s.base+"/v1/connections", ""); got != `[{"name":"kilns","dialect":"duckdb","available":true,"default":true}]` {
		t.Error(got)
	}
}

func TestServe_WarnsOfBrokenConnections(t *testing.T) {
	path := t.TempDir() + "/profiles.yaml"
	const profiles = `datasources:
  local: {type: duckdb, uri: ":memory:"}
  broken: {type: postgres, host: h, pasword: hunter2, password: "${SEMLAYER_TEST_UNSET}"}
`
	if err := os.WriteFile(path, []byte(profiles), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SVC_CONNECTIONS", path)
	t.Setenv("SVC_POOL_SIZE", "3")
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	status, body := ask(t, s.base+"/v1/connections", "")
	const listed = `[{"name":"local","dialect":"duckdb","available":true},{"name":"broken","dialect":"postgres","available":false}]`
	if status != 200 || body != listed {
		t.Errorf("%d %s", status, body)
	}
	if status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["revenue"],"connection":"local"}`); status != 200 || !strings.Contains(body, `"rows":[{"revenue":158}]`) {
		t.Errorf("%d %s", status, body)
	}
	for name, says := range map[string]string{"broken": "SEMLAYER_TEST_UNSET", "other": "the known connections are "} {
		if status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["revenue"],"connection":"`+name+`"}`); status != 400 || !strings.Contains(body, `"code":"config"`) || !strings.Contains(body, says) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	for _, says := range []string{"SEMLAYER_TEST_UNSET", "did you mean password?", "profiles.yaml"} {
		if !strings.Contains(s.err(), says) {
			t.Errorf("the log does not say %q: %s", says, s.err())
		}
	}
	if strings.Contains(s.err(), "hunter2") {
		t.Errorf("a value is logged: %s", s.err())
	}
}

// The log is for the operator: it counts the model and not what a caller without an identity sees of it.
func TestServe_LogCountsTheModelWithRoles(t *testing.T) {
	dir := t.TempDir()
	tokens, policies := filepath.Join(dir, "tokens"), filepath.Join(dir, "policies.yaml")
	for path, text := range map[string]string{tokens: `{"name": "root", "token": "0123456789abcdef", "roles": ["admin"]}`, policies: "version: 1\nroles: {admin: {all: true}}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--auth-token-file", tokens, "--policies", policies)
	if log := s.out() + s.err(); !strings.Contains(log, "datasets=2 metrics=3") {
		t.Error(log)
	}
}
