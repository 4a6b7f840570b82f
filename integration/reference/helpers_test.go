package reference_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/query"
)

// null is how NULL is written in tables of these tests.
const null = "∅"

// fixture compiles the model of one of the corpus's fixtures.
func fixture(t *testing.T, name string) *catalog.Catalog {
	t.Helper()
	text, err := os.ReadFile("../testdata/fixtures/" + name + "/model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, string(text))
}

func compiled(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cat := compile.Compile(doc, compile.Options{})
	for _, e := range cat.Errors {
		t.Errorf("the model: %s: %s", e.Location, e.Message)
	}
	return cat
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
	cat  *catalog.Catalog
	data reference.Data
}

func (w world) ask(t *testing.T, body string) (*reference.Result, error) {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return reference.Metrics(w.cat, w.data, q)
}

// answers holds a query against a table of cells apart by bars.
func (w world) answers(t *testing.T, body, want string) {
	t.Helper()
	got, err := w.ask(t, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
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
	return reference.Text(v)
}

// refuses holds a query against the one cause to refuse it.
func (w world) refuses(t *testing.T, body, code string) {
	t.Helper()
	got, err := w.ask(t, body)
	var refusal *reference.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("%s: %v %v, want %s", body, got, err, code)
	}
	if diff := cmp.Diff([]string{code}, refusal.Must); diff != "" {
		t.Errorf("%s (-want +got)\n%s", body, diff)
	}
}

// model writes a model of datasets, relationships and metrics in one line each:
//
//	orders(order_id! Integer, day Date)      a dataset, its keys marked
//	orders.customer_id -> customers.id       a relationship named orders_customers
//	total: SUM(orders.amount) {…}            a metric with its extension
func model(text string) string {
	var datasets, relationships, metrics []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, " -> "):
			relationships = append(relationships, relationship(line))
		case strings.Contains(line, ": "):
			metrics = append(metrics, metric(line))
		case line != "":
			datasets = append(datasets, dataset(line))
		}
	}
	out := "version: 0.2.0.dev0\nsemantic_model:\n- name: m\n  datasets:\n" + strings.Join(datasets, "")
	if len(relationships) > 0 {
		out += "  relationships:\n" + strings.Join(relationships, "")
	}
	return out + "  metrics:\n" + strings.Join(metrics, "")
}

func dataset(line string) string {
	name, rest, _ := strings.Cut(strings.TrimSuffix(line, ")"), "(")
	var keys, fields []string
	for _, f := range strings.Split(rest, ", ") {
		column, datatype, _ := strings.Cut(f, " ")
		column, isKey := strings.CutSuffix(column, "!")
		if isKey {
			keys = append(keys, column)
		}
		fields = append(fields, fmt.Sprintf("    - {name: %s, datatype: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", column, datatype, column))
	}
	return fmt.Sprintf("  - name: %s\n    source: %s\n    primary_key: [%s]\n    fields:\n%s", name, name, strings.Join(keys, ", "), strings.Join(fields, ""))
}

func relationship(line string) string {
	from, to, _ := strings.Cut(line, " -> ")
	to, payload, _ := strings.Cut(to, " ")
	a, x, _ := strings.Cut(from, ".")
	b, y, _ := strings.Cut(to, ".")
	return fmt.Sprintf("  - {name: %s_%s, from: %s, to: %s, from_columns: [%s], to_columns: [%s]%s}\n", a, b, a, b, x, y, extended(payload))
}

func metric(line string) string {
	name, rest, _ := strings.Cut(line, ": ")
	expression, payload, _ := strings.Cut(rest, " {")
	if payload != "" {
		payload = "{" + payload
	}
	return fmt.Sprintf("  - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %q}]}%s}\n", name, expression, extended(payload))
}

func extended(payload string) string {
	if payload == "" {
		return ""
	}
	return ", custom_extensions: [{vendor_name: SEMLAYER, data: '" + strings.ReplaceAll(strings.Replace(payload, "{", `{"v":"1.9",`, 1), "'", "''") + "'}]"
}
