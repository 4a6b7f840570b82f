package repair

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/semlayer/semlayer/planner/planerr"
)

// maxRetrySteps is how many suggested retries may follow each other before a
// query must succeed.
const maxRetrySteps = 3

// maxRepairsPerCode is how many errors of one code one retry fixes: each is found by planning
// the query with the fixes before it.
const maxRepairsPerCode = 8

// mergeable is a query that fragments can be merged into.
type mergeable[Q any] interface {
	With(fragment map[string]any) (Q, bool)
}

// Plan plans a query. If planning fails with an error that suggests a retry, Plan
// verifies the suggestion.
func Plan[Q mergeable[Q], P any](ctx context.Context, q *Q, plan func(*Q) (P, error)) (P, error) {
	planned, err := plan(q)
	var refused *planerr.Error
	if errors.As(err, &refused) && refused.Fragment != nil {
		verifySuggestion(refused, *q, func(patched *Q) error {
			_, err := plan(patched)
			return err
		})
		// A trial that the context cut short proves nothing.
		if late := ctx.Err(); late != nil {
			return planned, late
		}
	}
	return planned, err
}

// verifySuggestion prints an error's fragment into SuggestedRetry after it verified it: the
// patched query must plan, or fail with a different code whose own fragments lead to a
// query that plans within a few steps. Otherwise the fragment is dropped; a suggestion in
// words stays.
func verifySuggestion[Q mergeable[Q]](e *planerr.Error, q Q, plan func(*Q) error) {
	fragment, ok := findRepair(e, q, plan, maxRetrySteps)
	if !ok {
		return
	}
	if text, err := Text(fragment); err == nil {
		e.Fragment, e.SuggestedRetry = fragment, text
	}
}

// Text prints a part of a query as a caller would write it: comparisons
// in a condition stay readable.
func Text(fragment any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(fragment)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// findRepair returns the fragment that fixes an error, false if there is none. If the
// same error is in several places, a fragment fixes one of them, and findRepair adds the
// fragment of the next to it: one retry fixes them all.
func findRepair[Q mergeable[Q]](e *planerr.Error, q Q, plan func(*Q) error, steps int) (fragment map[string]any, ok bool) {
	if steps == 0 {
		return nil, false
	}
	fragment = map[string]any{}
	next := e
	for range maxRepairsPerCode {
		if next.Fragment == nil {
			return nil, false // a suggestion in words cannot be merged
		}
		maps.Copy(fragment, next.Fragment)
		patched, ok := q.With(fragment)
		if !ok {
			return nil, false
		}
		err := plan(&patched)
		if err == nil {
			return fragment, true
		}
		next = nil
		if !errors.As(err, &next) {
			return nil, false
		}
		if next.Code != e.Code {
			_, ok := findRepair(next, patched, plan, steps-1)
			return fragment, ok
		}
	}
	return nil, false
}
