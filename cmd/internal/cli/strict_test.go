package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

// brokenModel has a metric that does not compile beside one that does.
func brokenModel(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "model.yaml")
	broken := string(text) + "  - {name: broken, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amuont)}]}}\n"
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestServeStrict_DoesNotStartOnABrokenSetUp(t *testing.T) {
	model, missing := brokenModel(t), filepath.Join(t.TempDir(), "nope.duckdb")
	text := filepath.Join(t.TempDir(), "text.duckdb")
	if err := os.WriteFile(text, []byte("this is not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"a compile error":                {[]string{"--model", model}, []string{"1 object of the model failed to compile"}},
		"no database file":               {[]string{"--model", "testdata/shop.yaml", "--db", missing}, []string{"--db (SVC_DB): ", "nope.duckdb"}},
		"a file that is not a database":  {[]string{"--model", "testdata/shop.yaml", "--db", text}, []string{"--db (SVC_DB): ", "text.duckdb"}},
		"a token that can be guessed":    {[]string{"--model", "testdata/shop.yaml", "--auth-token", "studio"}, []string{"1 authentication token shorter than 16 characters can be guessed"}},
		"both, which are named together": {[]string{"--model", model, "--db", missing}, []string{"failed to compile", "nope.duckdb"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := runFor(t, testwait.Deadline, append([]string{"serve", "--strict", "--bind", "127.0.0.1:0"}, c.args...)...)
			if code != 1 || out != "" || strings.Contains(errs, "msg=serving") || !strings.Contains(errs, "--strict (SVC_STRICT) refuses to start") {
				t.Errorf("exit code %d, %q, %q", code, out, errs)
			}
			for _, s := range c.says {
				if !strings.Contains(errs, s) {
					t.Errorf("%q is missing in %s", s, errs)
				}
			}
		})
	}
}

func TestServe_StartsOnABrokenSetUpAndWarns(t *testing.T) {
	s := start(t, "serve", "--model", brokenModel(t), "--bind", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "nope.duckdb"), "--auth-token", "studio")
	for _, says := range []string{"1 authentication token shorter than 16 characters can be guessed", "unknown_field", "executions fail until it can", "nope.duckdb"} {
		if !strings.Contains(s.err(), says) {
			t.Errorf("the log does not say %q: %s", says, s.err())
		}
	}
	if status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["revenue"]}`, "Authorization", "Bearer studio"); status != 400 || !strings.Contains(body, `"code":"config"`) {
		t.Errorf("%d %s", status, body)
	}
	if _, body := ask(t, s.base+"/metrics", ""); !strings.Contains(body, "\nsemlayer_model_errors 1\n") {
		t.Error("the metrics do not count the error")
	}
}

func TestServeStrict_StartsOnASoundSetUp(t *testing.T) {
	t.Setenv("SVC_STRICT", "true")
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	if status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["revenue"]}`); status != 200 {
		t.Errorf("%d %s", status, body)
	}
}
