package imports_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/planner/query"
)

// A case is an archive in the folder of its format. Files in input/ are imported, data.sql
// makes the tables, dialect names that of the SQL in the input; NAME.json is a query and NAME.sql the rows that it has.
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

// importCase is an opened archive.
type importCase struct {
	sources  []importer.SourceFile
	imported *importer.Result
	engine   *engine.Engine
	db       *duckdb.Executor
	sections map[string]string
	queries  []string
}

func openCase(t *testing.T, format string, archive *txtar.Archive) *importCase {
	t.Helper()
	c := &importCase{sections: map[string]string{}}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "input/"); ok {
			c.sources = append(c.sources, importer.SourceFile{Name: name, Text: f.Data})
		} else if name, ok := strings.CutSuffix(f.Name, ".json"); ok {
			c.queries = append(c.queries, name)
		}
		c.sections[f.Name] = string(f.Data)
	}
	var err error
	options := importer.Options{ModelName: "m", Dialect: strings.TrimSpace(c.sections["dialect"])}
	if c.imported, err = engine.Import(t.Context(), format, c.sources, options); err != nil {
		t.Fatal(err)
	}
	if c.engine, err = engine.Open(t.Context(), engine.Config{ModelText: c.imported.Model}); err != nil {
		t.Fatal(err)
	}
	if c.db, err = duckdb.Open(t.Context(), duckdb.Options{Setup: []string{c.sections["data.sql"]}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.db.Close() })
	return c
}

func testRows(t *testing.T, format string, archive *txtar.Archive) {
	c := openCase(t, format, archive)
	sections, db, e := c.sections, c.db, c.engine
	unasked := map[string]bool{}
	for _, e := range c.imported.Entries {
		for _, path := range e.Became {
			if strings.HasPrefix(path, "metrics.") || strings.HasPrefix(path, "queries.") {
				unasked[path] = true
			}
		}
	}
	for _, name := range c.queries {
		q, err := query.DecodeMetric([]byte(sections[name+".json"]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		q.Dialect = "duckdb"
		compiled, err := prepare.SQL(t.Context(), e, q)
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

func TestImport_EachFormatHasCasesAndASection(t *testing.T) {
	page, err := os.ReadFile("../../docs/authoring.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range engine.ImportFormats() {
		if cases, err := filepath.Glob("testdata/" + format + "/*.txtar"); err != nil || len(cases) == 0 {
			t.Errorf("testdata has no case of %s: %v", format, err)
		}
		if !bytes.Contains(page, []byte("\n| `"+format+"` | ")) {
			t.Errorf("docs/authoring.md has no row of %s in its table of formats", format)
		}
		if !regexp.MustCompile(`(?i)\n### .*\b` + format + `\n`).Match(page) {
			t.Errorf("docs/authoring.md has no section about %s", format)
		}
	}
}

// Views of a large project stand in one payload: 150 explores with 30 fields each, in 130 KB.
func TestImport_ReadsManyExplores(t *testing.T) {
	var text strings.Builder
	text.WriteString("view: a_view_with_a_long_name {\n")
	for i := range 30 {
		fmt.Fprintf(&text, "dimension: column_%d { type: string }\n", i)
	}
	text.WriteString("}\n")
	for i := range 150 {
		fmt.Fprintf(&text, "explore: explore_%d { from: a_view_with_a_long_name fields: [ALL_FIELDS*, -explore_%d.column_0] }\n", i, i)
	}
	result, err := engine.Import(t.Context(), "lookml", []importer.SourceFile{{Name: "m.lkml", Text: []byte(text.String())}}, importer.Options{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{ModelText: result.Model})
	if err != nil {
		t.Fatal(err)
	}
	if views := e.Views(); len(views) != 150 {
		t.Errorf("%d views", len(views))
	}
}
