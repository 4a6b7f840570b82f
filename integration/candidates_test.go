package integration_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner/query"
)

type object = map[string]any

// TestTimeRange_CandidateDimensionsWork asks of every fixture for a range over
// a field that is not a time dimension, and replaces it by each name that the error offers. A
// field of another type would only be rejected next.
func TestTimeRange_CandidateDimensionsWork(t *testing.T) {
	offered := 0
	for _, fixture := range fixtures(t) {
		t.Run(fixture, func(t *testing.T) {
			s := subjectOf(t, &corpus.Case{Fixture: fixture})
			cat := catalogOf(t, fixture)
			for i, m := range cat.Metrics {
				offered += countCandidates(t, s, object{"metrics": []string{m.Name}})
				if i > 0 { // two homes, where they have different ones
					offered += countCandidates(t, s, object{"metrics": []string{cat.Metrics[0].Name, m.Name}})
				}
			}
			for _, d := range cat.Datasets {
				offered += countCandidates(t, s, object{"from": d.Name, "fields": []string{d.Fields[0].Name}})
			}
		})
	}
	if offered < 100 {
		t.Errorf("only %d names were offered", offered)
	}
	t.Attr("candidates", strconv.Itoa(offered))
}

// countCandidates follows every candidate for one query, and returns their number.
func countCandidates(t *testing.T, s *subject, asked object) int {
	t.Helper()
	ask := func() (corpus.WireError, bool) {
		var failed error
		body, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		if asked["from"] != nil {
			q, err := query.DecodeDetail(body)
			if err != nil {
				t.Fatal(err)
			}
			_, failed = prepare.SQL(t.Context(), s.engine, q)
		} else {
			q, err := query.DecodeMetric(body)
			if err != nil {
				t.Fatal(err)
			}
			_, failed = prepare.SQL(t.Context(), s.engine, q)
		}
		if failed == nil {
			return corpus.WireError{}, true
		}
		w, err := wireError(failed)
		if err != nil {
			t.Fatal(err)
		}
		return w, false
	}
	if _, ok := ask(); !ok {
		return 0 // for another reason
	}
	over := func(dimension string) { asked["time_range"] = object{"start": "2024-01-01", "dimension": dimension} }
	over("no_such_field")
	refused, ok := ask()
	if ok || refused.Code != "unknown_dimension" {
		t.Fatalf("%v: %+v", asked, refused)
	}
	for _, name := range refused.Candidates {
		over(name)
		if again, ok := ask(); !ok {
			t.Errorf("%v: %s is offered and refused: %s: %s", asked, name, again.Code, again.Message)
		}
	}
	return len(refused.Candidates)
}

func fixtures(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(fixturesDir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(fixturesDir, e.Name(), "data.sql")); err == nil {
			out = append(out, e.Name())
		}
	}
	return out
}

func catalogOf(t *testing.T, fixture string) *catalog.Catalog {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(fixturesDir, fixture, "model.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := modelspec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return cat
}
