package modeldiff_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/modelspec/diff"
)

// model is one of the corpus with the bodies of its cases.
type model struct {
	name, text string
	queries    []engine.RequestLogEntry
}

func corpusModels(t *testing.T) []*model {
	t.Helper()
	all, err := corpus.LoadCases("../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]*model{}
	var out []*model
	for _, c := range all {
		name, text := c.Fixture, c.Section("model.yaml")
		if name == "" {
			name = c.Name
		} else if text == "" {
			file, err := os.ReadFile(filepath.Join("../testdata/fixtures", name, "model.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			text = string(file)
		}
		m := by[name+text]
		if m == nil {
			m = &model{name: name, text: text}
			by[name+text] = m
			out = append(out, m)
		}
		path := "/v1/query/compile"
		if c.IsDetail() {
			path = "/v1/select/compile"
		}
		m.queries = append(m.queries, engine.RequestLogEntry{Line: len(m.queries) + 1, Path: path, Body: []byte(c.QueryJSON())})
	}
	return out
}

func TestDiff_ModelEqualsItself(t *testing.T) {
	models := corpusModels(t)
	if len(models) < 60 {
		t.Fatalf("%d models of the corpus, want at least 60", len(models))
	}
	for _, m := range models {
		entries, err := engine.DiffModels(t.Context(), textOf(m.text), textOf(m.text), engine.DiffOptions{Queries: m.queries})
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) > 0 {
			t.Errorf("%s differs from itself: %s", m.name, show(entries))
		}
	}
}

// The laws of the package comment.
func TestDiff_LawsHoldForMutantsOfTheCorpus(t *testing.T) {
	models := corpusModels(t)
	per := 1
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		per = 60
	}
	counts := map[string]int{}
	for _, m := range models {
		name := fnv.New64a() // a new case leaves the mutants of other models as they are
		_, _ = name.Write([]byte(m.name))
		n := per
		if len(m.queries) > 5 {
			n *= 8
		}
		for seed := range n {
			rng := rand.New(rand.NewPCG(name.Sum64(), uint64(seed)))
			mutant, edit := mutate(rng, m.text)
			checkLaws(t, m, mutant, edit, counts)
		}
	}
	t.Logf("%v", counts)
	for _, class := range []string{"breaking", "changed", "compatible", "none"} {
		if counts[class] < 10 {
			t.Errorf("%d mutants are %s: too few to show anything", counts[class], class)
		}
	}
}

func checkLaws(t *testing.T, m *model, mutant, edit string, counts map[string]int) {
	t.Helper()
	ctx := t.Context()
	forward, err := engine.DiffModels(ctx, textOf(m.text), textOf(mutant), engine.DiffOptions{})
	if err != nil {
		return // the mutant is not YAML
	}
	backward, err := engine.DiffModels(ctx, textOf(mutant), textOf(m.text), engine.DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(mirrored(forward), plain(backward)); diff != "" {
		t.Errorf("%s\n%s\nno mirror:\n%s", m.name, edit, diff)
	}
	checkQueries(t, m, mutant, edit, forward, counts)
	swapped := &model{m.name, mutant, m.queries}
	checkQueries(t, swapped, m.text, "back from "+edit, backward, counts)
}

// checkQueries compiles the queries of a model on its mutant.
func checkQueries(t *testing.T, m *model, mutant, edit string, entries []diff.Entry, counts map[string]int) {
	t.Helper()
	worst := "none"
	if len(entries) > 0 {
		worst = string(entries[0].Class)
	}
	if counts[worst]++; worst == string(diff.ClassBreaking) {
		return
	}
	all, err := engine.DiffModels(t.Context(), textOf(m.text), textOf(mutant), engine.DiffOptions{Queries: m.queries})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Line == 0 || worst == string(diff.ClassChanged) && e.Class == diff.ClassChanged || e.Class == diff.ClassCompatible || isNameOfQueryTaken(e, m.queries[e.Line-1].Body, entries) {
			continue
		}
		t.Errorf("%s\n%s\nis %s, and a query is %s: %s\n%s\nold: %s\nnew: %s", m.name, edit, worst, e.Class, m.queries[e.Line-1].Body, show(entries), e.Old, e.New)
	}
}

// isNameOfQueryTaken reports whether a query is rejected because a new field has the name of a field that the query itself declares.
// No model promises that a name stays free, so that the new field is compatible all the same.
func isNameOfQueryTaken(e diff.Entry, body []byte, entries []diff.Entry) bool {
	return strings.HasPrefix(e.New, "duplicate_output_name: the dataset ") && strings.Contains(string(body), `"with"`) &&
		slices.ContainsFunc(entries, func(x diff.Entry) bool {
			_, field, _ := strings.Cut(x.Name, ".")
			return x.Object == "field" && x.Property == "added" && strings.Contains(e.New, "has the field "+field+" already")
		})
}

func textOf(text string) engine.ModelText {
	return engine.ModelText{Path: "model.yaml", Text: []byte(text)}
}

func show(entries []diff.Entry) string {
	text, _ := json.Marshal(entries)
	return string(text)
}

// plain returns what the mirror law compares.
func plain(entries []diff.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, fmt.Sprintf("%s %s %s %q %q", e.Object, strings.ToLower(e.Name), e.Property, e.Old, e.New))
	}
	slices.SortFunc(out, cmp.Compare[string])
	return out
}

func mirrored(entries []diff.Entry) []string {
	swapped := slices.Clone(entries)
	for i, e := range swapped {
		swapped[i].Old, swapped[i].New = e.New, e.Old
		switch e.Property {
		case "removed":
			swapped[i].Property = "added"
		case "added":
			swapped[i].Property = "removed"
		}
	}
	return plain(swapped)
}
