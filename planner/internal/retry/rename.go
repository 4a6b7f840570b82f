package retry

import (
	"slices"

	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/query"
)

// RenameGroup returns a retry in which the column of a group-by has another name.
func RenameGroup(q *query.MetricQuery, g scope.Group, name string) map[string]any {
	item := g.Item
	item.Name = name
	groups := slices.Clone(q.GroupBy)
	groups[g.Index] = item
	out := resultColumnRenameInQuery{g.Name, name}.changedQueryKeys(q)
	out["group_by"] = groups
	return out
}

// AliasMetric returns a retry in which a metric has another name: as an inline metric that is equal to it.
func AliasMetric(q *query.MetricQuery, metric, name string) map[string]any {
	items := q.MetricItemsNamed(slices.Clone(q.Metrics))
	at := slices.Index(items.Names, metric)
	items.Names[at] = name
	if i := slices.IndexFunc(items.Inline, func(m query.InlineMetric) bool { return m.Index == at }); i >= 0 {
		items.Inline[i].Name = name
	} else {
		items.Inline = append(items.Inline, query.InlineMetric{Name: name, Expression: metric, Index: at})
		slices.SortFunc(items.Inline, func(a, b query.InlineMetric) int { return a.Index - b.Index })
	}
	out := resultColumnRenameInQuery{metric, name}.changedQueryKeys(q)
	out["metrics"] = items
	return out
}

// resultColumnRenameInQuery gives another name to an output column in the keys that name columns.
type resultColumnRenameInQuery struct{ from, to string }

func (n resultColumnRenameInQuery) renamedColumn(column string) string {
	if column == n.from {
		return n.to
	}
	return column
}

func (n resultColumnRenameInQuery) renamedColumns(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = n.renamedColumn(c)
	}
	return out
}

// changedQueryKeys returns the keys with the new name, apart from the one that names the column itself.
func (n resultColumnRenameInQuery) changedQueryKeys(q *query.MetricQuery) map[string]any {
	out := map[string]any{}
	if len(q.Totals) > 0 {
		totals := make([][]string, len(q.Totals))
		for i, t := range q.Totals {
			totals[i] = n.renamedColumns(t)
		}
		out["totals"] = totals
	}
	if len(q.Shares) > 0 {
		shares := make([]query.ShareRequest, len(q.Shares))
		for i, s := range q.Shares {
			shares[i] = query.ShareRequest{Metric: n.renamedColumn(s.Metric), Of: n.renamedColumns(s.Of)}
		}
		out["shares"] = shares
	}
	if q.Compare != nil {
		compare := slices.Clone(q.Compare)
		for i := range compare {
			compare[i].Metrics = n.renamedColumns(compare[i].Metrics)
		}
		out["compare"] = compare
	}
	if q.Top != nil {
		top := *q.Top
		top.Dimension, top.By, top.Within = n.renamedColumn(top.Dimension), n.renamedColumn(top.By), n.renamedColumns(top.Within)
		out["top"] = &top
	}
	if len(q.OrderBy) > 0 {
		orders := slices.Clone(q.OrderBy)
		for i := range orders {
			orders[i].Key = n.renamedColumn(orders[i].Key)
		}
		out["order_by"] = orders
	}
	return out
}

// ReplaceOrderKey returns the orders with another key in place of one that is unknown. A direction that the unknown key
// holds becomes that of its order.
func ReplaceOrderKey(orders []query.OrderBy, old query.OrderBy, key string) []query.OrderBy {
	out := slices.Clone(orders)
	for i, o := range out {
		if o == old {
			out[i], _ = o.WithDirectionOfKey()
			out[i].Key = key
		}
	}
	return out
}
