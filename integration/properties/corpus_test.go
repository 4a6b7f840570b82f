package properties_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/planerr"
)

// world is a model over its data, as the reference and a database see it.
type world struct {
	model *reference.CompiledModel
	data  reference.Data
	db    executor.Executor
}

// TestReference_GivesCorpusRows holds the reference itself against
// answers that people wrote.
func TestReference_GivesCorpusRows(t *testing.T) {
	t.Parallel()
	all, err := corpus.LoadCases("../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	worlds := map[string]*world{}
	told := 0
	for _, c := range all {
		c.RunSubtest(t, func(t *testing.T) {
			if !c.RunsOnEngine("duckdb") || len(c.Dialects) > 0 && !slices.Contains(c.Dialects, "duckdb") {
				return
			}
			if answersLikeTheCorpus(t, c, worlds) {
				told++
			}
		})
	}
	for _, w := range worlds {
		if err := w.db.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Attr("cases", strconv.Itoa(len(all)))
	t.Attr("judged", strconv.Itoa(told))
	t.Attr("mismatches", strconv.Itoa(asInt(t.Failed())))
	if told < len(all)/2 {
		t.Errorf("the reference has an opinion on %d of %d cases only", told, len(all))
	}
}

func answersLikeTheCorpus(t *testing.T, c *corpus.Case, worlds map[string]*world) bool {
	on, kind := metricPlane, catalog.SavedKindMetrics
	if c.IsDetail() {
		on, kind = detailPlane, catalog.SavedKindDetail
	}
	if _, err := on.prepare(c.QueryJSON()); err != nil {
		return false // the reference does not judge texts that are not queries
	}
	w := worldOf(t, c, worlds)
	got, err := answerExpanded(w, on, kind, c.QueryJSON())
	var doubt *reference.Abstention
	var refusal *reference.Rejection
	switch {
	case errors.As(err, &doubt):
		t.Log(err)
		return false
	case c.ExpectsError():
		want, wantErr := c.ParseExpectedError()
		if wantErr != nil {
			t.Fatal(wantErr)
		}
		if want.Location != "" {
			return false // the reference adds the texts of a query to a model, whose codes and rules of names differ
		}
		if want.Code == planerr.CodeNoRollup {
			return false // the reference reads base tables
		}
		var codes []string
		if errors.As(err, &refusal) {
			codes = slices.Concat(refusal.Must, refusal.May)
		} else if err == nil {
			codes = got.May
		}
		if !slices.Contains(codes, want.Code) {
			t.Errorf("the corpus refuses this with %s, the reference says %v %v\n%s", want.Code, got, err, c.QueryJSON())
		}
		return true
	case err != nil:
		t.Errorf("the corpus answers this, the reference says %v\n%s", err, c.QueryJSON())
		return true
	}
	if diff := table.Diff(expected(t, c, w), tableOf(got), got.Ordered); diff != "" {
		t.Errorf("- is the answer of the corpus, + is the reference's\n%s\n%s", diff, c.QueryJSON())
	}
	if want := strings.TrimSpace(c.Section("total_rows.txt")); want != "" && want != strconv.Itoa(got.Total) {
		t.Errorf("the corpus has %s rows in all, the reference %d\n%s", want, got.Total, c.QueryJSON())
	}
	return true
}

// answerExpanded returns the rows of the reference for a request, which may name a saved query.
func answerExpanded(w *world, on plane, kind catalog.SavedQueryKind, request string) (*reference.Result, error) {
	body, err := reference.ExpandSavedQuery(w.model.Catalog, kind, []byte(request))
	if err != nil {
		return nil, err
	}
	p, err := on.prepare(string(body))
	if err != nil {
		return nil, err
	}
	return p.answer(w.model, w.data)
}

func expected(t *testing.T, c *corpus.Case, w *world) *table.Table {
	t.Helper()
	var want *table.Table
	var err error
	if text := c.Section("rows.txt"); text != "" {
		want, err = table.FromText(text)
	} else {
		want, err = queryTable(t.Context(), w.db, c.SectionForEngine("oracle", "duckdb"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return want
}

func worldOf(t *testing.T, c *corpus.Case, worlds map[string]*world) *world {
	t.Helper()
	key := c.Fixture
	if c.Section("model.yaml") != "" {
		key = "case " + c.Name
	}
	if w := worlds[key]; w != nil {
		return w
	}
	model, script := []byte(c.Section("model.yaml")), c.SectionForEngine("data", "duckdb")
	if c.Fixture != "" {
		dir := filepath.Join("../testdata/fixtures", c.Fixture)
		var err error
		if len(model) == 0 {
			if model, err = os.ReadFile(filepath.Join(dir, "model.yaml")); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "data.duckdb.sql"))
		if errors.Is(err, os.ErrNotExist) {
			text, err = os.ReadFile(filepath.Join(dir, "data.sql"))
		}
		if err != nil {
			t.Fatal(err)
		}
		script = string(text)
	}
	known, err := reference.CompileModel(t.Context(), model)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{model: known}
	if w.db, err = duckdb.Open(t.Context(), duckdb.Options{Setup: []string{script}, Connections: 1}); err != nil {
		t.Fatal(err)
	}
	if w.data, err = tables(t.Context(), w.db, w.model.Catalog); err != nil {
		t.Fatal(err)
	}
	worlds[key] = w
	return w
}
