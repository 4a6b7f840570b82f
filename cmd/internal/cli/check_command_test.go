package cli_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/cli"
)

func runCheck(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = cli.Run(context.Background(), append([]string{"check"}, args...), cli.Streams{In: strings.NewReader(""), Out: &o, Err: &e}, "v0.0.0-test")
	return code, o.String(), e.String()
}

func TestCheck_ReadyServer(t *testing.T) {
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	code, out, errs := runCheck("--url", s.base)
	want := regexp.MustCompile(`^ok: model shop, 2 datasets, 3 metrics; revenue compiles \(\d+ ms\)\n$`)
	if code != 0 || !want.MatchString(out) || errs != "" {
		t.Errorf("exit code %d, %q, %q", code, out, errs)
	}
	s.stop()
	if code, out, errs := runCheck("--url", s.base); code != 1 || out != "" || !strings.HasPrefix(errs, "not well: ") {
		t.Errorf("after the server has ended: exit code %d, %q, %q", code, out, errs)
	}
}

func TestCheck_SendsToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("from-the-file\nolder\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--auth-token-file", file)
	if code, out, errs := runCheck("--url", s.base); code != 1 || out != "" || !strings.Contains(errs, "unauthorized") {
		t.Errorf("without a token: exit code %d, %q, %q", code, out, errs)
	}
	if code, _, errs := runCheck("--url", s.base, "--auth-token", "wrong"); code != 1 || strings.Contains(errs, "wrong") {
		t.Errorf("with a wrong token: exit code %d, %q", code, errs)
	}
	if code, _, errs := runCheck("--url", s.base, "--auth-token-file", file); code != 0 {
		t.Errorf("with the file: exit code %d, %q", code, errs)
	}
	t.Setenv("SVC_SERVER_TOKEN", "older")
	if code, _, errs := runCheck("--url", s.base); code != 0 {
		t.Errorf("with the variable: exit code %d, %q", code, errs)
	}
}

func TestCheck_NamesTheProblem(t *testing.T) {
	const (
		ready   = `{"status":"ready"}`
		model   = `{"name":"m","datasets":1,"metrics":2}`
		metrics = `[{"name":"a"},{"name":"b"}]`
		refusal = `{"error":{"code":"missing_param","message":"a parameter is missing"}}`
		defect  = `{"error":{"code":"internal","message":"a defect"}}`
		sql     = `{"dialect":"duckdb","sql":"SELECT 1"}`
	)
	answer := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}
	}
	compile := func(a, b http.HandlerFunc) http.HandlerFunc {
		asked := 0
		return func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 1 {
				a(w, r)
				return
			}
			b(w, r)
		}
	}
	cases := map[string]struct {
		ready, metrics, compile http.HandlerFunc
		code                    int
		says                    string
	}{
		"a server that is shutting down": {answer(503, `{"status":"draining"}`), nil, nil, 1, "not well: the server is shutting down"},
		"something else at the address":  {answer(200, "<html>"), nil, nil, 1, "a response that is not the service's"},
		"no metrics":                     {answer(200, ready), answer(200, `[]`), nil, 0, "ok: model m, 1 datasets, 0 metrics\n"},
		"a metric that needs more":       {answer(200, ready), answer(200, metrics), compile(answer(400, refusal), answer(200, sql)), 0, "; b compiles ("},
		"metrics that all need more":     {answer(200, ready), answer(200, metrics), answer(400, refusal), 1, "none of its 2 metrics compiles; the first: missing_param"},
		"a defect":                       {answer(200, ready), answer(200, metrics), compile(answer(500, defect), answer(200, sql)), 1, "not well: internal: a defect"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("/ready", c.ready)
			mux.HandleFunc("/v1/model", answer(200, model))
			if c.metrics != nil {
				mux.HandleFunc("/v1/metrics", c.metrics)
			}
			if c.compile != nil {
				mux.HandleFunc("/v1/query/compile", c.compile)
			}
			server := httptest.NewServer(mux)
			defer server.Close()
			code, out, errs := runCheck("--url", server.URL)
			if code != c.code || !strings.Contains(out+errs, c.says) {
				t.Errorf("exit code %d, %q, %q; want %d and %q", code, out, errs, c.code, c.says)
			}
		})
	}
}

func TestCheck_EndsInTime(t *testing.T) {
	released := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-released }))
	defer server.Close()
	defer close(released)
	if code, _, errs := runCheck("--url", server.URL, "--timeout-secs", "1"); code != 1 || !strings.Contains(errs, "deadline") {
		t.Errorf("exit code %d, %q", code, errs)
	}
}
