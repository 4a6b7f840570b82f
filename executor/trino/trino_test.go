package trino_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/fakehouse"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/trino"
	"github.com/semlayer/semlayer/executor/warehouse"
)

func run(ctx context.Context, e executor.Executor, sql string) (jsonrows.Result, error) {
	rows, err := e.Query(ctx, sql)
	if err != nil {
		return jsonrows.Result{}, err
	}
	defer rows.Close()
	return jsonrows.Collect(ctx, rows, nil)
}

func wantError(t *testing.T, err error, code string) *executor.Error {
	t.Helper()
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("got %v, want code %s", err, code)
	}
	if text := e.Message + e.Hint; strings.Contains(text, canary) || strings.Contains(text, "127.0.0.1") {
		t.Errorf("a secret or a host shows: %s", text)
	}
	return e
}

func TestASessionSaysWhoAndWhere(t *testing.T) {
	f := newFake(t, true)
	e := f.open(t, 1)
	defer e.Close()
	if _, err := run(t.Context(), e, fakehouse.Series(1)); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"X-Trino-User": "ann", "X-Trino-Catalog": "hive", "X-Trino-Schema": "sales", "X-Trino-Time-Zone": "UTC",
		"X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
	} {
		if got := f.headers.Get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if user, password, _ := (&http.Request{Header: f.headers}).BasicAuth(); user != "ann" || password != canary {
		t.Errorf("credentials %s:%s", user, password)
	}
}

func TestAProfileOpensWithoutConnecting(t *testing.T) {
	f, err := profile.Parse([]byte("datasources: {w: {type: trino, host: nowhere.invalid, username: ann, http_scheme: https, password: "+canary+"}}"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := warehouse.Options{Drivers: []warehouse.Driver{trino.Driver()}}
	if err := warehouse.Check(f.Profiles[0], o); err != nil {
		t.Fatal(err)
	}
	e, err := warehouse.Open(t.Context(), f.Profiles[0], o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, err = run(t.Context(), e, "SELECT 1")
	if m := wantError(t, err, executor.CodeConnection).Message; strings.Contains(m, "nowhere") {
		t.Errorf("the host shows: %s", m)
	}
}

func TestEachFailureHasItsCode(t *testing.T) {
	status := func(code int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, body, code)
			return true
		}
	}
	failure := func(name, kind, message string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			reply(w, map[string]any{"id": "x", "error": refuse(name, kind, message)})
			return true
		}
	}
	for _, tt := range []struct {
		name      string
		misbehave func(http.ResponseWriter, *http.Request) bool
		code      string
		words     string
	}{
		{"wrong password", status(401, "Access Denied for ann at 127.0.0.1: "+canary), "auth", "HTTP status 401"},
		{"forbidden", status(403, canary), "auth", "HTTP status 403"},
		{"another server", status(404, "<html>"), "connection", "no Trino coordinator"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "https://elsewhere.example/", http.StatusFound)
			return true
		}, "connection", "no Trino coordinator"},
		{"a web page", status(200, "<html>"), "connection", "protocol failed"},
		{"internal error of the server", status(500, "NullPointerException at 127.0.0.1"), "driver", "HTTP status 500"},
		{"unknown column", failure("COLUMN_NOT_FOUND", "USER_ERROR", "line 1:8: Column 'x' cannot be resolved"), "sql_rejected", "Column 'x' cannot be resolved (COLUMN_NOT_FOUND)"},
		{"no right to the table", failure("PERMISSION_DENIED", "USER_ERROR", "Access Denied: Cannot select from table t"), "sql_rejected", "Cannot select from table t"},
		{"time limit of the cluster", failure("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "Query exceeded maximum time limit of 1.00m"), "timeout", "maximum time limit"},
		{"full queue", failure("QUERY_QUEUE_FULL", "INSUFFICIENT_RESOURCES", "Too many queued queries"), "connection", "no more statements"},
		{"starting", failure("SERVER_STARTING_UP", "INTERNAL_ERROR", "127.0.0.1"), "connection", "no more statements"},
		{"killed", failure("ADMINISTRATIVELY_KILLED", "USER_ERROR", "bye"), "driver", "gave the statement up"},
		{"out of memory", failure("CLUSTER_OUT_OF_MEMORY", "INSUFFICIENT_RESOURCES", "127.0.0.1"), "driver", "CLUSTER_OUT_OF_MEMORY"},
		{"lost worker", failure("REMOTE_TASK_ERROR", "INTERNAL_ERROR", "http://127.0.0.1:8080/v1/task"), "driver", "REMOTE_TASK_ERROR"},
		{"a connector", failure("JDBC_ERROR", "EXTERNAL", "connect to 127.0.0.1 with "+canary), "driver", "JDBC_ERROR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, true)
			f.misbehave = tt.misbehave
			e := f.open(t, 1)
			defer e.Close()
			_, err := run(t.Context(), e, "SELECT 1 AS v")
			if got := wantError(t, err, tt.code); !strings.Contains(got.Message, tt.words) {
				t.Errorf("message %q, want %q in it", got.Message, tt.words)
			}
		})
	}
}

func TestAPageThatIsCutIsNoEnd(t *testing.T) {
	f := newFake(t, false)
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/3") {
			return false
		}
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"columns":[{"name":"i","typeSignature":{"rawType":"bigint"}}],"data":[[30000],[30001],`))
		return true
	}
	e := f.open(t, 1)
	defer e.Close()
	_, err := run(t.Context(), e, fakehouse.Series(100_000))
	wantError(t, err, executor.CodeDriver)
	if f.left() != 0 {
		t.Error("the statement still runs on the cluster")
	}
}

func TestARowThatDoesNotFitIsAnError(t *testing.T) {
	for data, words := range map[string]string{`[[1,2]]`: "does not fit its columns", `[["x"]]`: "column i cannot be carried"} {
		f := newFake(t, false)
		f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodGet {
				return false
			}
			_, _ = w.Write([]byte(`{"columns":[{"name":"i","typeSignature":{"rawType":"bigint"}}],"data":` + data + `}`))
			return true
		}
		e := f.open(t, 1)
		_, err := run(t.Context(), e, fakehouse.Series(1))
		if m := wantError(t, err, executor.CodeDriver).Message; !strings.Contains(m, words) {
			t.Errorf("%s: %s", data, m)
		}
		_ = e.Close()
	}
}

func TestAGatewayThatIsBusyIsAskedAgain(t *testing.T) {
	f := newFake(t, false)
	var busy atomic.Int32
	f.misbehave = func(w http.ResponseWriter, _ *http.Request) bool {
		if busy.Add(1)%2 == 0 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	e := f.open(t, 1)
	defer e.Close()
	if got, err := run(t.Context(), e, fakehouse.Series(25_000)); err != nil || got.Count != 25_000 {
		t.Errorf("%d rows, %v", got.Count, err)
	}
}

// The statement has no name before the coordinator answers: it is waited for, so
// that it can be ended.
func TestAStatementThatIsBeingAcceptedIsEndedToo(t *testing.T) {
	f := newFake(t, false)
	f.misbehave = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			time.Sleep(150 * time.Millisecond)
		}
		return false
	}
	e := f.open(t, 1)
	defer e.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := run(ctx, e, fakehouse.Slow)
	wantError(t, err, executor.CodeTimeout)
	if f.left() != 0 || f.deleted != 1 {
		t.Errorf("%d statements left, %d ended by request", f.left(), f.deleted)
	}
}

// A coordinator that does not answer at all keeps nobody.
func TestASilentCoordinatorIsGivenUp(t *testing.T) {
	f := newFake(t, false)
	release := make(chan struct{})
	f.misbehave = func(_ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-release:
		case <-r.Context().Done():
		}
		return true
	}
	e := f.open(t, 1)
	defer e.Close()
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	started := time.Now()
	_, err := run(ctx, e, fakehouse.Slow)
	wantError(t, err, executor.CodeTimeout)
	if took := time.Since(started); took > time.Second {
		t.Errorf("returned after %v", took)
	}
}

func TestOptionsThatCannotBeAreRefused(t *testing.T) {
	for _, o := range []trino.Options{{User: "ann"}, {Host: "h"}, {Host: "h", User: "ann", Password: executor.NewSecret(canary)}} {
		_, err := trino.Open(o)
		wantError(t, err, executor.CodeConfig)
	}
}
