package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// steps is how many suggestions a client may have to follow.
const steps = 3

// settles follows the suggestions of an error: each JSON fragment, merged into
// the query, makes it compile or fail with another code, whose suggestion is
// followed in turn. It returns what is wrong, "" when nothing is.
func (s *subject) settles(ctx context.Context, asked asked, refusal error) string {
	body := asked.json()
	var codes []string
	trail := ""
	for {
		var plan *engine.PlanError
		if !errors.As(refusal, &plan) {
			return "" // an error of the model: no query helps
		}
		if len(codes) > 0 && codes[len(codes)-1] == plan.Code {
			return fmt.Sprintf("%s comes back at once%s", plan.Code, trail)
		}
		codes = append(codes, plan.Code)
		switch {
		case !strings.HasPrefix(plan.SuggestedRetry, "{") && len(codes) == 1:
			return "" // words
		case !strings.HasPrefix(plan.SuggestedRetry, "{"):
			return fmt.Sprintf("the suggestions end in %s, which has none%s", plan.Code, trail)
		case len(codes) > steps:
			return fmt.Sprintf("not settled after %d steps: %v%s", steps, codes, trail)
		}
		trail += "\n  " + plan.Code + " suggests " + plan.SuggestedRetry
		var err error
		if body, err = merged(body, plan.SuggestedRetry); err != nil {
			return err.Error() + trail
		}
		p, err := asked.plane().prepare(body)
		if err != nil {
			return fmt.Sprintf("the suggestion makes no query: %v%s", err, trail)
		}
		if _, refusal = p.compile(ctx, s.engine, ""); refusal == nil {
			return ""
		}
	}
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
