package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
)

// modelFolder returns a folder of models: each is revisionText of the number that its name maps to.
func modelFolder(t *testing.T, models map[string]int) string {
	t.Helper()
	folder := t.TempDir()
	for name, n := range models {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(revisionText(n, 0)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestServe_SeveralModelsWithOneSetOfSlotsAndTokens(t *testing.T) {
	folder := modelFolder(t, map[string]int{"a.yaml": 1, "b.yml": 2, "a.test.yaml": 3})
	s := start(t, "serve", "--models", folder, "--default-model", "b", "--watch", "--bind", "127.0.0.1:0", "--auth-token", "t", "--max-concurrent-executions", "7")
	token := []string{"Authorization", "Bearer t"}
	for path, want := range map[string]string{
		"/m/a/v1/query/execute": `"rows":[{"total":159}]`, "/m/b/v1/query/execute": `"rows":[{"total":160}]`, "/v1/query/execute": `"rows":[{"total":160}]`,
	} {
		if status, body := post(t, s.base+path, `{"metrics":["total"]}`, token...); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
		if status, _ := post(t, s.base+path, `{"metrics":["total"]}`); status != 401 {
			t.Errorf("%s without a token: %d", path, status)
		}
	}
	if err := replaceFileAtomically(filepath.Join(folder, "c.yaml"), revisionText(5, 0)); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "a new file is served", func() bool {
		_, body := post(t, s.base+"/m/c/v1/query/execute", `{"metrics":["total"]}`, token...)
		return strings.Contains(body, `"rows":[{"total":163}]`)
	})
	if err := os.WriteFile(filepath.Join(folder, "b.yml"), []byte("metrics: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "/ready names the broken model", func() bool {
		status, body := ask(t, s.base+"/ready", "")
		return status == 200 && strings.Contains(body, `"reload_error":{"code":"parse"`) && strings.Contains(body, `"model":"b"`)
	})
	if _, body := post(t, s.base+"/v1/query/execute", `{"metrics":["total"]}`, token...); !strings.Contains(body, `"rows":[{"total":160}]`) {
		t.Errorf("the broken model: %s", body)
	}
	if err := os.Remove(filepath.Join(folder, "a.yaml")); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "a removed file is not served", func() bool {
		status, body := post(t, s.base+"/m/a/v1/query/execute", `{"metrics":["total"]}`, token...)
		return status == 404 && strings.Contains(body, `"code":"unknown_model"`)
	})
	_, metrics := ask(t, s.base+"/metrics", "")
	for _, want := range []string{`semlayer_executions_capacity 7`, `semlayer_model_reloads_total{model="b",result="refused"} 1`, `semlayer_model_reloads_total{model="c",result="ok"} 1`} {
		if !strings.Contains(metrics, want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	if code := s.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestServe_ModelSettingsThatExcludeEachOther(t *testing.T) {
	folder := modelFolder(t, map[string]int{"a.yaml": 1})
	broken := modelFolder(t, map[string]int{"a.yaml": 1})
	if err := os.WriteFile(filepath.Join(broken, "b.yaml"), []byte("metrics: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--models", folder, "--model", "testdata/shop.yaml"}, 2, "mutually exclusive"},
		{[]string{"--model", "testdata/shop.yaml", "--default-model", "a"}, 2, "--default-model (SVC_DEFAULT_MODEL) needs --models"},
		{nil, 2, "--model (SVC_MODEL) is required"},
		{[]string{"--models", folder, "--default-model", "b"}, 1, "the default model b is not in"},
		{[]string{"--models", broken}, 1, "b.yaml:1:"},
		{[]string{"--models", t.TempDir()}, 1, "holds no model"},
	} {
		errs := new(testwait.Log)
		code := cli.Run(t.Context(), append([]string{"serve", "--bind", "127.0.0.1:0"}, c.args...), cli.Streams{In: strings.NewReader(""), Out: new(testwait.Log), Err: errs}, "v0")
		if code != c.code || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, errs)
		}
	}
}
