package engine

import (
	"context"
	"math"
	"strings"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// CompatibleItems is a page of the metrics and the dimensions that a query accepts as one more item, in the order of the
// model.
type CompatibleItems struct {
	Metrics    []string              `json:"metrics"`
	Dimensions []CompatibleDimension `json:"dimensions"`
	Counts     CompatibleCounts      `json:"counts"`
	NextOffset *int64                `json:"next_offset,omitempty"`
}

// CompatibleDimension is a dimension that a query accepts, with the grains and the parts of a time.
type CompatibleDimension struct {
	Name   string   `json:"name"`
	Grains []string `json:"grains,omitempty"`
	Parts  []string `json:"parts,omitempty"`
}

// CompatibleCounts are the lengths of the whole lists.
type CompatibleCounts struct {
	Metrics    int `json:"metrics"`
	Dimensions int `json:"dimensions"`
}

// CompatibleItems lists the metrics and the dimensions that a query accepts. No data are read. The error is that of
// the query, as of Statement.SQL.
func (e *Engine) CompatibleItems(ctx context.Context, q *query.CompatibleQuery) (out *CompatibleItems, err error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneMetric, e.queryOrSavedMetrics(q.Metrics, q.Saved), q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	defer e.recoverToError(&err)
	asked := q.MetricQuery
	asked.Limit, asked.Offset = nil, 0
	fits, err := e.findCompatibleItems(ctx, &asked, t)
	if err != nil {
		return nil, err
	}
	metrics, dimensions := e.compatibleItemsMatchingText(fits, q.Search)
	limit := q.PageLimit
	if limit <= 0 {
		limit = query.DefaultCompatibleItems
	}
	out = &CompatibleItems{
		Metrics: pageOf(metrics, q.PageOffset, limit), Dimensions: pageOf(dimensions, q.PageOffset, limit),
		Counts: CompatibleCounts{len(metrics), len(dimensions)},
	}
	if next := q.PageOffset + limit; next < int64(max(len(metrics), len(dimensions))) {
		out.NextOffset = &next
	}
	return out, nil
}

func (e *Engine) findCompatibleItems(ctx context.Context, q *query.MetricQuery, t compileTarget) (planner.CompatibleItems, error) {
	fits, err := e.planner.FindCompatibleItems(ctx, q, t.planner)
	if err != nil {
		return fits, e.toPlanError(ctx, err, q.Metrics...)
	}
	return fits, nil
}

// compatibleItemsMatchingText returns the items that a text matches; "" matches all.
func (e *Engine) compatibleItemsMatchingText(fits planner.CompatibleItems, text string) (metrics []string, dimensions []CompatibleDimension) {
	var named, fields map[string]bool
	if text != "" {
		named, fields = e.index().MatchingNames(find.KindMetric, text), e.index().MatchingNames(find.KindDimension, text)
	}
	for _, m := range fits.Metrics {
		if text == "" || named[m.Name] {
			metrics = append(metrics, m.Name)
		}
	}
	for _, d := range fits.Dimensions {
		isMatch := text == "" || fields[d.Name]
		if d.Field == nil {
			isMatch = isMatch || strings.Contains(d.Name, strings.ToLower(text))
		} else {
			isMatch = isMatch || fields[d.Field.QualifiedName()]
		}
		if isMatch {
			dimensions = append(dimensions, CompatibleDimension{d.Name, d.Grains, d.Parts})
		}
	}
	return metrics, dimensions
}

// pageOf returns the elements of a page; never nil.
func pageOf[T any](all []T, offset, limit int64) []T {
	from := min(offset, int64(len(all)))
	return append([]T{}, all[from:from+min(limit, int64(len(all))-from, math.MaxInt32)]...)
}
