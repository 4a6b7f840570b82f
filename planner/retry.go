package planner

import (
	"encoding/json"
	"errors"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxRetrySteps is how many suggested retries may follow each other before a
// query must succeed.
const maxRetrySteps = 3

// settle prints an error's fragment into SuggestedRetry after trying it: the
// patched query must plan, or fail with a different code and settle within a
// few steps of its own fragments. A fragment that does not is dropped; words
// that the error may carry stay.
func settle(e *planerr.Error, q query.MetricQuery, plan func(*query.MetricQuery) error) {
	if !settles(e, q, plan, maxRetrySteps) {
		return
	}
	text, err := json.Marshal(e.Fragment)
	if err == nil {
		e.SuggestedRetry = string(text)
	}
}

func settles(e *planerr.Error, q query.MetricQuery, plan func(*query.MetricQuery) error, steps int) bool {
	if steps == 0 {
		return false
	}
	if e.Fragment == nil {
		return true // words: the caller decides
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
