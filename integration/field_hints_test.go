package integration_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// TestHints_NameTheStoredValuesOnEveryEngine filters the hostile texts by spellings that no row has, and follows the
// suggested retry.
func TestHints_NameTheStoredValuesOnEveryEngine(t *testing.T) {
	for name, open := range openNotes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := open(t)
			named := 0
			for i, stored := range hostileBodies {
				asked := strings.ToUpper(stored)
				if asked == stored || strings.Contains(stored, "erger") || strings.Contains(stored, "ß") || len(stored) > 200 {
					continue // has no other case, or is like two stored values without case and marks
				}
				q := hintedQuery(t, e, asked)
				result, err := prepare.Rows(t.Context(), e, q)
				if err != nil {
					t.Fatalf("%q: %v", asked, err)
				}
				if len(result.Warnings) == 0 {
					if rows := noteCount(t, result); rows == int64(i+1) {
						continue // a collation without case
					}
					t.Errorf("%q: no warning in %s", asked, result.Rows)
					continue
				}
				w := result.Warnings[0]
				if w.Code != "filter_matched_nothing" || w.Field != "notes.body" || w.Value == nil || *w.Value != asked || len(w.Near) == 0 || w.Near[0] != stored {
					t.Errorf("%q: %+v", asked, w)
					continue
				}
				retry, err := query.DecodeMetric([]byte(w.SuggestedRetry))
				if err != nil {
					t.Errorf("%q: the retry %s: %v", asked, w.SuggestedRetry, err)
					continue
				}
				q.WhereSQL = retry.WhereSQL
				if result, err = prepare.Rows(t.Context(), e, q); err != nil || noteCount(t, result) != int64(i+1) || len(result.Warnings) > 0 {
					t.Errorf("%q: the retry %s gives %+v %v", asked, w.SuggestedRetry, result, err)
				}
				named++
			}
			if named < 5 && name != "mariadb" && name != "mysql" {
				t.Errorf("only %d spellings were named", named)
			}
			checkRangeHint(t, e)
		})
	}
}

// hintedQuery counts the notes of a body.
func hintedQuery(t *testing.T, e *engine.Engine, body string) *query.MetricQuery {
	t.Helper()
	q := &query.MetricQuery{Metrics: []string{"note_count"}, WhereSQL: "notes.body = " + sqlexpr.Format(&sqlexpr.String{Value: body}), Hints: new(true)}
	if len(e.Connections()) > 0 {
		q.Connection = "w"
	}
	return q
}

func noteCount(t *testing.T, r *engine.Result) int64 {
	t.Helper()
	var rows []struct {
		Count int64 `json:"note_count"`
	}
	if err := json.Unmarshal(r.Rows, &rows); err != nil || len(rows) != 1 {
		t.Fatalf("%s: %v", r.Rows, err)
	}
	return rows[0].Count
}

// checkRangeHint requests a time before all notes.
func checkRangeHint(t *testing.T, e *engine.Engine) {
	t.Helper()
	q := hintedQuery(t, e, "")
	q.WhereSQL = ""
	q.TimeRange = &query.TimeRange{End: "2001-01-01", Dimension: "notes.day"}
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"time_range_matched_nothing", "notes.day", "2024-01-10", "2024-04-10"}
	var got []string
	for _, w := range result.Warnings {
		got = append(got, w.Code, w.Field, w.Min, w.Max)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
