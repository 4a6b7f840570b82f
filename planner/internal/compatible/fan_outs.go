package compatible

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/query"
)

// fanOuts finds the datasets whose rows a query may join with several rows of a home.
type fanOuts struct {
	catalog  *catalog.Catalog
	query    *query.MetricQuery
	up, down map[*catalog.Dataset][]*catalog.Dataset
	fanned   map[*catalog.Dataset]map[*catalog.Dataset]bool
}

// queryAllowsFanOut reports whether a query allows to join the rows of a home with several of another dataset.
func queryAllowsFanOut(q *query.MetricQuery, h metric.HomeDataset) bool {
	return !h.DuplicateSensitive || q.FanOut != ""
}

// areForbidden reports whether no dataset connects a home with another dataset in a way that the query
// allows.
func (fo *fanOuts) areForbidden(h metric.HomeDataset, d *catalog.Dataset) bool {
	if !queryAllowsFanOut(fo.query, h) {
		return true
	}
	fanned, ok := fo.fanned[h.Dataset]
	if !ok {
		fanned = fo.datasetsReachedFromSameDataset(h.Dataset)
		fo.fanned[h.Dataset] = fanned
	}
	return !fanned[d]
}

// datasetsReachedFromSameDataset lists the datasets that share with home a dataset that leads to both in declared directions.
func (fo *fanOuts) datasetsReachedFromSameDataset(home *catalog.Dataset) map[*catalog.Dataset]bool {
	if fo.up == nil {
		fo.up, fo.down = map[*catalog.Dataset][]*catalog.Dataset{}, map[*catalog.Dataset][]*catalog.Dataset{}
		for _, r := range fo.catalog.Relationships {
			fo.down[r.From] = append(fo.down[r.From], r.To)
			fo.up[r.To] = append(fo.up[r.To], r.From)
		}
	}
	closure := func(from []*catalog.Dataset, edges map[*catalog.Dataset][]*catalog.Dataset) map[*catalog.Dataset]bool {
		seen := map[*catalog.Dataset]bool{}
		for len(from) > 0 {
			d := from[len(from)-1]
			from = from[:len(from)-1]
			if !seen[d] {
				seen[d] = true
				from = append(from, edges[d]...)
			}
		}
		return seen
	}
	var roots []*catalog.Dataset
	for d := range closure([]*catalog.Dataset{home}, fo.up) {
		roots = append(roots, d)
	}
	return closure(roots, fo.down)
}
