package statements

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// openEngine opens the engine of a case.
func openEngine(t *testing.T, c *corpus.Case) *engine.Engine {
	t.Helper()
	model, data := modelOfCase(t, c)
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: model, Setup: []string{data}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(c.Name, err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// executeQuery runs the query of a case.
func executeQuery(t *testing.T, e *engine.Engine, c *corpus.Case) (*engine.Result, error) {
	t.Helper()
	if body := c.Section("query.json"); body != "" {
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			return nil, err
		}
		return prepare.Rows(t.Context(), e, q)
	}
	q, err := query.DecodeDetail([]byte(c.Section("select.json")))
	if err != nil {
		return nil, err
	}
	return prepare.Rows(t.Context(), e, q)
}

// bytesOfRows returns the values of a result as its JSON writes them, a row in each text. Rows without an order are sorted.
func bytesOfRows(t *testing.T, r *engine.Result, ordered bool) []string {
	t.Helper()
	var rows []map[string]json.RawMessage
	if err := json.Unmarshal(r.Rows, &rows); err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		values := make([]string, len(r.Columns))
		for j, name := range r.Columns {
			values[j] = string(row[name])
		}
		out[i] = strings.Join(values, ",")
	}
	if !ordered {
		slices.Sort(out)
	}
	return out
}

// A statement whose meaning a query has answers the bytes of the query.
func TestBytes_StatementsAnswerTheBytesOfTheirQueries(t *testing.T) {
	cases, err := corpus.LoadCases("../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	engines, fixtures := map[string]*engine.Engine{}, map[string]*fixture{}
	t.Cleanup(func() {
		for _, f := range fixtures {
			_ = f.db.Close()
		}
	})
	compared, queries, different, rows := 0, 0, 0, 0
	for i, c := range cases {
		if !isLongForm() && i%2 == 0 {
			continue // TestCorpus_StatementsHaveTheRowsOfTheirQueries has it
		}
		if otherMeaning[c.Name] != "" || c.Section("error.json") != "" || len(c.Engines) > 0 && !slices.Contains(c.Engines, "duckdb") {
			continue
		}
		key := c.Fixture
		if c.Fixture == "" || c.Section("model.yaml") != "" {
			key = c.Name
		}
		if fixtures[key] == nil {
			fixtures[key] = openFixture(t, c)
		}
		q, ok := fixtures[key].spelled(t, c)
		if !ok {
			continue
		}
		if engines[key] == nil {
			engines[key] = openEngine(t, c)
		}
		result, err := executeQuery(t, engines[key], c)
		if err != nil {
			t.Fatal(c.Name, err)
		}
		want := bytesOfRows(t, result, q.ordered)
		queries, rows = queries+1, rows+len(want)
		for _, s := range q.statements {
			got, err := prepare.Rows(t.Context(), engines[key], &query.SQLStatement{SQL: s.SQL, Params: s.Params, ContextFilter: q.contextFilter})
			if err != nil {
				continue // the floor of compared ones counts it
			}
			compared++
			if answered := bytesOfRows(t, got, q.ordered); !slices.Equal(want, answered) {
				different++
				t.Errorf("%s (%s): %s\nquery     %.500q\nstatement %.500q", c.Name, s.Form, s.SQL, want, answered)
			}
		}
	}
	t.Attr("different", strconv.Itoa(different))
	t.Attr("rows", strconv.Itoa(rows))
	if isLongForm() {
		floor.CheckCount(t, "queries", queries, 600)
		floor.CheckCount(t, "compared", compared, 4000)
	} else {
		floor.CheckCount(t, "queries", queries, 270)
		floor.CheckCount(t, "compared", compared, 1800)
	}
}
