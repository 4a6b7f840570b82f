package integration_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxSteps returns the number of suggestions a client follows until the query works: one, and one more where the first error is
// in a key, because such a body is not planned.
func maxSteps(firstCode string) int {
	if firstCode == planerr.CodeUnknownQueryKey {
		return 2
	}
	return 1
}

// TestSuggestedRetry_LeadsToWorkingQuery follows every suggestion that is JSON: merged into
// the query it compiles and runs.
func TestSuggestedRetry_LeadsToWorkingQuery(t *testing.T) {
	followed, stuck := map[string]int{}, 0
	for _, c := range cases(t) {
		if !c.ExpectsError() {
			continue
		}
		settled := c.RunSubtest(t, func(t *testing.T) {
			dialect := "duckdb"
			if len(c.Dialects) > 0 {
				dialect = c.Dialects[0]
			}
			for _, code := range follow(t, c, dialect) {
				followed[code]++
			}
		})
		if !settled {
			stuck++
		}
	}
	suggestions := 0
	for _, n := range followed {
		suggestions += n
	}
	t.Attr("stuck", strconv.Itoa(stuck))
	floor.CheckCount(t, "suggestions", suggestions, 100)
	floor.CheckCount(t, "codes", len(followed), 25)
}

// follow returns the codes whose suggestions were followed to the end.
func follow(t *testing.T, c *corpus.Case, dialect string) (codes []string) {
	s := subjectOf(t, c)
	body := []byte(c.QueryJSON())
	for {
		q, _, err := s.compileFor(t.Context(), c, body, dialect, false)
		if err == nil {
			if dialect == "duckdb" {
				if _, err := q.execute(t.Context(), s); err != nil {
					t.Fatalf("the suggested query compiles and does not run: %v\n%s", err, body)
				}
			}
			return codes
		}
		got, err := wireError(err)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(codes, got.Code) {
			t.Fatalf("%s comes back after %v\n%s", got.Code, codes, body)
		}
		if codes = append(codes, got.Code); len(codes) > maxSteps(codes[0]) {
			t.Fatalf("not settled after %d steps: %v\n%s", maxSteps(codes[0]), codes, body)
		}
		if !strings.HasPrefix(got.SuggestedRetry, "{") {
			if len(codes) > 1 {
				t.Fatalf("the suggestions end in %s, which suggests nothing\n%s", got.Code, body)
			}
			return nil
		}
		if got.Code == planerr.CodeMetricInDetailQuery {
			compilesAsMetric(t, s, got.SuggestedRetry, dialect)
			return codes
		}
		body = merge(t, body, got.SuggestedRetry)
	}
}

// compilesAsMetric holds the one suggestion that is not part of the query but
// another query, of the metric plane.
func compilesAsMetric(t *testing.T, s *subject, body, dialect string) {
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Dialect = dialect
	if _, err := prepare.SQL(t.Context(), s.engine, q); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
}

// merge replaces whole top-level keys; null removes one.
func merge(t *testing.T, body []byte, fragment string) []byte {
	var query, patch map[string]json.RawMessage
	if err := json.Unmarshal(body, &query); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(fragment), &patch); err != nil {
		t.Fatalf("the suggestion is no JSON object: %s", fragment)
	}
	maps.Copy(query, patch)
	maps.DeleteFunc(query, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	merged, err := json.Marshal(query)
	if err != nil {
		t.Fatal(err)
	}
	return merged
}
