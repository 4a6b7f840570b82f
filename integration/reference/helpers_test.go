package reference_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner/query"
)

// null is how NULL is written in tables of these tests.
const null = "∅"

// fixture compiles the model of one of the corpus's fixtures.
func fixture(t *testing.T, name string) *reference.CompiledModel {
	t.Helper()
	text, err := os.ReadFile("../testdata/fixtures/" + name + "/model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, string(text))
}

func compiled(t *testing.T, text string) *reference.CompiledModel {
	t.Helper()
	m, err := reference.CompileModel(t.Context(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Catalog.Errors {
		t.Errorf("the model: %s: %s", e.Location, e.Message)
	}
	return m
}

// rows reads a table: names, then a line a row, cells apart by space.
func rows(text string) []reference.Row {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	names := strings.Fields(lines[0])
	var out []reference.Row
	for _, line := range lines[1:] {
		r := reference.Row{}
		for i, cell := range strings.Fields(line) {
			r[names[i]] = value(cell)
		}
		out = append(out, r)
	}
	return out
}

func value(cell string) reference.Value {
	if cell == null {
		return nil
	}
	if n, err := strconv.ParseFloat(cell, 64); err == nil {
		return n
	}
	if v, err := reference.ParseTime(cell); err == nil {
		return v
	}
	return cell
}

// world is a model with its data.
type world struct {
	model *reference.CompiledModel
	data  reference.Data
}

func (w world) ask(t *testing.T, body string) (*reference.Result, error) {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return reference.AnswerMetricQuery(w.model, w.data, q)
}

// answers holds a query against a table of cells apart by bars.
func (w world) answers(t *testing.T, body, want string) {
	t.Helper()
	got, err := w.ask(t, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	compareTable(t, body, got, want)
}

func compareTable(t *testing.T, body string, got *reference.Result, want string) {
	t.Helper()
	lines := []string{strings.Join(got.Columns, " | ")}
	for _, row := range got.Rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, show(v))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	var expected []string
	for line := range strings.Lines(strings.TrimSpace(want)) {
		expected = append(expected, strings.TrimSpace(line))
	}
	if diff := cmp.Diff(expected, lines); diff != "" {
		t.Errorf("%s (-want +got)\n%s", body, diff)
	}
}

func show(v reference.Value) string {
	switch v := v.(type) {
	case nil:
		return null
	case float64:
		return strconv.FormatFloat(v, 'g', 10, 64)
	}
	return reference.FormatValue(v)
}

// rejects holds a query against the causes to reject it.
func (w world) refuses(t *testing.T, body string, codes ...string) {
	t.Helper()
	got, err := w.ask(t, body)
	var refusal *reference.Rejection
	if !errors.As(err, &refusal) {
		t.Fatalf("%s: %v %v, want %v", body, got, err, codes)
	}
	if diff := cmp.Diff(codes, refusal.Must); diff != "" {
		t.Errorf("%s (-want +got)\n%s", body, diff)
	}
}

// details holds a detail query against a table of cells apart by bars.
func (w world) details(t *testing.T, body, want string) {
	t.Helper()
	q, err := query.DecodeDetail([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	got, err := reference.AnswerDetailQuery(w.model, w.data, q)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	compareTable(t, body, got, want)
}
