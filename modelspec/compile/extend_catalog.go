package compile

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// ExtendCatalog returns a catalog with the fields and metrics of one query added to a model's, which
// stays as it is. They are compiled as those of a model are, from texts that come from outside:
// each is parsed within the limits of a condition. A field may name fields before it, and a metric
// all fields and the metrics before it. It costs what they cost; the size of the model does not count.
//
// The error is a *modelspec.CompileError at its location in the query, or that of an object of the
// model that a text names.
func ExtendCatalog(ctx context.Context, cat *catalog.Catalog, fields []QueryField, metrics []QueryMetric) (*catalog.Catalog, error) {
	out := cat.ExtendForQuery()
	c := &compiler{
		ctx: ctx, cat: out, extends: true, measures: newUniqueMeasureTable(), ranking: suggest.NewRankingBudget(candidateRankingBudget),
		byName: map[string]*datasetInProgress{}, byMetric: map[string]*metricInProgress{},
	}
	c.measures.model = cat
	for _, f := range fields {
		if err := c.addQueryField(f); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, m := range metrics {
		if err := c.addQueryMetric(m); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, m := range c.measures.list {
		c.nameMeasure(m)
	}
	return out, nil
}
