package planner_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const patternModel = `version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [order_id]
        fields:
          - {name: order_id, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}, datatype: Integer}
          - {name: city, expression: {dialects: [{dialect: ANSI_SQL, expression: city}]}, datatype: String}
    metrics:
      - {name: order_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.order_id)}]}}
      - name: matching
        expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(CASE WHEN orders.city LIKE 'a%' THEN orders.order_id END)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "order_count", "where": "orders.city LIKE :pattern"}, "params": [{"name": "pattern", "type": "string", "default": "a%"}]}'}]
`

func TestParams_PatternHasTheBoundsOfAConditionsPattern(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(path, []byte(patternModel), 0o600); err != nil {
		t.Fatal(err)
	}
	cat, err := loadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	plan := func(params string) error {
		q, err := query.DecodeMetric([]byte(`{"metrics":["matching"],"params":` + params + `}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = planner.New(cat).PlanMetrics(t.Context(), q, duckdb)
		return err
	}
	bound := func(pattern string) error { return plan(`{"pattern":"` + pattern + `"}`) }
	for _, pattern := range []string{strings.Repeat("x", 1024), strings.Repeat("%x", 32)} {
		if err := bound(pattern); err != nil {
			t.Errorf("%.10s: %v", pattern, err)
		}
		err := bound(pattern + "%")
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != "param_out_of_domain" || !strings.HasPrefix(refused.Message, "with the value of pattern, the pattern of LIKE ") {
			t.Errorf("%.10s and one more: %v", pattern, err)
			continue
		}
		var fragment struct{ Params json.RawMessage }
		if err := json.Unmarshal([]byte(refused.SuggestedRetry), &fragment); err != nil {
			t.Errorf("%q: %v", refused.SuggestedRetry, err)
		} else if err := plan(string(fragment.Params)); err != nil {
			t.Errorf("the retry %s: %v", refused.SuggestedRetry, err)
		}
	}
}
