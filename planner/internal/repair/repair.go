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

// maxErrorsFixedPerCode is how many errors of one code one retry fixes: each is found by planning
// the query with the fixes before it.
const maxErrorsFixedPerCode = 8

// patchableQuery is a query that fragments can be merged into.
type patchableQuery[Q any] interface {
	ApplyRetryFragment(fragment map[string]any) (Q, bool)
}

// PlanWithRetry plans a query. If planning fails with an error that suggests a retry, Plan
// verifies the suggestion.
func PlanWithRetry[Q patchableQuery[Q], P any](ctx context.Context, q *Q, plan func(*Q) (P, error)) (P, error) {
	planned, err := plan(q)
	if err == nil {
		return planned, nil
	}
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
// patched query must plan. If it fails with a different code, the fragment of that error is
// added, and so on for a few steps. Otherwise the fragment is dropped; a suggestion in
// words stays.
func verifySuggestion[Q patchableQuery[Q]](e *planerr.Error, q Q, plan func(*Q) error) {
	fragment, ok := findRepair(e, q, plan, maxRetrySteps)
	if !ok {
		return
	}
	if text, err := PrintFragment(fragment); err == nil {
		e.Fragment, e.SuggestedRetry = fragment, text
	}
}

// PrintFragment prints a part of a query as a caller would write it: comparisons
// in a condition stay readable.
func PrintFragment(fragment any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(fragment)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// findRepair returns the fragment that fixes an error, false if there is none. If the
// same error is in several places, a fragment fixes one of them, and findRepair adds the
// fragment of the next to it. If the fixed query has another error, findRepair adds the
// fragment of that one: one retry fixes them all. Only a retry that names another saved query
// stays that name: its parameters and keys are the caller's choice.
func findRepair[Q patchableQuery[Q]](e *planerr.Error, q Q, plan func(*Q) error, steps int) (fragment map[string]any, ok bool) {
	if steps == 0 {
		return nil, false
	}
	fragment = map[string]any{}
	next := e
	for range maxErrorsFixedPerCode {
		if next.Fragment == nil {
			return nil, false // a suggestion in words cannot be merged
		}
		maps.Copy(fragment, next.Fragment)
		patched, ok := q.ApplyRetryFragment(fragment)
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
			rest, ok := findRepair(next, patched, plan, steps-1)
			if e.Code != planerr.CodeUnknownSavedQuery {
				maps.Copy(fragment, rest)
			}
			return fragment, ok
		}
	}
	return nil, false
}
