package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/planner/planerr"
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
	if last := part.Nodes[len(part.Nodes)-1]; last.ID != "metric:revenue" || last.Kind != lineage.KindMetric || len(part.Nodes) >= len(whole.Nodes) {
		t.Errorf("%d of %d nodes, the last %+v", len(part.Nodes), len(whole.Nodes), last)
	}
}

func TestLineage_UnknownMetricSuggests(t *testing.T) {
	_, err := shop(t).Lineage(t.Context(), "revenu")
	var plan *planerr.Error
	if !errors.As(err, &plan) || plan.Code != "unknown_metric" || !slices.Contains(plan.Candidates, "revenue") {
		t.Error(err)
	}
}
