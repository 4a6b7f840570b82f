// Package plancases reads the cases of the corpus and plans their queries, for tests of the planner.
package plancases

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Case is a case of the corpus.
type Case struct {
	Name     string            // the folder and the file, without its suffix
	Sections map[string]string // the texts by their names
	catalog  *catalog.Catalog
}

// Read returns all cases. It skips the test in a module that was fetched by its version, which has none, and no workspace above it.
func Read(t *testing.T) []Case {
	t.Helper()
	testdata := filepath.Join(workspace(t), "integration", "testdata")
	files, err := filepath.Glob(filepath.Join(testdata, "cases", "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]*catalog.Catalog{} // of fixtures
	out := make([]Case, len(files))
	for i, path := range files {
		text := readFile(t, path)
		fixture, sections := split(text)
		name, _ := filepath.Rel(filepath.Join(testdata, "cases"), strings.TrimSuffix(path, ".txtar"))
		out[i] = Case{Name: filepath.ToSlash(name), Sections: sections}
		if model := sections["model.yaml"]; model != "" {
			out[i].catalog = compileModel(t, []byte(model))
			continue
		}
		if models[fixture] == nil {
			models[fixture] = compileModel(t, []byte(readFile(t, filepath.Join(testdata, "fixtures", fixture, "model.yaml"))))
		}
		out[i].catalog = models[fixture]
	}
	return out
}

// workspace returns the folder of the repository.
func workspace(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if filepath.Dir(dir) == dir {
			t.Skip("the cases belong to the repository, and this module is outside of it")
		}
		dir = filepath.Dir(dir)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// split returns the fixture and the sections of a case.
func split(text string) (fixture string, sections map[string]string) {
	sections = map[string]string{}
	section := ""
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		name, closed := strings.CutSuffix(name, " --")
		of, isFixture := strings.CutPrefix(line, "fixture: ")
		switch {
		case ok && closed:
			section = name
		case section != "":
			sections[section] += line
		case isFixture:
			fixture = strings.TrimSpace(of)
		}
	}
	return fixture, sections
}

func compileModel(t *testing.T, text []byte) *catalog.Catalog {
	t.Helper()
	cat, err := Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// Compile compiles a model that has no errors.
func Compile(text []byte) (*catalog.Catalog, error) {
	doc, err := modelspec.Parse(text)
	if err != nil {
		return nil, err
	}
	issues, err := modelspec.Validate(context.Background(), doc)
	if err != nil {
		return nil, err
	}
	if modelspec.HasErrors(issues) {
		return nil, errors.New(issues[0].Message)
	}
	return compile.Compile(context.Background(), doc, compile.Options{})
}

// Plan plans the query of the case for a target, whose dialect is that of the case, and explains the plan.
func (c Case) Plan(t *testing.T, target planner.Target) (string, error) {
	t.Helper()
	p := planner.New(c.catalog)
	var planned *planner.Planned
	var err error
	if body := c.Sections["query.json"]; body != "" {
		q, decodeErr := query.DecodeMetric([]byte(body))
		if decodeErr != nil {
			return "", decodeErr
		}
		target.Dialect, target.Rollups = cmp.Or(q.Dialect, "duckdb"), &plan.RollupTarget{Explains: true}
		planned, err = p.PlanMetrics(t.Context(), q, target)
	} else {
		q, decodeErr := query.DecodeDetail([]byte(c.Sections["select.json"]))
		if decodeErr != nil {
			return "", decodeErr
		}
		target.Dialect = cmp.Or(q.Dialect, "duckdb")
		planned, err = p.PlanDetail(t.Context(), q, target)
	}
	if err != nil {
		return "", err
	}
	if broken := plan.CheckTree(planned.Root); broken != nil {
		t.Errorf("%s: the plan is not one: %v", c.Name, broken)
	}
	return plan.Explain(planned.Root), nil
}
