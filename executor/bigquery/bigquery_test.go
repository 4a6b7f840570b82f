package bigquery_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/bigquery"
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
	if text := e.Message + e.Hint; strings.Contains(text, canary) || strings.Contains(text, "127.0.0.1") {
		t.Errorf("a secret or a host shows: %s", text)
	}
	return e
}

func TestAJobSaysWhatItRuns(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	if _, err := run(t.Context(), e, fakehouse.Series(1)); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(f.inserted["configuration"])
	want := `{"query":{"connectionProperties":[{"key":"time_zone","value":"UTC"}],"defaultDataset":{"datasetId":"sales","projectId":"p"},"query":"SELECT i FROM series(1)","useLegacySql":false}}`
	if d := cmp.Diff(want, string(got)); err != nil || d != "" {
		t.Error(d, err)
	}
}

func TestAProfileOpensWithoutConnecting(t *testing.T) {
	file := writeKey(t, "http://nowhere.invalid")
	f, err := profile.Parse([]byte("datasources: {w: {type: bigquery, catalog: p, location: EU, credentials_path: "+file+"}}"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := warehouse.Options{Drivers: []warehouse.Driver{bigquery.Driver()}}
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

func TestABrokenFileOfCredentialsIsFoundAtOnce(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":      canary,
		"no key":       `{"type":"service_account","private_key":"` + canary + `"}`,
		"another kind": `{"type":"external_account","token_url":"` + canary + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.json")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			e, err := bigquery.Open(bigquery.Options{Project: "p", CredentialsFile: path})
			if name == "no key" && err == nil {
				// The key is read when a token is wanted.
				defer e.Close()
				_, err = run(t.Context(), e, "SELECT 1")
			}
			if err == nil {
				t.Fatal("no error")
			}
			if strings.Contains(err.Error(), canary) {
				t.Errorf("the secret shows: %v", err)
			}
		})
	}
	_, err := bigquery.Open(bigquery.Options{Project: "p", CredentialsFile: "/no/such/file"})
	wantError(t, err, executor.CodeConfig)
	_, err = bigquery.Open(bigquery.Options{})
	wantError(t, err, executor.CodeConfig)
}

func TestEachFailureHasItsCode(t *testing.T) {
	type handler = func(http.ResponseWriter, *http.Request) bool
	on := func(part string, code int, reason, message string) handler {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, part) {
				return false
			}
			refuse(w, code, reason, message)
			return true
		}
	}
	for _, tt := range []struct {
		name      string
		misbehave handler
		code      string
		words     string
	}{
		{"the key was revoked", func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/token" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			reply(w, map[string]string{"error": "invalid_grant", "error_description": canary})
			return true
		}, "auth", "invalid_grant"},
		{"the token is refused", on("/jobs", 401, "authError", canary), "auth", "authError"},
		{"no right to run jobs", on("/jobs", 403, "accessDenied", "Access Denied: Project p: "+canary), "auth", "accessDenied"},
		{"no such project", on("/jobs", 404, "notFound", "Not found: Project p"), "config", "project"},
		{"no such table", on("/queries/", 404, "notFound", "Not found: Table p:sales.t was not found in location EU"), "sql_rejected", "Table p:sales.t was not found"},
		{"no right to the table", on("/queries/", 403, "accessDenied", "Access Denied: Table p:sales.t"), "sql_rejected", "Access Denied: Table"},
		{"unknown column", on("/queries/", 400, "invalidQuery", "Unrecognized name: x at [1:8]"), "sql_rejected", "Unrecognized name: x at [1:8] (invalidQuery)"},
		{"too large", on("/queries/", 403, "responseTooLarge", "Response too large to return"), "sql_rejected", "too large"},
		{"out of quota", on("/jobs", 403, "quotaExceeded", "Quota exceeded"), "connection", "no more statements"},
		{"cancelled by somebody", on("/queries/", 400, "stopped", "Job execution was cancelled: User requested cancellation"), "driver", "gave the statement up"},
		{"out of memory", on("/queries/", 400, "resourcesExceeded", "Resources exceeded during query execution"), "driver", "resourcesExceeded"},
		{"time limit of the job", on("/queries/", 400, "timeout", "Job timed out after 1s"), "timeout", "timed out"},
		{"internal error of the service", on("/queries/", 500, "internalError", "127.0.0.1"), "driver", "internalError"},
		{"a web page", func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/jobs") {
				return false
			}
			_, _ = w.Write([]byte("<html>"))
			return true
		}, "connection", "protocol failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
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
	f := newFake(t)
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("pageToken") != "30000" {
			return false
		}
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"jobComplete":true,"rows":[{"f":[{"v":"30000"}]},`))
		return true
	}
	e := f.open(t, 1)
	defer e.Close()
	_, err := run(t.Context(), e, fakehouse.Series(100_000))
	wantError(t, err, executor.CodeDriver)
}

func TestABusyServiceIsAskedAgainAndRunsTheJobOnce(t *testing.T) {
	f := newFake(t)
	var busy atomic.Int32
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if busy.Add(1)%2 == 0 || r.URL.Path == "/token" {
			return false
		}
		if strings.HasSuffix(r.URL.Path, "/jobs") {
			f.insert(&lost{w.Header()}, r) // it arrives, and the answer does not
		}
		refuse(w, 503, "backendError", "try again")
		return true
	}
	e, err := bigquery.Open(bigquery.Options{Project: "p", Location: "EU", CredentialsFile: f.credentials, PoolSize: 1, Endpoint: f.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if got, err := run(t.Context(), e, fakehouse.Series(25_000)); err != nil || got.Count != 25_000 {
		t.Errorf("%d rows, %v", got.Count, err)
	}
	if len(f.sql) != 1 {
		t.Errorf("%d jobs ran", len(f.sql))
	}
}

type lost struct{ header http.Header }

func (l *lost) Header() http.Header       { return l.header }
func (*lost) Write(p []byte) (int, error) { return len(p), nil }
func (*lost) WriteHeader(int)             {}

func TestAJobThatIsBeingAcceptedIsCancelledToo(t *testing.T) {
	f := newFake(t)
	f.misbehave = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/jobs") {
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
	if f.left() != 0 || f.cancelled != 1 {
		t.Errorf("%d jobs left, %d cancelled", f.left(), f.cancelled)
	}
}

func TestASilentServiceIsGivenUp(t *testing.T) {
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
