package snowflake_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
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
	"github.com/semlayer/semlayer/executor/internal/fakehouse"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/snowflake"
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
	want := `{"database":"DB","parameters":{"MULTI_STATEMENT_COUNT":"1","ROWS_PER_RESULTSET":"0","TIMEZONE":"UTC"},` +
		`"role":"ANALYST","schema":"My \"s","statement":"SELECT i FROM series(1)","warehouse":"WH"}`
	if d := cmp.Diff(want, string(got)); err != nil || d != "" {
		t.Error(d, err)
	}
	if len(f.sql) != 3 {
		t.Errorf("%d statements, want the two and, once, a question about names", len(f.sql))
	}
}

func TestAKeyPairSignsTokens(t *testing.T) {
	f := newFake(t)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key())
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []*pem.Block{
		{Type: "PRIVATE KEY", Bytes: pkcs8},
		{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key())},
	} {
		o := f.options()
		o.Token, o.PrivateKeyFile = executor.Secret{}, writeKey(t, block)
		e, err := snowflake.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := run(t.Context(), e, fakehouse.Series(3)); err != nil || got.Count != 3 {
			t.Errorf("%s: %d rows, %v", block.Type, got.Count, err)
		}
		_ = e.Close()
	}
}

func TestAKeyThatCannotBeUsedIsFoundAtOnce(t *testing.T) {
	noPEM := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(noPEM, []byte(canary), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, words := range map[string]string{
		"/no/such/file": "cannot be read",
		noPEM:           "not in PEM form",
		writeKey(t, &pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte(canary)}): "encrypted",
		writeKey(t, &pem.Block{Type: "PRIVATE KEY", Bytes: []byte(canary)}):           "no private RSA key",
	} {
		_, err := snowflake.Open(snowflake.Options{Account: "a", User: "u", PrivateKeyFile: path})
		if m := wantError(t, err, executor.CodeConfig).Message; !strings.Contains(m, words) {
			t.Errorf("%s, want %q in it", m, words)
		}
	}
	for _, o := range []snowflake.Options{
		{User: "u", Token: executor.NewSecret(canary)},
		{Account: "a", Token: executor.NewSecret(canary)},
		{Account: "a", User: "u"},
		{Account: "a", User: "u", Token: executor.NewSecret(canary), PrivateKeyFile: "f"},
	} {
		_, err := snowflake.Open(o)
		wantError(t, err, executor.CodeConfig)
	}
}

func TestNamesThatDoNotKeepTheirLettersAreRefused(t *testing.T) {
	f := newFake(t)
	f.ignoreCase = true
	e := f.open(t, 1)
	defer e.Close()
	_, err := run(t.Context(), e, fakehouse.Series(1))
	if m := wantError(t, err, executor.CodeConfig).Message; !strings.Contains(m, "quotation marks") {
		t.Error(m)
	}
	f.ignoreCase = false
	if _, err := run(t.Context(), e, fakehouse.Series(1)); err != nil {
		t.Errorf("after the setting was mended: %v", err)
	}
}

func TestAProfileOpensWithoutConnecting(t *testing.T) {
	f, err := profile.Parse([]byte("datasources: {w: {type: snowflake, account: nowhere.snowflakecomputing.invalid, username: ann, password: "+canary+"}}"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := warehouse.Options{Drivers: []warehouse.Driver{snowflake.Driver()}}
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
	type handler = func(*fake, http.ResponseWriter, *http.Request) bool
	// always answers every request; of answers those for the statement.
	always := func(status int, code, state, message string) handler {
		return func(_ *fake, w http.ResponseWriter, _ *http.Request) bool {
			refuse(w, status, code, state, message)
			return true
		}
	}
	of := func(status int, code, state, message string) handler {
		return func(f *fake, w http.ResponseWriter, r *http.Request) bool {
			f.mu.Lock()
			sql := f.sql[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]
			f.mu.Unlock()
			if sql != "SELECT 1 AS v" {
				return false
			}
			refuse(w, status, code, state, message)
			return true
		}
	}
	for _, tt := range []struct {
		name      string
		misbehave handler
		code      string
		words     string
	}{
		{"wrong token", always(401, "390144", "", "JWT token is invalid "+canary), "auth", "390144"},
		{"network policy", always(403, "390422", "08001", "Incoming request with IP 127.0.0.1 is not allowed"), "auth", "390422"},
		{"no such account", always(404, "390400", "", "not found"), "config", "no account"},
		{"another server", func(_ *fake, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "https://elsewhere.example/login", http.StatusFound)
			return true
		}, "connection", "no Snowflake account"},
		{"a web page", func(_ *fake, w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte("<html>"))
			return true
		}, "connection", "protocol failed"},
		{"internal error of the service", always(500, "391999", "", "127.0.0.1"), "driver", "391999"},
		{"unknown table", of(422, "002003", "42S02", "SQL compilation error:\nObject 'T' does not exist or not authorized."), "sql_rejected", "Object 'T' does not exist or not authorized. (002003)"},
		{"two statements", of(422, "000008", "0A000", "Actual statement count 2 did not match the desired statement count 1."), "sql_rejected", "statement count 2"},
		{"statement timeout", of(422, "000630", "57014", "Statement reached its statement or warehouse timeout of 120 second(s) and was canceled."), "timeout", "timeout of 120 second"},
		{"timeout of the interface", of(408, "000630", "", ""), "timeout", "000630"},
		{"cancelled by somebody", of(422, "000604", "57014", "SQL execution canceled"), "driver", "gave the statement up"},
		{"no warehouse", of(422, "000606", "57P03", "No active warehouse selected in the current session."), "config", "No active warehouse"},
		{"no such role", of(422, "390189", "08001", "Role 'X' does not exist"), "config", "Role 'X'"},
		{"out of credits", of(422, "090073", "57014", "Warehouse 'WH' cannot be resumed because resource monitor 'M' has exceeded its quota."), "connection", "no more statements"},
		{"incident", of(422, "300002", "XX000", "Processing aborted by error 300002 at 127.0.0.1"), "driver", "300002"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.misbehave = func(w http.ResponseWriter, r *http.Request) bool { return tt.misbehave(f, w, r) }
			e := f.open(t, 1)
			defer e.Close()
			_, err := run(t.Context(), e, "SELECT 1 AS v")
			if got := wantError(t, err, tt.code); !strings.Contains(got.Message, tt.words) {
				t.Errorf("message %q, want %q in it", got.Message, tt.words)
			}
		})
	}
}

func TestAPartitionThatIsCutIsNoEnd(t *testing.T) {
	for name, body := range map[string]string{
		"in the middle": `{"data":[["25000"],["25001"],`,
		"with fewer":    `{"data":[["25000"],["25001"]]}`,
		"of nothing":    `{"data":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Get("partition") != "1" {
					return false
				}
				_, _ = w.Write([]byte(body))
				return true
			}
			e := f.open(t, 1)
			defer e.Close()
			_, err := run(t.Context(), e, fakehouse.Series(100_000))
			wantError(t, err, executor.CodeDriver)
		})
	}
}

func TestABusyServiceIsAskedAgainAndRunsTheStatementOnce(t *testing.T) {
	f := newFake(t)
	var busy atomic.Int32
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if busy.Add(1)%2 == 0 {
			return false
		}
		if strings.HasSuffix(r.URL.Path, "/statements") {
			f.submit(&lost{http.Header{}}, r) // it arrives, and the answer does not
		}
		refuse(w, 503, "", "", "try again")
		return true
	}
	e := f.open(t, 1)
	defer e.Close()
	if got, err := run(t.Context(), e, fakehouse.Series(60_000)); err != nil || got.Count != 60_000 {
		t.Errorf("%d rows, %v", got.Count, err)
	}
	if len(f.sql) != 2 {
		t.Errorf("%d statements ran, want the question about names and the one", len(f.sql))
	}
}

type lost struct{ header http.Header }

func (l *lost) Header() http.Header       { return l.header }
func (*lost) Write(p []byte) (int, error) { return len(p), nil }
func (*lost) WriteHeader(int)             {}

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
