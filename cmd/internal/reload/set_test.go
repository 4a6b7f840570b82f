package reload_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/collector"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/reload"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// text returns a model whose metric total adds n.
func text(n int) string {
	return fmt.Sprintf(`version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: sales
    fields: [{name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount) + %d}]}}
`, n)
}

// invalid is a model with a secret name on line 8 that is used twice.
var invalid = text(0) + "  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}\n"

// broken is a model with a metric that does not compile.
var broken = strings.Replace(text(0), "sales.amount", "sales.secret_column", 1)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(content), 0o600))
}

type opened struct {
	*reload.ModelSet
	log *bytes.Buffer
}

// Reload reads the files again and serves nothing.
func (o opened) Reload(ctx context.Context) (changed bool) {
	return o.ModelSet.Reload(ctx, func(restapi.Models) {})
}

func open(t *testing.T, o reload.Options) opened {
	t.Helper()
	s, log, err := tryOpen(t, o)
	must(t, err)
	return opened{s, log}
}

func tryOpen(t *testing.T, o reload.Options) (*reload.ModelSet, *bytes.Buffer, error) {
	t.Helper()
	log := new(bytes.Buffer)
	o.Log = slog.New(slog.NewJSONHandler(log, nil))
	if o.Warehouses == nil {
		w, err := engine.OpenWarehouses(t.Context(), engine.Config{Logger: o.Log})
		must(t, err)
		t.Cleanup(func() { _ = w.Close() })
		o.Warehouses = w
	}
	o.Collector = collector.StartPacer()
	t.Cleanup(o.Collector.Stop)
	if o.Loaded == nil {
		o.Loaded = func(*engine.Engine) {}
	}
	s, err := reload.OpenModels(t.Context(), o)
	return s, log, err
}

// sql returns the SQL of the metric total of the model.
func sql(t *testing.T, m restapi.Models, name string) string {
	t.Helper()
	for _, one := range m.List {
		if one.Name == name {
			c, err := askSQL(t.Context(), one.Service, &query.MetricQuery{Metrics: []string{"total"}})
			must(t, err)
			return c.SQL
		}
	}
	return "not served"
}

func wantServed(t *testing.T, s opened, n int) {
	t.Helper()
	if got := sql(t, s.ServedModels(), ""); !strings.Contains(got, fmt.Sprintf("+ %d", n)) {
		t.Errorf("served: %s, want the text %d", got, n)
	}
}

func TestLoad_ServesEachGoodTextAndCountsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	write(t, path, text(1))
	s := open(t, reload.Options{Source: reload.ModelSource{File: path}})
	before := s.ServedModels()
	if s.Reload(t.Context()) {
		t.Error("an equal text is something new")
	}
	write(t, path, text(2))
	if !s.Reload(t.Context()) {
		t.Fatal("a changed text is nothing new")
	}
	wantServed(t, s, 2)
	if got := sql(t, before, ""); !strings.Contains(got, "+ 1") {
		t.Errorf("the models of before are changed: %s", got)
	}
	after := s.ServedModels()
	if r := after.Reloads[0]; r.Accepted != 1 || r.Refused != 0 || r.Error != nil {
		t.Errorf("%+v", r)
	}
	old, now := before.List[0].Service.Model(), after.List[0].Service.Model()
	if old.Revision == now.Revision || len(now.Revision) != 12 || now.LoadedAt.Before(old.LoadedAt) || old.LoadedAt.IsZero() {
		t.Errorf("%+v %+v", old, now)
	}
	for _, want := range []string{`"msg":"model loaded"`, now.Revision} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("not logged: %s in %s", want, s.log)
		}
	}
}

func TestLoad_RefusesEachBadFileAndKeepsTheModel(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("permissions do not bind this user: the case is run by another")
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, path string)
		code   string
		line   string // in the message of /ready
	}{
		{"half a file", func(t *testing.T, path string) { write(t, path, text(2)[:200]) }, "parse", "(line "},
		{"an empty file", func(t *testing.T, path string) { write(t, path, "") }, "parse", ""},
		{"garbage", func(t *testing.T, path string) { write(t, path, "\x00\xff\x01") }, "parse", ""},
		{"20 MiB", func(t *testing.T, path string) { write(t, path, strings.Repeat("a: b\n", 20<<20/5)) }, "parse", ""},
		{"deep", func(t *testing.T, path string) { write(t, path, strings.Repeat("[", 100_000)) }, "parse", ""},
		{"an error", func(t *testing.T, path string) { write(t, path, invalid) }, "duplicate_name", "(line 9)"},
		{"no file", func(t *testing.T, path string) { must(t, os.Remove(path)) }, "io", ""},
		{"a folder", func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, os.Mkdir(path, 0o700)) }, "io", ""},
		{"a pipe", func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, syscall.Mkfifo(path, 0o600)) }, "io", ""},
		{"a link to itself", func(t *testing.T, path string) { must(t, os.Remove(path)); must(t, os.Symlink(path, path)) }, "io", ""},
		{"no permission", func(t *testing.T, path string) { must(t, os.Chmod(path, 0)) }, "io", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "no permission" && os.Geteuid() == 0 {
				t.Skip("this user reads every file")
			}
			path := filepath.Join(t.TempDir(), "m.yaml")
			write(t, path, text(1))
			s := open(t, reload.Options{Source: reload.ModelSource{File: path}})
			served := s.ServedModels().List[0]
			c.change(t, path)
			if !s.Reload(t.Context()) {
				t.Fatal("a refusal is nothing new")
			}
			got := s.ServedModels()
			if got.List[0] != served {
				t.Error("the model is another")
			}
			r := got.Reloads[0]
			if r.Refused != 1 || r.Accepted != 0 || r.Error == nil || r.Error.Code != c.code || r.Error.At.IsZero() {
				t.Fatalf("%+v %+v", r, r.Error)
			}
			if !strings.Contains(r.Error.Message, c.line) {
				t.Errorf("no line: %s", r.Error.Message)
			}
			for _, secret := range []string{"total", "sales", path} {
				if strings.Contains(r.Error.Message, secret) {
					t.Errorf("/ready shows %s: %s", secret, r.Error.Message)
				}
			}
			if s.Reload(t.Context()) {
				t.Error("the same refusal again is something new")
			}
			must(t, os.RemoveAll(path))
			write(t, path, text(1))
			if !s.Reload(t.Context()) || s.ServedModels().List[0] != served || s.ServedModels().Reloads[0].Error != nil {
				t.Errorf("the text that is served is back: %+v", s.ServedModels().Reloads[0])
			}
			write(t, path, text(2))
			if !s.Reload(t.Context()) {
				t.Error("a good text is nothing new")
			}
			wantServed(t, s, 2)
			if r := s.ServedModels().Reloads[0]; r.Refused != 1 || r.Accepted != 1 || r.Error != nil {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestLoad_LogsTheFirstTenFindings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	write(t, path, text(1))
	s := open(t, reload.Options{Source: reload.ModelSource{File: path}})
	many := text(1)
	for range 14 {
		many += "  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}\n"
	}
	write(t, path, many)
	s.Reload(t.Context())
	var found []string
	for line := range strings.Lines(s.log.String()) {
		var l struct {
			Level, Code, Path string
			Line              int
		}
		must(t, json.Unmarshal([]byte(line), &l))
		if l.Level == "WARN" && l.Code != "" && l.Path == path {
			found = append(found, fmt.Sprint(l.Code, " ", l.Line))
		}
	}
	var want []string
	for i := range 10 {
		want = append(want, fmt.Sprint("duplicate_name ", 9+i))
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Errorf("%s\n%s", d, s.log)
	}
	if !strings.Contains(s.log.String(), `"findings":14`) {
		t.Errorf("%s", s.log)
	}
}

func TestLoad_CompileErrorsAreRefusedByStrictAlone(t *testing.T) {
	for _, strict := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "m.yaml")
		write(t, path, text(1))
		s := open(t, reload.Options{Source: reload.ModelSource{File: path}, Strict: strict})
		served := s.ServedModels().List[0]
		write(t, path, broken)
		s.Reload(t.Context())
		got := s.ServedModels()
		if kept := got.List[0] == served; kept != strict {
			t.Errorf("strict %v: kept %v", strict, kept)
		}
		if !strict {
			continue
		}
		if e := got.Reloads[0].Error; e == nil || !strings.Contains(e.Message, "(line 8)") || strings.Contains(e.Message, "secret_column") {
			t.Errorf("%+v", e)
		}
	}
}

func TestLoad_ShowsARefusalToATerminalInsteadOfTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	write(t, path, text(1))
	var shown error
	s := open(t, reload.Options{Source: reload.ModelSource{File: path}, ShowRefusal: func(_ string, err error) { shown = err }})
	write(t, path, invalid)
	s.Reload(t.Context())
	if shown == nil || !strings.Contains(shown.Error(), "duplicate_name") || strings.Contains(s.log.String(), "duplicate_name") || !strings.Contains(s.log.String(), "still served") {
		t.Errorf("%v\n%s", shown, s.log)
	}
}

func TestLoad_AContextThatHasEndedRefusesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.yaml")
	write(t, path, text(1))
	s := open(t, reload.Options{Source: reload.ModelSource{File: path}})
	write(t, path, text(2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s.Reload(ctx) || s.ServedModels().Reloads[0].Refused != 0 {
		t.Errorf("%+v", s.ServedModels().Reloads[0])
	}
	s.Reload(t.Context())
	wantServed(t, s, 2)
}

func TestFolder_ServesItsModelsAndNoTests(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.yaml", "b.yml", "A-1_x.yaml"} {
		write(t, filepath.Join(folder, name), text(1))
	}
	write(t, filepath.Join(folder, "c.json"), `{"version":"0.2.0.dev0","name":"m","datasets":[{"name":"s","source":"s"}]}`)
	for _, name := range []string{"a.test.yaml", "notes.txt", "with space.yaml", ".hidden.yaml", "d.yaml.bak"} {
		write(t, filepath.Join(folder, name), "nothing")
	}
	must(t, os.Mkdir(filepath.Join(folder, "folder.yaml"), 0o700))
	s := open(t, reload.Options{Source: reload.ModelSource{Folder: folder}})
	m := s.ServedModels()
	var names []string
	for _, one := range m.List {
		names = append(names, one.Name)
	}
	if d := cmp.Diff([]string{"A-1_x", "a", "b", "c"}, names); d != "" || m.Default != "" || !m.Several {
		t.Errorf("%s %q", d, m.Default)
	}
}

func TestFolder_AtTheStartABrokenFileIsAnError(t *testing.T) {
	empty, two, bad, missing := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(two, "a.yaml"), text(1))
	write(t, filepath.Join(two, "a.json"), text(1))
	write(t, filepath.Join(bad, "a.yaml"), text(1))
	write(t, filepath.Join(bad, "b.yaml"), invalid)
	write(t, filepath.Join(missing, "a.yaml"), text(1))
	for _, c := range []struct {
		options reload.Options
		want    string
	}{
		{reload.Options{Source: reload.ModelSource{Folder: empty}}, "holds no model"},
		{reload.Options{Source: reload.ModelSource{Folder: two}}, "two files are the model a"},
		{reload.Options{Source: reload.ModelSource{Folder: bad}}, "b.yaml:9:"},
		{reload.Options{Source: reload.ModelSource{Folder: filepath.Join(empty, "none")}}, "no such file"},
		{reload.Options{Source: reload.ModelSource{Folder: missing}, Default: "b"}, "the default model b is not in"},
		{reload.Options{Source: reload.ModelSource{File: filepath.Join(empty, "none.yaml")}}, "no such file"},
	} {
		if _, _, err := tryOpen(t, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.options.Source, err, c.want)
		}
	}
}

func TestFolder_FilesComeChangeAndGo(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	write(t, at("a.yaml"), text(1))
	s := open(t, reload.Options{Source: reload.ModelSource{Folder: folder}})
	if m := s.ServedModels(); m.Default != "a" {
		t.Errorf("the only model is not the default: %q", m.Default)
	}
	first := s.ServedModels().List[0]
	step := func(what string, want map[string]string, defaultName string, refused int) {
		t.Helper()
		s.Reload(t.Context())
		m := s.ServedModels()
		got, errs := map[string]string{}, 0
		for _, one := range m.List {
			text := sql(t, m, one.Name)
			got[one.Name] = text[strings.LastIndex(text, "+ ")+2:][:1]
		}
		for _, r := range m.Reloads {
			if r.Error != nil {
				errs++
			}
		}
		if d := cmp.Diff(want, got); d != "" || m.Default != defaultName || errs != refused {
			t.Errorf("%s: %s default %q, %d refused", what, d, m.Default, errs)
		}
	}
	write(t, at("b.yaml"), text(2))
	step("a new file", map[string]string{"a": "1", "b": "2"}, "", 0)
	if s.ServedModels().List[0] != first {
		t.Error("the model that did not change is another")
	}
	write(t, at("c.yaml"), invalid)
	step("a new broken file", map[string]string{"a": "1", "b": "2"}, "", 1)
	write(t, at("b.yaml"), invalid)
	step("a file that breaks", map[string]string{"a": "1", "b": "2"}, "", 2)
	write(t, at("c.yaml"), text(3))
	step("a file that is mended", map[string]string{"a": "1", "b": "2", "c": "3"}, "", 1)
	must(t, os.Remove(at("b.yaml")))
	step("a removed file", map[string]string{"a": "1", "c": "3"}, "", 0)
	must(t, os.Rename(at("c.yaml"), at("c.yml")))
	step("a file with another ending", map[string]string{"a": "1", "c": "3"}, "", 0)
	if got := s.ServedModels().List[1].Service.Model().Path; got != at("c.yml") {
		t.Errorf("path %s", got)
	}
	write(t, at("a.json"), text(6))
	write(t, at("c.yml"), text(5))
	step("a second file of a name, and a change of another model", map[string]string{"a": "1", "c": "5"}, "", 1)
	step("the same files", map[string]string{"a": "1", "c": "5"}, "", 1)
	must(t, os.Remove(at("a.json")))
	step("one file of the name", map[string]string{"a": "1", "c": "5"}, "", 0)
	must(t, os.Remove(at("a.yaml")))
	step("the first is gone", map[string]string{"c": "5"}, "c", 0)
	must(t, os.Remove(at("c.yml")))
	step("all are gone", map[string]string{}, "", 0)
	write(t, at("a.yaml"), text(4))
	step("one is back", map[string]string{"a": "4"}, "a", 0)
}

func TestFolder_ThatCannotBeReadKeepsTheModels(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "models")
	must(t, os.Mkdir(folder, 0o700))
	write(t, filepath.Join(folder, "a.yaml"), text(1))
	s := open(t, reload.Options{Source: reload.ModelSource{Folder: folder}})
	must(t, os.RemoveAll(folder))
	if s.Reload(t.Context()) || len(s.ServedModels().List) != 1 {
		t.Errorf("%+v", s.ServedModels())
	}
}

func TestAddProfiles_TheToolsKnowThem(t *testing.T) {
	folder := t.TempDir()
	path, profiles := filepath.Join(folder, "m.yaml"), filepath.Join(folder, "profiles.yaml")
	write(t, path, text(1))
	write(t, profiles, "datasources:\n  first: {type: postgres, host: h, user: u, database: d}\n")
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{ConnectionsPath: profiles})
	must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	s := open(t, reload.Options{Source: reload.ModelSource{File: path}, Warehouses: w, Messages: func(e *engine.Engine, _ *mcp.CancelFuncsOfCalls) http.Handler {
		n := len(e.Connections())
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, n) })
	}})
	model := s.ServedModels().List[0]
	write(t, profiles, "datasources:\n  second: {type: mysql, host: h, user: u, database: d}\n  third: {type: mysql, host: h, hots: x}\n")
	s.AddNewConnectionProfiles()
	var names []string
	for _, c := range model.Service.Connections() {
		names = append(names, c.Name)
	}
	if d := cmp.Diff([]string{"first", "second", "third"}, names); d != "" {
		t.Error(d)
	}
	out := &answer{}
	model.MCP.ServeHTTP(out, nil)
	if out.String() != "3" {
		t.Errorf("the tools know %s connections", out)
	}
	if !strings.Contains(s.log.String(), `"connections":"second,third"`) {
		t.Errorf("%s", s.log)
	}
	write(t, profiles, "datasources: [")
	s.AddNewConnectionProfiles()
	if !strings.Contains(s.log.String(), "the connection profiles stay as they were") || len(model.Service.Connections()) != 3 {
		t.Errorf("%s", s.log)
	}
}

// answer is a ResponseWriter that keeps the body.
type answer struct {
	bytes.Buffer
	header http.Header
}

func (a *answer) Header() http.Header { return a.header }
func (*answer) WriteHeader(int)       {}
