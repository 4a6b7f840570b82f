package databricks_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/internal/fakehouse"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/profile"
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
	if text := e.Message + e.Hint; strings.Contains(text, canary) || strings.Contains(text, "127.0.0.1") || strings.Contains(text, "signature") {
		t.Errorf("a secret or a host shows: %s", text)
	}
	return e
}

func TestAStatementSaysWhatItWants(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	for range 2 {
		if _, err := run(t.Context(), e, fakehouse.Series(1)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := json.Marshal(f.begun)
	want := `{"catalog":"main","disposition":"EXTERNAL_LINKS","format":"ARROW_STREAM","schema":"sales","statement":"SELECT i FROM series(1)","wait_timeout":"0s","warehouse_id":"1a2b"}`
	if d := cmp.Diff(want, string(got)); err != nil || d != "" {
		t.Error(d, err)
	}
	if f.names != 4 {
		t.Errorf("%d statements, want the two and, once, two questions about settings", f.names)
	}
}

func TestSettingsThatChangeWhatStatementsMeanAreRefused(t *testing.T) {
	for _, tt := range []struct{ zone, ansi, words string }{
		{"Europe/Warsaw", "true", "time zone"},
		{"UTC", "false", "ANSI mode"},
	} {
		f := newFake(t)
		f.zone, f.ansi = tt.zone, tt.ansi
		e := f.open(t, 1)
		_, err := run(t.Context(), e, fakehouse.Series(1))
		if m := wantError(t, err, executor.CodeConfig).Message; !strings.Contains(m, tt.words) {
			t.Errorf("%s, %s: %s", tt.zone, tt.ansi, m)
		}
		f.zone, f.ansi = "UTC", "true"
		if _, err := run(t.Context(), e, fakehouse.Series(1)); err != nil {
			t.Errorf("after the settings were mended: %v", err)
		}
		_ = e.Close()
	}
}

func TestAProfileOpensWithoutConnecting(t *testing.T) {
	f, err := profile.Parse([]byte("datasources: {w: {type: databricks, host: nowhere.invalid, http_path: /sql/1.0/warehouses/1a2b, token: "+canary+"}}"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := warehouse.Options{Drivers: []warehouse.Driver{databricks.Driver()}}
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

func TestOptionsThatCannotBeAreRefused(t *testing.T) {
	token := executor.NewSecret(canary)
	for _, o := range []databricks.Options{
		{HTTPPath: "/sql/1.0/warehouses/1a2b", Token: token},
		{Endpoint: "https://h", HTTPPath: "sql/protocolv1/o/1/0123-456789-abc", Token: token},
		{Endpoint: "https://h", HTTPPath: "/sql/1.0/warehouses/../x", Token: token},
		{Endpoint: "https://h", HTTPPath: "/sql/1.0/warehouses/1a2b"},
	} {
		_, err := databricks.Open(o)
		wantError(t, err, executor.CodeConfig)
	}
}

type handler = func(http.ResponseWriter, *http.Request) bool

// failed answers the statement, but not the questions about settings, with a state.
func failed(f *fake, state, sqlState, code, message string) handler {
	return func(w http.ResponseWriter, r *http.Request) bool {
		f.mu.Lock()
		sql := f.sql[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]
		f.mu.Unlock()
		if sql != "SELECT 1 AS v" {
			return false
		}
		reply(w, map[string]any{"status": map[string]any{"state": state, "sql_state": sqlState, "error": map[string]any{"error_code": code, "message": message}}})
		return true
	}
}

func TestEachFailureHasItsCode(t *testing.T) {
	onStart := func(code int, word, message string) func(*fake) handler {
		return func(*fake) handler {
			return func(w http.ResponseWriter, _ *http.Request) bool {
				refuse(w, code, word, message)
				return true
			}
		}
	}
	state := func(state, sqlState, code, message string) func(*fake) handler {
		return func(f *fake) handler { return failed(f, state, sqlState, code, message) }
	}
	for _, tt := range []struct {
		name      string
		misbehave func(*fake) handler
		code      string
		words     string
	}{
		{"wrong token", onStart(403, "403", "Invalid access token "+canary), "auth", "HTTP status 403"},
		{"no token", onStart(401, "UNAUTHENTICATED", canary), "auth", "HTTP status 401"},
		{"no such warehouse", onStart(404, "NOT_FOUND", "SQL warehouse 1a2b does not exist"), "config", "no such warehouse"},
		{"another server", func(*fake) handler {
			return func(w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, "https://elsewhere.example/login", http.StatusSeeOther)
				return true
			}
		}, "connection", "no Databricks workspace"},
		{"a web page", func(*fake) handler {
			return func(w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write([]byte("<html>"))
				return true
			}
		}, "connection", "protocol failed"},
		{"internal error of the service", onStart(500, "INTERNAL_ERROR", "127.0.0.1"), "driver", "INTERNAL_ERROR"},
		{"unknown table", state("FAILED", "42P01", "BAD_REQUEST", "[TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found"), "sql_rejected", "The table `t` cannot be found (42P01)"},
		{"overflow", state("FAILED", "22003", "UNKNOWN", "[ARITHMETIC_OVERFLOW] long overflow"), "sql_rejected", "long overflow"},
		{"without a state", state("FAILED", "", "BAD_REQUEST", "no such thing"), "sql_rejected", "no such thing (BAD_REQUEST)"},
		{"time limit of the warehouse", state("FAILED", "57KD0", "DEADLINE_EXCEEDED", "timed out"), "timeout", "DEADLINE_EXCEEDED"},
		{"cancelled by somebody", state("CANCELED", "", "", ""), "driver", "gave the statement up"},
		{"closed", state("CLOSED", "", "", ""), "driver", "gave the statement up"},
		{"no capacity", state("FAILED", "", "RESOURCE_EXHAUSTED", "127.0.0.1"), "connection", "no more statements"},
		{"lost executor", state("FAILED", "XXKDA", "IO_ERROR", "lost 127.0.0.1"), "driver", "IO_ERROR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.misbehave = tt.misbehave(f)
			e := f.open(t, 1)
			defer e.Close()
			_, err := run(t.Context(), e, "SELECT 1 AS v")
			if got := wantError(t, err, tt.code); !strings.Contains(got.Message, tt.words) {
				t.Errorf("message %q, want %q in it", got.Message, tt.words)
			}
		})
	}
}

func TestAChunkThatIsCutIsNoEnd(t *testing.T) {
	for name, cut := range map[string]handler{
		"in the middle": func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("from") != "25000" {
				return false
			}
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(stream(fakehouse.Answer{Rows: 100_000}, 25_000, 40_000))
			return true
		},
		// Arrow's reader takes the end of the bytes between batches for the end.
		"between batches": func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("from") != "25000" {
				return false
			}
			_, _ = w.Write(stream(fakehouse.Answer{Rows: 100_000}, 25_000, 40_000))
			return true
		},
		"an expired link": func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("from") != "25000" {
				return false
			}
			http.Error(w, "expired signature", http.StatusGone)
			return true
		},
		"no link": func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/result/chunks/1") {
				return false
			}
			reply(w, map[string]any{"external_links": []any{}})
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.misbehave = cut
			e := f.open(t, 1)
			defer e.Close()
			_, err := run(t.Context(), e, fakehouse.Series(100_000))
			wantError(t, err, executor.CodeDriver)
		})
	}
}

func TestATruncatedResultIsAnError(t *testing.T) {
	f := newFake(t)
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		f.mu.Lock()
		sql := f.sql[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]
		f.mu.Unlock()
		if sql != "SELECT 1 AS v" {
			return false
		}
		reply(w, map[string]any{"status": map[string]any{"state": "SUCCEEDED"}, "manifest": map[string]any{"truncated": true, "total_row_count": 5}})
		return true
	}
	e := f.open(t, 1)
	defer e.Close()
	_, err := run(t.Context(), e, "SELECT 1 AS v")
	wantError(t, err, executor.CodeDriver)
}

func TestAStatementThatIsBeingAcceptedIsCancelledToo(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	if _, err := run(t.Context(), e, fakehouse.Series(1)); err != nil {
		t.Fatal(err)
	}
	f.misbehave = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/statements") {
			time.Sleep(150 * time.Millisecond)
		}
		return false
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := run(ctx, e, fakehouse.Slow)
	wantError(t, err, executor.CodeTimeout)
	if f.left() != 0 || f.cancelled != 1 {
		t.Errorf("%d statements left, %d cancelled", f.left(), f.cancelled)
	}
}

func TestASilentWorkspaceIsGivenUp(t *testing.T) {
	f := newFake(t)
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
