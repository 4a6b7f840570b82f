package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/semlayer/semlayer/planner/planerr"
)

// followRetry follows the suggestion of an error: a JSON fragment, merged into the query, makes it compile. It
// returns what is wrong, "" when nothing is.
func (s *subject) followRetry(ctx context.Context, asked planeQuery, refusal error) string {
	var plan *planerr.Error
	if !errors.As(refusal, &plan) || !strings.HasPrefix(plan.SuggestedRetry, "{") {
		return "" // an error of the model, which no query helps, or words
	}
	trail := plan.Code + " suggests " + plan.SuggestedRetry
	body, err := merged(asked.json(), plan.SuggestedRetry)
	if err != nil {
		return err.Error() + "\n  " + trail
	}
	p, err := asked.plane().prepare(body)
	if err != nil {
		return fmt.Sprintf("the suggestion makes no query: %v\n  %s", err, trail)
	}
	if _, err := p.compile(ctx, s.engine, ""); err != nil {
		return fmt.Sprintf("the suggestion leads to %v\n  %s", err, trail)
	}
	return ""
}

// merged replaces whole top-level keys; null removes one.
func merged(body, fragment string) (string, error) {
	var q, patch map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &q); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(fragment), &patch); err != nil {
		return "", fmt.Errorf("the suggestion is no JSON object: %s", fragment)
	}
	maps.Copy(q, patch)
	maps.DeleteFunc(q, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	text, err := json.Marshal(q)
	return string(text), err
}
