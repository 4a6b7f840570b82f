package planner_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// The cases of the corpus are files beside this module in its repository. A module that
// was fetched by its version has none, and no workspace above it.
const (
	workspaceFile = "../go.work"
	casesDir      = "../integration/testdata/cases"
	fixturesDir   = "../integration/testdata/fixtures"
)

// leastCases is a floor under the cases that are planned: fewer mean that the files moved.
const leastCases = 920

// TestCases_ArePlannedAsTheyShow plans the query of every case of the corpus without an
// engine: the plan is that of plan.txt, and an error has the code of error.json.
func TestCases_ArePlannedAsTheyShow(t *testing.T) {
	if _, err := os.Stat(workspaceFile); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the cases belong to the repository, and this module is outside of it")
	}
	planned := 0
	for _, path := range caseFiles(t) {
		c := readCase(t, path)
		name, _ := filepath.Rel(casesDir, strings.TrimSuffix(path, ".txtar"))
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			got, err := c.plan(t)
			switch {
			case c["plan.txt"] != "":
				planned++
				if err != nil {
					t.Fatal(err)
				}
				if got != c["plan.txt"] {
					t.Errorf("plan\n%s\nwant\n%s", got, c["plan.txt"])
				}
			case err != nil:
				planned++
				c.checkCode(t, err)
			}
		})
	}
	if planned < leastCases {
		t.Errorf("%d cases are planned or refused as they show, want at least %d", planned, leastCases)
	}
}

func caseFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(casesDir, "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// caseFile is a case: the texts of its sections by their names, and "fixture" for the
// name of its fixture.
type caseFile map[string]string

func readCase(t *testing.T, path string) caseFile {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, section := caseFile{}, ""
	for line := range strings.Lines(string(text)) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		name, closed := strings.CutSuffix(name, " --")
		fixture, isFixture := strings.CutPrefix(line, "fixture: ")
		switch {
		case ok && closed:
			section = name
		case section != "":
			c[section] += line
		case isFixture:
			c["fixture"] = strings.TrimSpace(fixture)
		}
	}
	return c
}

// catalogs holds the model of each fixture, compiled once.
var catalogs sync.Map

func (c caseFile) catalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	if model := c["model.yaml"]; model != "" {
		return mustCompile(t, []byte(model))
	}
	path := filepath.Join(fixturesDir, c["fixture"], "model.yaml")
	if known, ok := catalogs.Load(path); ok {
		return known.(*catalog.Catalog)
	}
	model, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cat := mustCompile(t, model)
	catalogs.Store(path, cat)
	return cat
}

func mustCompile(t *testing.T, model []byte) *catalog.Catalog {
	t.Helper()
	cat, err := compileModel(model)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// plan plans the query of the case and explains the plan.
func (c caseFile) plan(t *testing.T) (string, error) {
	t.Helper()
	p := planner.New(c.catalog(t))
	var planned *planner.Planned
	var err error
	if body := c["query.json"]; body != "" {
		q, decodeErr := query.DecodeMetric([]byte(body))
		if decodeErr != nil {
			return "", decodeErr
		}
		planned, err = p.PlanMetrics(t.Context(), q, planner.Target{Dialect: cmp.Or(q.Dialect, "duckdb"), Rollups: new(plan.RollupTarget)})
	} else {
		q, decodeErr := query.DecodeDetail([]byte(c["select.json"]))
		if decodeErr != nil {
			return "", decodeErr
		}
		planned, err = p.PlanDetail(t.Context(), q, planner.Target{Dialect: cmp.Or(q.Dialect, "duckdb")})
	}
	if err != nil {
		return "", err
	}
	if broken := plan.CheckTree(planned.Root); broken != nil {
		t.Errorf("the plan is not one: %v", broken)
	}
	return plan.Explain(planned.Root), nil
}

// checkCode compares the code of an error with that of the case.
func (c caseFile) checkCode(t *testing.T, err error) {
	t.Helper()
	var want struct{ Code string }
	if err := json.Unmarshal([]byte(c["error.json"]), &want); err != nil {
		t.Fatal(err)
	}
	var got interface{ ErrorCode() string }
	if !errors.As(err, &got) || got.ErrorCode() != want.Code {
		t.Errorf("%v, want code %s", err, want.Code)
	}
}
