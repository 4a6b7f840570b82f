package planner

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/semlayer/semlayer/planner/planerr"
)

// maxRetrySteps is how many suggested retries may follow each other before a
// query must succeed.
const maxRetrySteps = 3

// patchable is a query that fragments can be merged into.
type patchable[Q any] interface {
	With(fragment map[string]any) (Q, bool)
}

// settled plans a query; when that is refused and there is something to try
// instead, it tries that too.
func settled[Q patchable[Q], P any](ctx context.Context, q *Q, plan func(*Q) (P, error)) (P, error) {
	planned, err := plan(q)
	var refused *planerr.Error
	if errors.As(err, &refused) && refused.Fragment != nil {
		settle(refused, *q, func(patched *Q) error {
			_, err := plan(patched)
			return err
		})
		// What was not tried to its end says nothing.
		if late := ctx.Err(); late != nil {
			return planned, late
		}
	}
	return planned, err
}

// settle prints an error's fragment into SuggestedRetry after trying it: the
// patched query must plan, or fail with a different code and settle within a
// few steps of its own fragments. A fragment that does not is dropped; words
// that the error may carry stay.
func settle[Q patchable[Q]](e *planerr.Error, q Q, plan func(*Q) error) {
	if !settles(e, q, plan, maxRetrySteps) {
		return
	}
	if text, err := fragmentText(e.Fragment); err == nil {
		e.SuggestedRetry = text
	}
}

// fragmentText prints a part of a query as a caller would write it: comparisons
// in a condition stay readable.
func fragmentText(fragment any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(fragment)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func settles[Q patchable[Q]](e *planerr.Error, q Q, plan func(*Q) error, steps int) bool {
	if steps == 0 {
		return false
	}
	if e.Fragment == nil {
		return false // words leave the caller where he is
	}
	patched, ok := q.With(e.Fragment)
	if !ok {
		return false
	}
	err := plan(&patched)
	if err == nil {
		return true
	}
	var next *planerr.Error
	if !errors.As(err, &next) || next.Code == e.Code {
		return false
	}
	return settles(next, patched, plan, steps-1)
}
