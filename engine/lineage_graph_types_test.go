package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

func TestLineage_OfModelOrMetric(t *testing.T) {
	e := shop(t)
	whole, err := e.Lineage(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	part, err := e.Lineage(t.Context(), "revenue")
	if err != nil {
		t.Fatal(err)
	}
	if last := part.Nodes[len(part.Nodes)-1]; last.ID != "metric:revenue" || last.Kind != engine.LineageKindMetric || len(part.Nodes) >= len(whole.Nodes) {
		t.Errorf("%d of %d nodes, the last %+v", len(part.Nodes), len(whole.Nodes), last)
	}
}

func TestLineage_UnknownMetricSuggests(t *testing.T) {
	_, err := shop(t).Lineage(t.Context(), "revenu")
	var plan *engine.PlanError
	if !errors.As(err, &plan) || plan.Code != "unknown_metric" || !slices.Contains(plan.Candidates, "revenue") {
		t.Error(err)
	}
}
