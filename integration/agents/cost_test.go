package agents_test

import (
	"encoding/json"
	"log/slog"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// TestCost_FirstAnswers counts the bytes of the first answers of a conversation on models of several sizes: find and
// compatible. TestBudgets_HoldOnGeneratedModels of cmd/internal/mcp counts those of the list of tools and the instructions.
func TestCost_FirstAnswers(t *testing.T) {
	small := []byte(`{"version":"0.2.0.dev0","semantic_model":[{"name":"m","datasets":[{"name":"orders","source":"orders","fields":[
		{"name":"region","datatype":"String","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"region"}]}},
		{"name":"amount","datatype":"Decimal","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"amount"}]}}]}],
		"metrics":[{"name":"revenue","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"SUM(orders.amount)"}]}}]}]}`)
	clinic := subjects(t)[2].model
	for _, size := range []struct {
		name  string
		model []byte
	}{{"1", small}, {"200", amongOthers(clinic, 174)}, {"1000", amongOthers(clinic, 974)}} {
		t.Run(size.name, func(t *testing.T) {
			e, err := engine.Open(t.Context(), engine.Config{ModelText: size.model, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			found, err := e.Find(t.Context(), &query.FindQuery{Text: "revenue or turnover by region of the patient", Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			fits, err := e.CompatibleItems(t.Context(), &query.CompatibleQuery{MetricQuery: query.MetricQuery{Metrics: e.MetricNames()[:1]}})
			if err != nil {
				t.Fatal(err)
			}
			for name, answer := range map[string]any{"find": found, "compatible": fits} {
				text, err := json.Marshal(answer)
				if err != nil {
					t.Fatal(err)
				}
				t.Attr(name, strconv.Itoa(len(text)))
				if len(text) > 8000 {
					t.Errorf("%s has %d bytes", name, len(text))
				}
			}
		})
	}
}
