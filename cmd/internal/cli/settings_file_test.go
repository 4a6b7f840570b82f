package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/settings"
)

func writeSettingsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSettingsFile_FlagThenVariableThenFile(t *testing.T) {
	clearVariables(t)
	path := writeSettingsFile(t, "model: file.yaml\npool-size: 3\nqueue-length: 5\nexecute-timeout-secs: 7\nwatch: true\n"+
		"data: [a, 'b, c']\ncors-origins: [https://a.example, 'http://b']\n")
	t.Setenv("SVC_CONFIG", path)
	t.Setenv("SVC_QUEUE_LENGTH", "6")
	t.Setenv("SVC_EXECUTE_TIMEOUT_SECS", "8")
	t.Setenv("SVC_POOL_SIZE", "") // an empty variable is one that is not set
	e, err := effectOf(t, "--execute-timeout-secs", "9", "--watch=false")
	if err != nil {
		t.Fatal(err)
	}
	type part struct {
		Model, Execute string
		Pool, Queue    int
		Watch          bool
		Data, Origins  []string
	}
	if d := cmp.Diff(part{"file.yaml", "9s", 3, 6, false, []string{"a", "b, c"}, []string{"https://a.example", "http://b"}},
		part{e.Model, e.Execute, e.Pool, e.QueueLength, e.Watch, e.Data, e.Origins}); d != "" {
		t.Error(d)
	}
	t.Run("a list is taken from one place", func(t *testing.T) {
		t.Setenv("SVC_DATA", "d\ne")
		byVariable, err := effectOf(t)
		if d := cmp.Diff([]string{"d", "e"}, byVariable.Data); d != "" || err != nil {
			t.Error(err, d)
		}
		byFlag, err := effectOf(t, "--data", "f")
		if d := cmp.Diff([]string{"f"}, byFlag.Data); d != "" || err != nil {
			t.Error(err, d)
		}
	})
	t.Run("the mode of a variable wins over the mode of the file", func(t *testing.T) {
		t.Setenv("SVC_CONFIG", writeSettingsFile(t, "model: m.yaml\nsem-basic: true\n"))
		if e, err := effectOf(t); err != nil || !e.Basic {
			t.Error(e.Basic, err)
		}
		t.Setenv("SVC_SEM_VENDOR", "true")
		if e, err := effectOf(t); err != nil || e.Basic {
			t.Error(e.Basic, err)
		}
	})
}

// Each setting with a key has the effect of its flag.
func TestSettingsFile_EveryKeyIsRead(t *testing.T) {
	clearVariables(t)
	certificate, key := writeCertificate(t)
	tokens := writeSettingsFile(t, "a-token-of-some-length\n")
	policies := writeSettingsFile(t, "version: 1\n")
	values := map[string]string{
		"auth-token-file": tokens, policiesFlag: policies, pgTLSCertificateFlag: certificate, pgTLSKeyFlag: key, tlsCertificateFlag: certificate, tlsKeyFlag: key, tlsClientCAFlag: certificate, pgBindFlag: "127.0.0.1:5433", adminBindFlag: "127.0.0.1:9",
		"bind": "127.0.0.1:9", "cors-origins": "http://a", "embed-origins": "http://a", "default-connection": "a", "default-model": "a", "models": "dir", "sem-vendor": "false",
	}
	for _, one := range settings.Table() {
		if !one.HasKey() || one.MCPOnly {
			continue
		}
		t.Run(one.Flag, func(t *testing.T) {
			value := values[one.Flag]
			switch least, _ := one.Bounds(); {
			case value != "":
			case one.Kind == settings.Boolean:
				value = map[string]string{"true": "false", "": "true"}[one.Default]
			case one.Kind == settings.Integer:
				value = []string{"1", "2", "257"}[min(least, 2)]
				if least > 1 {
					value = "257"
				}
			case one.Kind == settings.Choice:
				value = one.Choices[1]
			default:
				value = "x.yaml"
			}
			args := argumentsBeside(one.Flag, certificate, key)
			byFlag, err := effectOf(t, append(args, "--"+one.Flag+"="+value)...)
			if err != nil {
				t.Fatal(err)
			}
			byFile, err := effectOf(t, append(args, "--config", writeSettingsFile(t, one.Flag+": "+value+"\n"))...)
			if d := cmp.Diff(byFlag, byFile); d != "" || err != nil {
				t.Error(err, d)
			}
		})
	}
}

func TestSettingsFile_FaultsNameTheKey(t *testing.T) {
	long := "model: " + strings.Repeat("m", 1<<20) + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"an unknown key":           {"pool_size: 3", `the key "pool_size" is unknown; the nearest is pool-size`},
		"a flag":                   {"--strict: true", `the key "--strict" is unknown; the nearest is strict`},
		"nothing like it":          {"zzzzzzzz: 1", `the key "zzzzzzzz" is unknown`},
		"another letter case":      {"pool-size: 3\nPool-Size: 4", `the key "Pool-Size" is unknown; the nearest is pool-size`},
		"a key twice":              {"pool-size: 3\npool-size: 4", "already defined"},
		"a secret":                 {"auth-token: abc", "auth-token is not a key, because it is secret: name a file with auth-token-file"},
		"another file":             {"config: b.yaml", "config is not a key: a settings file cannot name another"},
		"a list of one value":      {"pool-size: [3]", "pool-size must be an integer, not a list"},
		"a mapping":                {"log-level: {a: b}", "log-level must be text, not a mapping"},
		"a list of mappings":       {"data: [{a: b}]", "data must be text, not a mapping"},
		"a fraction":               {"pool-size: 1.5", "pool-size must be an integer, not 1.5"},
		"a number for a switch":    {"watch: 1", "watch must be true or false, not 1"},
		"a number for a text":      {"model: 010", "model must be text: write 8 in quotes"},
		"a date for a text":        {"model: 2026-01-01", "model must be text"},
		"no value":                 {"model:", "model has no value"},
		"a list of settings":       {"- model: a", "is not a mapping of settings"},
		"no YAML":                  {"model: [", "is not a mapping of settings"},
		"too long":                 {long, "is longer than 1048576 bytes"},
		"several faults at once":   {"pool_size: 3\nmodel: 5", "model must be text"},
		"outside of the bounds":    {"model: m.yaml\nqueue-ms: 60001", "--queue-ms (SVC_QUEUE_MS), the key queue-ms of "},
		"a word that is no switch": {"model: m.yaml\nstrict: very", "must be true or false, not \"very\""},
	} {
		t.Run(name, func(t *testing.T) {
			clearVariables(t)
			path := writeSettingsFile(t, c.text)
			var out, errs bytes.Buffer
			code := Run(t.Context(), []string{"config", "--model", "m.yaml", "--config", path}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, "dev")
			if code != exitUsage || !strings.Contains(errs.String(), c.want) || !strings.Contains(errs.String(), path) && name != "a word that is no switch" || out.Len() > 0 {
				t.Errorf("%d %s%s", code, out.String(), errs.String())
			}
		})
	}
	t.Run("a file that cannot be read", func(t *testing.T) {
		clearVariables(t)
		for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
			cmd := new(app).serveCommand()
			if err := cmd.ParseFlags([]string{"--config", path}); err != nil {
				t.Fatal(err)
			}
			if _, err := newSettingsReader(cmd); err == nil || !strings.HasPrefix(err.Error(), "--config (SVC_CONFIG): ") {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// One file serves both commands: each checks the keys that only the other has, and leaves them out.
func TestSettingsFile_IsSharedByServeAndMCP(t *testing.T) {
	clearVariables(t)
	path := writeSettingsFile(t, "model: m.yaml\npool-size: 3\nbind: 0.0.0.0:80\nmax-rows: 17\n")
	cmd := new(app).mcpCommand()
	if err := cmd.ParseFlags([]string{"--config", path}); err != nil {
		t.Fatal(err)
	}
	s, err := newSettingsReader(cmd)
	if err != nil {
		t.Fatal(err)
	}
	ec, mc, err := quietApp().readMCPConfig(s)
	if err != nil || ec.PoolSize != 3 || mc.MaxRows != 17 {
		t.Errorf("%+v %v", mc, err)
	}
	if e, err := effectOf(t, "--config", path); err != nil || e.Bind != "0.0.0.0:80" || e.Pool != 3 {
		t.Errorf("%+v %v", e, err)
	}
	cmd = new(app).mcpCommand()
	if err := cmd.ParseFlags([]string{"--config", writeSettingsFile(t, "binds: a\n")}); err != nil {
		t.Fatal(err)
	}
	if _, err := newSettingsReader(cmd); err == nil || !strings.Contains(err.Error(), "the nearest is bind") {
		t.Error(err)
	}
}

func TestConfig_PrintsValuesAndSources(t *testing.T) {
	clearVariables(t)
	t.Setenv("SVC_CONFIG", writeSettingsFile(t, "model: m.yaml\nqueue-length: 5\n"))
	t.Setenv("SVC_SERVER_TOKEN", "canary-token-canary-token")
	var out, errs bytes.Buffer
	run := func(args ...string) int {
		out.Reset()
		return Run(t.Context(), append([]string{"config"}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, "dev")
	}
	if code := run("--pool-size", "4", "--data", "d.csv", "--format", "json"); code != 0 {
		t.Fatal(code, errs.String())
	}
	var rows []struct {
		Setting, Source string
		Value           any
	}
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, r := range rows {
		switch r.Setting {
		case "pool-size", "queue-length", "auth-token", "bind", "db", "watch", "data", "model", "config":
			got[r.Setting] = []any{r.Value, r.Source}
		}
	}
	want := map[string]any{
		"pool-size": []any{4.0, "flag"}, "queue-length": []any{5.0, "file"}, "auth-token": []any{"set", "variable"}, "bind": []any{[]any{"127.0.0.1:8081"}, "default"},
		"db": []any{nil, "default"}, "watch": []any{false, "default"}, "data": []any{[]any{"d.csv"}, "flag"}, "model": []any{"m.yaml", "file"},
		"config": []any{os.Getenv("SVC_CONFIG"), "variable"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	serve := 0
	for _, one := range settings.Table() {
		if !one.MCPOnly {
			serve++
		}
	}
	if len(rows) != serve {
		t.Errorf("%d rows of %d settings", len(rows), serve)
	}
	if code := run("--format", "table"); code != 0 || !strings.Contains(out.String(), "queue-length") || strings.Contains(out.String()+errs.String(), "canary") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
	// What serve refuses, config refuses.
	for _, args := range [][]string{{"--pool-size", "0"}, {"--models", "dir"}, {"--cors-origins", "*"}, {"--no-such-flag"}} {
		if code := run(args...); code != exitUsage {
			t.Errorf("%v: %d", args, code)
		}
	}
}
