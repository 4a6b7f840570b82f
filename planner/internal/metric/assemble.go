package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// assemble computes the result columns and adds what applies to results.
func assemble(a *resolvedQuery, in *CombinedBranches) (*plan.Planned, error) {
	project := a.projectColumns(in)
	out := &plan.Planned{Columns: a.outputColumns(project), Warnings: warnings(a.cols)}
	var root plan.Node = project
	if len(a.conds.result) > 0 {
		root = &plan.Filter{Input: root, Conds: a.conds.result, Why: "result"}
	}
	keys, err := a.sortKeys()
	if err != nil {
		return nil, err
	}
	if len(keys) > 0 {
		root = &plan.Sort{Input: root, Keys: keys}
	}
	if offset := a.in.Query.Offset; offset > 0 {
		root = &plan.Offset{Input: root, N: offset}
	}
	if a.in.Query.Limit != nil {
		limit := *a.in.Query.Limit
		root = &plan.Limit{Input: root, N: limit}
		out.Limit = &limit
	}
	out.Root = root
	return out, nil
}

// projectColumns computes the result columns from the combined branches.
func (a *resolvedQuery) projectColumns(in *CombinedBranches) *plan.Project {
	cols := make([]plan.NamedExpr, 0, len(a.groups)+len(a.cols.columns))
	schema := in.Node.Schema()
	for i, g := range a.groups {
		cols = append(cols, plan.NamedExpr{Name: g.Name, Expr: &sqlexpr.Ref{ID: i}, Type: schema[i].Type})
	}
	for _, c := range a.cols.columns {
		cols = append(cols, plan.NamedExpr{Name: c.name, Type: c.typ, Expr: in.Rebind(c.expr)})
	}
	return &plan.Project{Input: in.Node, Cols: cols}
}

func (a *resolvedQuery) outputColumns(p *plan.Project) []plan.OutputColumn {
	out := make([]plan.OutputColumn, 0, len(p.Cols))
	for i := range a.groups {
		out = append(out, plan.OutputColumn{Name: p.Cols[i].Name, Type: p.Cols[i].Type})
	}
	for _, c := range a.cols.columns {
		out = append(out, plan.OutputColumn{Name: c.name, Metric: c.metric.Name, Params: c.params, TimeRange: c.tag, Type: c.typ})
	}
	return out
}

// sortKeys are the requested keys followed by the group-bys not among them, so
// that equal keys, a limit and an offset leave nothing to chance. Without order_by,
// limit and offset the order is free.
func (a *resolvedQuery) sortKeys() ([]plan.SortKey, error) {
	var keys []plan.SortKey
	has := func(col int) bool {
		return slices.ContainsFunc(keys, func(k plan.SortKey) bool { return k.Col == col })
	}
	for _, o := range a.in.Query.OrderBy {
		col, err := a.orderColumn(o)
		if err != nil {
			return nil, err
		}
		if !has(col) {
			keys = append(keys, plan.SortKey{Col: col, Desc: o.Desc})
		}
	}
	if q := a.in.Query; len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == 0 {
		return nil, nil
	}
	for i := range a.groups {
		if !has(i) {
			keys = append(keys, plan.SortKey{Col: i})
		}
	}
	return keys, nil
}

// orderColumn finds the output column that an order key names.
func (a *resolvedQuery) orderColumn(o query.OrderBy) (int, error) {
	names := a.outputNames()
	if i := slices.Index(names, o.Key); i >= 0 {
		return i, nil
	}
	if m := a.in.Cat.Metric(o.Key); m != nil && slices.Contains(a.sel.Metrics, m) {
		return 0, a.expandedOrderKeyError(m, o)
	}
	nearest := suggest.Nearest(o.Key, names, resolve.MaxCandidates)
	e := &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    "order_by names " + o.Key + ", which is not a column of this result",
		Candidates: nearest,
	}
	if g := a.groupBySpelling(o.Key); g >= 0 {
		e.Fragment = map[string]any{"order_by": replaceOrder(a.in.Query.OrderBy, o, a.groups[g].Name)}
	} else if len(nearest) > 0 {
		e.Fragment = map[string]any{"order_by": replaceOrder(a.in.Query.OrderBy, o, nearest[0])}
	}
	return 0, e
}

func (a *resolvedQuery) outputNames() []string {
	names := make([]string, 0, len(a.groups)+len(a.cols.columns))
	for _, g := range a.groups {
		names = append(names, g.Name)
	}
	for _, c := range a.cols.columns {
		names = append(names, c.name)
	}
	return names
}

// groupBySpelling finds the group-by item that was spelled this way.
func (a *resolvedQuery) groupBySpelling(text string) int {
	return slices.IndexFunc(a.groups, func(g Group) bool {
		return strings.EqualFold(g.item.Field, text) || !g.OnAxis && strings.EqualFold(g.Ref.String(), text)
	})
}

// expandedOrderKeyError is the error of ordering by a metric that has several
// columns.
func (a *resolvedQuery) expandedOrderKeyError(m *catalog.Metric, o query.OrderBy) error {
	names := columnsOf(a.cols.columns, m)
	return &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    m.Name + " has several columns here; order by one of them",
		Metrics:    []string{m.Name},
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
		Fragment:   map[string]any{"order_by": replaceOrder(a.in.Query.OrderBy, o, names[0])},
	}
}

func replaceOrder(orders []query.OrderBy, old query.OrderBy, key string) []query.OrderBy {
	out := slices.Clone(orders)
	for i, o := range out {
		if o == old {
			out[i].Key = key
		}
	}
	return out
}
