package ossie_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/ossie"
)

func plansAll(context.Context, []byte) (map[string]string, error) { return nil, nil }

func importText(t *testing.T, text string, plan importer.PlanCheckFunc) (*importer.Result, error) {
	t.Helper()
	return ossie.Import(t.Context(), []importer.SourceFile{{Name: "sea.yaml", Text: []byte(text)}}, importer.Options{ModelName: "m"}, plan)
}

// entriesOf lists the entries that are not exact without a reason.
func entriesOf(result *importer.Result) []string {
	var out []string
	for _, e := range result.Entries {
		if e.Reason != "" {
			out = append(out, fmt.Sprintf("%d: %s %s %s: %s", e.Line, e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	return out
}

const field = "fields: [{name: deck, expression: {dialects: [{dialect: ANSI_SQL, expression: deck}]}}]"

func metric(name, text string) string {
	return "    - {name: " + name + ", expression: {dialects: [{dialect: ANSI_SQL, expression: '" + text + "'}]}}\n"
}

func TestImport_LiftsOlderDrafts(t *testing.T) {
	text := "# kept\nsemantic_model:\n  datasets:\n    - {name: ferries, source: ferries, " + field + "}  # one\n  metrics:\n" + metric("all_ferries", "COUNT(*)") + metric("seats", "SUM(seats)")
	result, err := importText(t, text, plansAll)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2: exact document key version: the document had no version",
		"2: exact document key name: the model had no name",
		"3: exact document key semantic_model: the model was not in a list",
		"4: exact field ferries.seats: it is declared: the metric seats names the column",
		"6: exact metric all_ferries: its COUNT(*) counts the rows of ferries",
	}
	if diff := cmp.Diff(want, entriesOf(result)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, part := range []string{"# kept\n", "# one", "version: 0.2.0.dev0\n", "  - name: m\n", `data: '{"v": "1.10", "dataset": "ferries"}'`, "# declared by semlayer fmt: the metric seats names the column"} {
		if !strings.Contains(string(result.Model), part) {
			t.Errorf("no %s in\n%s", part, result.Model)
		}
	}
	if result.HasLosses() {
		t.Error("a lifted document has losses")
	}
}

// What does not compile is dropped with what needs it, and the rest is a model.
func TestImport_DropsWhatDoesNotCompile(t *testing.T) {
	text := `version: 0.2.0.dev0
name: sea
datasets:
  - name: ferries
    source: ferries
    fields:
      - {name: deck, expression: {dialects: [{dialect: ANSI_SQL, expression: deck}]}}
      - {name: broken, expression: {dialects: [{dialect: ANSI_SQL, expression: 'deck +'}]}}
  - {name: empty, source: ""}
  - {name: harbours, source: harbours}
relationships:
  - {name: lost, from: ferries, to: nowhere, from_columns: [deck], to_columns: [deck]}
metrics:
` + metric("seats", "SUM(ferries.seats)") + metric("bad", "SUM(nowhere.x)") + metric("worse", "bad / 2") + metric("unplanned", "MAX(ferries.deck)") + metric("rows", "COUNT(*)")
	result, err := importText(t, text, func(_ context.Context, model []byte) (map[string]string, error) {
		if strings.Contains(string(model), "name: unplanned") {
			return map[string]string{"metrics.unplanned": "no query can have it"}, nil
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dropped := map[string]int{}
	for _, e := range result.Entries {
		if e.Outcome == importer.OutcomeDropped {
			dropped[e.Construct+" "+e.Name] = e.Line
		}
	}
	want := map[string]int{"field ferries.broken": 8, "dataset empty": 9, "relationship lost": 12, "metric bad": 15, "metric worse": 16, "metric unplanned": 17, "metric rows": 18}
	if diff := cmp.Diff(want, dropped); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	doc, err := modelspec.Parse(result.Model)
	if err != nil || len(doc.Models[0].Metrics) != 1 || len(doc.Models[0].Datasets) != 2 {
		t.Errorf("%v\n%s", err, result.Model)
	}
}

func TestImport_RefusesOtherTexts(t *testing.T) {
	for text, want := range map[string]string{
		"":              "sea.yaml: ",
		"- 1":           "sea.yaml: the document is not an object with a semantic_model",
		"a: [":          "sea.yaml:1: the file is not YAML",
		"a: 1\n---\nb:": "sea.yaml: the file has 2 documents, and a model is one",
		"version: 0.3.0\nname: m\ndatasets: [{name: a, source: a}]": "0.3.0",
		"semantic_model: 1":  "sea.yaml: the document has no semantic model",
		"semantic_model: []": "sea.yaml: the document has no semantic model",
		"openapi: 3.1.0":     "",
		"ontology: {a: b}":   "ontology",
		"semantic_model: {}": "",
	} {
		_, err := importText(t, text, plansAll)
		var refused *importer.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := ossie.Import(t.Context(), make([]importer.SourceFile, 2), importer.Options{}, plansAll); err == nil {
		t.Error("two files are imported")
	}
}

// A JSON document becomes YAML.
func TestImport_ReadsJSON(t *testing.T) {
	result, err := importText(t, `{"version": "0.1.0", "semantic_model": [{"name": "sea", "datasets": [{"name": "ferries", "source": "ferries"}],
  "metrics": [{"name": "seats", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(ferries.seats)"}]}}]}]}`, plansAll)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(result.Model); !strings.HasPrefix(text, "version: 0.2.0.dev0\nsemantic_model:\n  - name: sea\n") {
		t.Errorf("%s", text)
	}
}

// FuzzImport: any text is rejected with an error of the importer, or imported.
func FuzzImport(f *testing.F) {
	f.Add("version: 0.1.1\nsemantic_model:\n  name: m\n  datasets:\n    - {name: a, source: a, " + field + "}\n  metrics:\n" + metric("n", "COUNT(*)"))
	f.Add("version: 0.1.0\nsemantic_model:\n  name: m\nmetrics: 0")
	f.Add("version: 0.1.0\nsemantic_model:\n  name: m\n  datasets:\n  -")
	f.Add("name: m\ndatasets: &d [{name: a, source: a}]\nmetrics: *d")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := importText(t, text, plansAll)
		if refused := (*importer.Error)(nil); err != nil && !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
	})
}
