package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

func TestOpen_ReadErrorNamesPlace(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, path, code, says string }{
		{"no file", filepath.Join(dir, "missing.yaml"), "io", "missing.yaml: "},
		{"no YAML", write("bad.yaml", "a: b\n  c: d\n"), "parse", "bad.yaml:2:"},
		{"another format", write("ontology.yaml", "ontology: {}\n"), "ontology", "ontology.yaml"},
		{"two flaws", write("invalid.yaml", "version: 0.2.0.dev0\nname: m\ndatasets:\n  - name: a\n    source: a\n  - name: a\n    source: b\nrelationships:\n  - {name: r, from: a, to: zzz, from_columns: [x], to_columns: [y]}\n"),
			"invalid_model", "invalid.yaml:6:11: duplicate_name: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := engine.Open(context.Background(), engine.Config{ModelPath: c.path})
			if err == nil || codeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
				t.Errorf("code %s: %v", codeOf(err), err)
			}
		})
	}
	_, err := engine.Open(context.Background(), engine.Config{ModelPath: filepath.Join(dir, "invalid.yaml")})
	var invalid *engine.ModelError
	if !errors.As(err, &invalid) || len(invalid.Issues) < 2 || strings.Count(err.Error(), "\n")+1 < 2 {
		t.Errorf("not every flaw is told: %v", err)
	}
}

func TestOpen_TextModelKeepsPath(t *testing.T) {
	e := open(t, engine.Config{ModelPath: "inline.yaml", ModelText: []byte(read(t, "testdata/orders.yaml"))})
	if got := e.Model(); got.Path != "inline.yaml" || got.Name != "shop" {
		t.Errorf("%+v", got)
	}
}

func TestOpen_CompileErrorIsLocal(t *testing.T) {
	t.Run("an object that fails to compile is listed and fails only its own queries", func(t *testing.T) {
		e := shop(t)
		var codes []string
		for _, c := range e.CompileErrors() {
			codes = append(codes, c.Code)
		}
		if len(codes) == 0 || !strings.Contains(strings.Join(codes, " "), "not_an_aggregate") {
			t.Errorf("compile errors %v", codes)
		}
		if _, err := askSQL(context.Background(), e, metricQuery(t, `{"metrics":["unfinished"]}`)); codeOf(err) != "not_an_aggregate" {
			t.Errorf("%v", err)
		}
		if _, err := askSQL(context.Background(), e, metricQuery(t, `{"metrics":["revenue"]}`)); err != nil {
			t.Errorf("%v", err)
		}
	})
}

func TestOpen_BasicModeWarnsOfIgnoredExtensions(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: a
    fields:
      - {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
      - name: y
        datatype: Integer
        expression: {dialects: [{dialect: ANSI_SQL, expression: y}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "is_dimension": false}'}]
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.x)}]}}
`
	body := `{"metrics":["total"],"group_by":[{"field":"a.y"}]}`
	vendor := open(t, engine.Config{ModelText: []byte(model)})
	if _, err := askSQL(context.Background(), vendor, metricQuery(t, body)); codeOf(err) != "unknown_dimension" {
		t.Errorf("vendor mode: %v", err)
	}
	basic := open(t, engine.Config{ModelText: []byte(model), Basic: true})
	if _, err := askSQL(context.Background(), basic, metricQuery(t, body)); err != nil {
		t.Errorf("basic mode: %v", err)
	}
	warned := basic.Warnings()
	if len(warned) != 1 || warned[0].Code != "ignored_vendor_extension" || basic.Model().Warnings != 1 || basic.Model().Mode != "basic" {
		t.Errorf("%+v %+v", warned, basic.Model())
	}
}

func TestEmbedded_KeepsMemoryLimit(t *testing.T) {
	e := open(t, engine.Config{
		ModelText: []byte(`version: 0.2.0.dev0
name: m
datasets:
  - name: settings
    source: settings
    primary_key: [memory]
    fields:
      - {name: memory, expression: {dialects: [{dialect: ANSI_SQL, expression: memory}]}}
metrics:
  - {name: memory_limit, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(settings.memory)}]}}
`),
		DBMemoryMiB: 100,
		Setup:       []string{"CREATE VIEW settings AS SELECT current_setting('memory_limit') AS memory"},
	})
	got, err := askRows(context.Background(), e, metricQuery(t, `{"metrics":["memory_limit"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"memory_limit":"100.0 MiB"}]`; string(got.Rows) != want {
		t.Errorf("%s, want %s", got.Rows, want)
	}
}

func TestModel_WithOtherThanOneIsACompileErrorAndDoesNotStart(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(read(t, "testdata/orders.yaml"))})
	for what, text := range map[string]string{
		"none": "version: 0.2.0.dev0\nsemantic_model: []\n",
		"two":  "version: 0.2.0.dev0\nsemantic_model: [{name: a, datasets: [{name: d, source: d}]}, {name: b, datasets: [{name: d, source: d}]}]\n",
	} {
		t.Run(what, func(t *testing.T) {
			v, err := e.Validate(t.Context(), []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if v.Valid || len(v.Issues) > 0 || len(v.CompileErrors) != 1 || v.CompileErrors[0].Code != "unknown_dataset" {
				t.Errorf("%s", wire(t, v))
			}
			_, err = engine.Open(t.Context(), engine.Config{ModelPath: "m.yaml", ModelText: []byte(text)})
			if codeOf(err) != "invalid_model" || !strings.Contains(err.Error(), "unknown_dataset: ") {
				t.Errorf("the engine opens: %v", err)
			}
		})
	}
}
