package layering_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
	"github.com/semlayer/semlayer/tools/workspace"
)

const prefix = "github.com/semlayer/semlayer"

func loadRepository(t *testing.T) *workspace.Workspace {
	t.Helper()
	root, err := workspace.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestLayers_ImportsAllowed(t *testing.T) {
	violations, err := layering.CheckImports(loadRepository(t), prefix, layering.ModuleRules())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Error(v)
	}
}

// The cases run against the repository's real module list and rules: a file is
// planted in an empty copy of the module's folder.
func TestCheck_RejectsWithReason(t *testing.T) {
	for _, tc := range []struct {
		file, imported string
		reason         string // a part of it; "" when the import is allowed
	}{
		{"sqlemit/a.go", "executor", "SQL text is its whole product"},
		{"sqlemit/a.go", "executor/duck", "SQL text is its whole product"},
		{"sqlemit/a.go", "modelspec/catalog", "names are resolved before"},
		{"sqlemit/a.go", "planner/query", "must not change its SQL"},
		{"sqlemit/a.go", "modelspec/sqlexpr", ""},
		{"sqlemit/a.go", "planner/plan", ""},
		{"sqlemit/a_test.go", "planner/query", ""},
		{"sqlemit/a_test.go", "executor", "SQL text is its whole product"},
		{"sqlemit/sub/a.go", "sqlemit/internal/b", ""},
		{"semsql/a.go", "planner/query", ""},
		{"semsql/a.go", "semsql/parse", ""},
		{"semsql/a.go", "sqlemit", "semsql must not know dialects"},
		{"semsql/a.go", "executor", "mapping touches no warehouse"},
		{"semsql/parse/a.go", "modelspec/sqlexpr", ""},
		{"semsql/parse/a.go", "semsql", "syntax is known without a model"},
		{"modelspec/a.go", "planner", "modelspec imports nothing of ours"},
		{"modelspec/a_test.go", "planner", "modelspec imports nothing of ours"},
		{"planner/a.go", "sqlemit", "not the dialect itself"},
		{"planner/a.go", "engine", "planner uses modelspec only"},
		{"planner/a.go", "planner/internal/detail", ""},
		{"planner/internal/metric/a.go", "planner/internal/detail", "neither records nor attributions"},
		{"planner/internal/metric/a.go", "planner/internal/attribute", "neither records nor attributions"},
		{"planner/internal/metric/a.go", "planner/internal/window", ""},
		{"planner/internal/branch/a.go", "planner/internal/grouping", "one way down"},
		{"planner/internal/window/a.go", "planner/internal/refine", "one way down"},
		{"planner/internal/scope/a.go", "planner/internal/measure", "one way down"},
		{"planner/internal/metric/a_test.go", "planner/internal/detail", ""},
		{"planner/internal/detail/a.go", "planner/internal/attribute", "never attributions"},
		{"planner/internal/attribute/a.go", "planner/internal/detail", "neither records"},
		{"planner/internal/timerange/a.go", "planner/internal/metric", "ground that the planes share"},
		{"planner/plan/a.go", "planner/query", "values that other modules read"},
		{"planner/internal/repair/a.go", "planner/internal/metric", "it imports no plane"},
		{"planner/attribution/a.go", "planner/query", "no queries and no plans"},
		{"planner/internal/other/a.go", "planner/plan", "the package has no rule"},
		{"executor/a.go", "modelspec", "executor imports the reader of documents, the limits of inputs"},
		{"executor/a.go", "modelspec/document", ""},
		{"engine/a.go", "restapi", "never the reverse"},
		{"engine/a.go", "sqlemit", ""},
		{"restapi/a.go", "planner/query", ""},
		{"restapi/a.go", "planner", "the engine is the one door"},
		{"pgwire/a.go", "semsql", "the engine is the one door"},
		{"cmd/semlayer/main.go", "planner/planerr", ""},
		{"cmd/semlayer/main.go", "planner/plan", "the engine is the one door"},
		{"cmd/semlayer/main.go", "executor", "cmd: engine, restapi and pgwire"},
		{"clients/go/a.go", "engine", "without our packages"},
		{"engine/a.go", "integration/cases", "could not be fetched"},
		{"engine/a_test.go", "tools/workspace", "could not be fetched"},
		{"integration/a.go", "executor", ""},

		{"modelspec/a.go", "go.yaml.in/yaml/v3", ""},
		{"modelspec/a.go", "github.com/spf13/viper", "drivers never leak"},
		{"modelspec/a.go", "github.com/google/go-cmp/cmp", "drivers never leak"},
		{"modelspec/a_test.go", "github.com/google/go-cmp/cmp", ""},
		{"planner/a.go", "go.yaml.in/yaml/v3", "drivers never leak"},
		{"sqlemit/a_test.go", "github.com/duckdb/duckdb-go/v2", "drivers never leak"},
		{"executor/a.go", "github.com/jackc/pgx/v5", ""},
		{"executor/a.go", "github.com/gofiber/fiber/v2", "lives in restapi"},
		{"executor/a.go", "gopkg.in/yaml.v3", "is not maintained"},
		{"tools/a.go", "gopkg.in/yaml.v3", "is not maintained"},
		{"engine/a.go", "github.com/apache/arrow-go/v18/arrow", ""},
		{"engine/a.go", "github.com/jackc/pgx/v5/pgxpool", "belong to executor"},
		{"restapi/a.go", "github.com/gofiber/fiber/v2", ""},
		{"restapi/a_test.go", "github.com/duckdb/duckdb-go/v2", "belong to executor"},
		{"restapi/a.go", "github.com/spf13/cobra", "lives in cmd"},
		{"cmd/a.go", "github.com/spf13/cobra", ""},
		{"clients/go/a.go", "github.com/apache/arrow-go/v18/arrow", "standard library only"},

		{"planner/a.go", "net/http/httptest", "opens no connection"},
		{"planner/a.go", "net/url", ""},
		{"planner/a_test.go", "net/http", ""},
		{"modelspec/a.go", "C", "stays pure Go"},
		{"engine/a.go", "net/http", "belong to restapi"},
		{"engine/a.go", "errors", ""},
	} {
		t.Run(tc.file+" imports "+tc.imported, func(t *testing.T) {
			w := loadRepository(t)
			w.Root = t.TempDir()
			for _, m := range w.Modules {
				mkdir(t, w.AbsModuleDir(m))
			}
			imported := tc.imported
			for _, m := range w.Modules {
				if imported == m.Dir || strings.HasPrefix(imported, m.Dir+"/") {
					imported = prefix + "/" + tc.imported
					break
				}
			}
			writeFile(t, w.Root, tc.file, "package a\n\nimport _ \""+imported+"\"\n")

			got, err := layering.CheckImports(w, prefix, layering.ModuleRules())
			if err != nil {
				t.Fatal(err)
			}
			if tc.reason == "" {
				if len(got) != 0 {
					t.Errorf("refused: %v", got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("%d violations, want one", len(got))
			}
			where := layering.ImportViolation{File: tc.file, Line: 3, Import: imported, Reason: got[0].Reason}
			if diff := cmp.Diff(where, got[0]); diff != "" {
				t.Errorf("violation (-want +got):\n%s", diff)
			}
			if !strings.Contains(got[0].Reason, tc.reason) {
				t.Errorf("reason %q does not say %q", got[0].Reason, tc.reason)
			}
		})
	}
}

func TestCheck_SkipsTestdataAndNestedModules(t *testing.T) {
	w := loadRepository(t)
	w.Root = t.TempDir()
	for _, m := range w.Modules {
		mkdir(t, w.AbsModuleDir(m))
	}
	const bad = "package a\n\nimport _ \"" + prefix + "/executor\"\n"
	writeFile(t, w.Root, "planner/testdata/a.go", bad)
	writeFile(t, w.Root, "planner/_old/a.go", bad)
	writeFile(t, w.Root, "planner/other/go.mod", "module example.com/other\n")
	writeFile(t, w.Root, "planner/other/a.go", bad)
	got, err := layering.CheckImports(w, prefix, layering.ModuleRules())
	if err != nil || len(got) != 0 {
		t.Errorf("Check = %v, %v; want nothing", got, err)
	}
}

func TestCheck_NeedsRulePerModule(t *testing.T) {
	rules := layering.ModuleRules()[1:]
	if _, err := layering.CheckImports(loadRepository(t), prefix, rules); err == nil || !strings.Contains(err.Error(), "modelspec") {
		t.Errorf("error = %v; want one that names modelspec", err)
	}
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	mkdir(t, filepath.Dir(full))
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
