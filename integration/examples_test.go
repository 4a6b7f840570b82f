package integration_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

const examplesDir = "../examples"

// TestExamples_GiveShownRows loads, compiles and queries the example
// models: each query returns the rows that its file shows.
func TestExamples_GiveShownRows(t *testing.T) {
	models, err := filepath.Glob(filepath.Join(examplesDir, "*", "model.yaml"))
	if err != nil || len(models) < 7 {
		t.Fatalf("found %d example models: %v", len(models), err)
	}
	for _, model := range models {
		dir := filepath.Dir(model)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "data.sql"))
			if err != nil {
				t.Fatal(err)
			}
			e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: model, Setup: []string{string(data)}})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Close() }()
			questions, err := filepath.Glob(filepath.Join(dir, "questions", "*.txt"))
			if err != nil || len(questions) == 0 {
				t.Fatalf("no questions: %v", err)
			}
			for _, q := range questions {
				t.Run(strings.TrimSuffix(filepath.Base(q), ".txt"), func(t *testing.T) { ask(t, e, q) })
			}
		})
	}
}

// ask compares the rows in a question's file with those of the engine.
func ask(t *testing.T, e *engine.Engine, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	body, rows, ok := strings.Cut(string(text), "\n---\n")
	if !ok {
		t.Fatalf("%s has no line of three dashes", path)
	}
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.FromText(rows)
	if err != nil {
		t.Fatal(err)
	}
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.FromJSON(result.Columns, result.Rows)
	if err != nil {
		t.Fatal(err)
	}
	if diff := table.Diff(want, got, len(q.OrderBy) > 0); diff != "" {
		t.Errorf("%s\n%s", diff, result.SQL)
	}
}

// TestExamples_RetailIsTheDemo keeps the example and the bundled model one.
func TestExamples_RetailIsTheDemo(t *testing.T) {
	for example, bundled := range map[string]string{"model.yaml": "retail.yaml", "data.sql": "retail.sql"} {
		a, err := os.ReadFile(filepath.Join(examplesDir, "retail", example))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join("../cmd/internal/demo", bundled))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(b), string(a)); diff != "" {
			t.Errorf("examples/retail/%s and the bundled %s differ:\n%s", example, bundled, diff)
		}
	}
}
