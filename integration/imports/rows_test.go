package imports_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// A case is an archive in the folder of its format. Files in input/ are imported, data.sql
// makes the tables; NAME.json is a query and NAME.sql the rows that it has.
func TestImport_MetricsEqualHandSQL(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		format := filepath.Base(filepath.Dir(path))
		t.Run(format+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			testRows(t, format, archive)
		})
	}
}

func testRows(t *testing.T, format string, archive *txtar.Archive) {
	var sources []engine.ImportSource
	sections := map[string]string{}
	var queries []string
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "input/"); ok {
			sources = append(sources, engine.ImportSource{Name: name, Text: f.Data})
		} else if name, ok := strings.CutSuffix(f.Name, ".json"); ok {
			queries = append(queries, name)
		}
		sections[f.Name] = string(f.Data)
	}
	imported, err := engine.Import(t.Context(), format, sources, engine.ImportOptions{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{ModelText: imported.Model})
	if err != nil {
		t.Fatal(err)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{sections["data.sql"]}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	unasked := map[string]bool{}
	for _, e := range imported.Entries {
		for _, path := range e.Became {
			if strings.HasPrefix(path, "metrics.") || strings.HasPrefix(path, "queries.") {
				unasked[path] = true
			}
		}
	}
	for _, name := range queries {
		q, err := engine.DecodeMetric([]byte(sections[name+".json"]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		q.Dialect = "duckdb"
		compiled, err := e.CompileMetrics(t.Context(), q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := servers.QueryTable(t.Context(), db, compiled.SQL, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, err := servers.QueryTable(t.Context(), db, sections[name+".sql"], nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(want.Rows) < 2 {
			t.Errorf("%s: the SQL has %d rows, which show little", name, len(want.Rows))
		}
		if diff := table.Diff(want, got, false); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, compiled.SQL)
		}
		for _, m := range q.Metrics {
			delete(unasked, "metrics."+m)
		}
		delete(unasked, "queries."+q.Saved)
	}
	for path := range unasked {
		t.Errorf("no query asks for %s", path)
	}
}
