package access

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// A revealed metric shows its values, and nothing of what it is made of.
func TestReveal_ShowsNoParts(t *testing.T) {
	policies := strings.Replace(hiddenAmountPolicies, "metrics: all", "metrics: all\n    reveal: [avg_order_value, customers.lifetime_value]", 1)
	e := openWith(t, engines["duckdb"](t), policies, lifetimeValue...)
	reader, err := as(t, e, policies, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	attribution, err := query.DecodeAttribute([]byte(`{"metric":"avg_order_value","dimensions":["orders.status"],
		"baseline":{"start":"2024-02-01","end":"2024-03-01"},"current":{"start":"2024-03-01","end":"2024-04-01"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string]any{
		"metrics":     orError(reader.Metrics(t.Context())),
		"definition":  orError(reader.MetricDefinition(t.Context(), "avg_order_value")),
		"datasets":    reader.Datasets(),
		"lineage":     orError(reader.Lineage(t.Context(), "")),
		"of metric":   orError(reader.Lineage(t.Context(), "avg_order_value")),
		"attribution": orError(reader.Attribute(t.Context(), attribution)),
	} {
		text := textOf(t, answer)
		if strings.Contains(text, "amount") {
			t.Errorf("%s names the hidden field: %s", name, text)
		}
	}
}

// A rollup that does not serve a revealed metric reports so without the aggregates, the conditions and the levels of detail in it.
func TestReveal_ShowsNoPartsInReportsOfRollups(t *testing.T) {
	policies := strings.Replace(hiddenAmountPolicies, "metrics: all", "metrics: all\n    reveal: [avg_order_value, lifetime, revenue_mom]", 1)
	replacements := append([]string{"    metrics:\n", `    custom_extensions:
      - vendor_name: SEMLAYER
        data: >-
          {"v": "1.10", "rollups": [{"name": "counts", "of": "orders", "source": "counts", "group_by": [{"field": "orders.status", "column": "status"}], "measures": [{"expression": "COUNT(orders.order_id)", "column": "n"}]},
            {"name": "people", "of": "customers", "source": "people", "group_by": [{"field": "customers.region", "column": "region"}], "measures": [{"expression": "COUNT(customers.customer_id)", "column": "n"}]}]}
    metrics:
      - {name: lifetime, expression: {dialects: [{dialect: ANSI_SQL, expression: AVG(customers.lifetime_value)}]}}
`}, lifetimeValue...)
	e := openWith(t, engines["duckdb"](t), policies, replacements...)
	reader, err := as(t, e, policies, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`{"metrics":["avg_order_value"]}`, `{"metrics":["avg_order_value"],"group_by":[{"field":"orders.status"}]}`, `{"metrics":["lifetime"]}`, `{"metrics":["lifetime"],"group_by":[{"field":"customers.region"}]}`,
		`{"metrics":["revenue_mom"],"group_by":[{"field":"metric_time","grain":"month"}]}`, `{"metrics":["avg_order_value"],"rollups":"only"}`, `{"metrics":["lifetime"],"rollups":"only"}`,
	} {
		compiled, err := prepare.SQL(t.Context(), reader, decode(t, body))
		text := textOf(t, orError(compiled, err))
		if !strings.Contains(text, "counts") && !strings.Contains(text, "people") {
			t.Errorf("%s has no report: %s", body, text)
		}
		if strings.Contains(text, "amount") || strings.Contains(text, "lifetime_value") {
			t.Errorf("%s names what is hidden: %s", body, text)
		}
	}
}

func TestReveal_IsJudged(t *testing.T) {
	for reveal, want := range map[string]string{
		"revenues":            "unknown_metric",
		"shop.lifetime_value": "unknown_dataset",
		"customers.lifetime":  "unknown_field",
		"customers.region":    "invalid_policy", // no level of detail
		"product_cost":        "invalid_policy", // over a dataset that the role does not grant
	} {
		_, err := engine.Open(t.Context(), engine.Config{
			ModelText: []byte(read(t, fixture+"model.yaml")), PoliciesPath: "policies.yaml",
			PoliciesText: []byte(strings.Replace(hiddenAmountPolicies, "metrics: all", "metrics: all\n    reveal: ["+reveal+"]", 1)),
		})
		if codeOf(err) != want {
			t.Errorf("%s: %v, want %s", reveal, err, want)
		}
	}
}
