package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// assemble puts the branches together and adds what applies to results.
func (b *build) assemble() (*Planned, error) {
	root := b.combine()
	project := b.project(root)
	out := &Planned{Columns: b.outputs(project), Warnings: b.warnings()}
	root = project
	if len(b.result) > 0 {
		root = &plan.Filter{Input: root, Conds: b.result, Why: "result"}
	}
	keys, err := b.sortKeys()
	if err != nil {
		return nil, err
	}
	if len(keys) > 0 {
		root = &plan.Sort{Input: root, Keys: keys}
	}
	if b.q.Limit != nil {
		limit := *b.q.Limit
		root = &plan.Limit{Input: root, N: limit}
		out.Limit = &limit
	}
	out.Root = root
	return out, nil
}

// combine matches the branches on the group-bys; one branch stands for itself.
func (b *build) combine() plan.Node {
	if len(b.branches) == 1 {
		return b.branches[0].node
	}
	c := &plan.Combine{Keys: len(b.groups)}
	for _, br := range b.branches {
		c.Branches = append(c.Branches, br.node)
		zero := make([]bool, br.width)
		for _, u := range br.uses {
			zero[br.cols[u.col]] = u.window == nil && u.measure.Agg.Counts()
		}
		c.Zero = append(c.Zero, zero...)
	}
	return c
}

// project computes the result columns from the combined branches.
func (b *build) project(in plan.Node) *plan.Project {
	p := &plan.Project{Input: in, Cols: make([]plan.Named, 0, len(b.groups)+len(b.columns))}
	schema := in.Schema()
	for i, g := range b.groups {
		p.Cols = append(p.Cols, plan.Named{Name: g.name, Expr: &sqlexpr.Ref{ID: i}, Type: schema[i].Type})
	}
	for _, c := range b.columns {
		p.Cols = append(p.Cols, plan.Named{Name: c.name, Type: c.typ, Expr: b.located(c.expr)})
	}
	return p
}

// located rewrites an expression over uses to one over the combined schema.
func (b *build) located(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		u := b.uses[r.ID]
		return &sqlexpr.Ref{At: r.At, ID: len(b.groups) + u.branch.first + u.branch.cols[u.col]}
	})
}

func (b *build) outputs(p *plan.Project) []OutputColumn {
	out := make([]OutputColumn, 0, len(p.Cols))
	for i := range b.groups {
		out = append(out, OutputColumn{Name: p.Cols[i].Name, Type: p.Cols[i].Type})
	}
	for _, c := range b.columns {
		out = append(out, OutputColumn{Name: c.name, Metric: c.metric.Name, Params: c.params, TimeRange: c.tag, Type: c.typ})
	}
	return out
}

// sortKeys are the requested keys followed by the group-bys not among them, so
// that equal keys and a limit leave nothing to chance. Without order_by and
// limit the order is free.
func (b *build) sortKeys() ([]plan.SortKey, error) {
	var keys []plan.SortKey
	has := func(col int) bool {
		return slices.ContainsFunc(keys, func(k plan.SortKey) bool { return k.Col == col })
	}
	for _, o := range b.q.OrderBy {
		col, err := b.orderColumn(o)
		if err != nil {
			return nil, err
		}
		if !has(col) {
			keys = append(keys, plan.SortKey{Col: col, Desc: o.Desc})
		}
	}
	if len(b.q.OrderBy) == 0 && b.q.Limit == nil {
		return nil, nil
	}
	for i := range b.groups {
		if !has(i) {
			keys = append(keys, plan.SortKey{Col: i})
		}
	}
	return keys, nil
}

// orderColumn finds the output column that an order key names.
func (b *build) orderColumn(o query.OrderBy) (int, error) {
	names := b.outputNames()
	if i := slices.Index(names, o.Key); i >= 0 {
		return i, nil
	}
	if m := b.cat.Metric(o.Key); m != nil && slices.Contains(b.metrics, m) {
		return 0, b.expandedOrderKey(m, o)
	}
	nearest := suggest.Nearest(o.Key, names, scope.MaxCandidates)
	e := &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    "order_by names " + o.Key + ", which is no column of this result",
		Candidates: nearest,
	}
	if g := b.groupSpelled(o.Key); g >= 0 {
		e.Fragment = map[string]any{"order_by": b.replaceOrder(o, b.groups[g].name)}
	} else if len(nearest) > 0 {
		e.Fragment = map[string]any{"order_by": b.replaceOrder(o, nearest[0])}
	}
	return 0, e
}

func (b *build) outputNames() []string {
	names := make([]string, 0, len(b.groups)+len(b.columns))
	for _, g := range b.groups {
		names = append(names, g.name)
	}
	for _, c := range b.columns {
		names = append(names, c.name)
	}
	return names
}

// groupSpelled finds the group-by item that was spelled this way.
func (b *build) groupSpelled(text string) int {
	return slices.IndexFunc(b.groups, func(g group) bool {
		return strings.EqualFold(g.item.Field, text) || !g.metricTime && strings.EqualFold(g.ref.String(), text)
	})
}

// expandedOrderKey is the error of ordering by a metric that has several
// columns.
func (b *build) expandedOrderKey(m *catalog.Metric, o query.OrderBy) error {
	var names []string
	for _, c := range b.columns {
		if c.metric == m {
			names = append(names, c.name)
		}
	}
	return &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    m.Name + " has several columns here; order by one of them",
		Metrics:    []string{m.Name},
		Candidates: names[:min(len(names), scope.MaxCandidates)],
		Fragment:   map[string]any{"order_by": b.replaceOrder(o, names[0])},
	}
}

func (b *build) replaceOrder(old query.OrderBy, key string) []query.OrderBy {
	out := slices.Clone(b.q.OrderBy)
	for i, o := range out {
		if o == old {
			out[i].Key = key
		}
	}
	return out
}
