package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// formBranches groups the uses by home, time axis and what a time range means
// for them.
func (b *build) formBranches() error {
	needAxis := b.groupsByMetricTime() || slices.ContainsFunc(b.ranges, func(r timeRange) bool { return r.metricTime })
	for _, u := range b.uses {
		if err := b.ended(); err != nil {
			return err
		}
		axis := u.axis
		if !needAxis {
			axis = nil
		} else if axis == nil {
			return b.noAxis(u)
		}
		if err := b.checkAxis(axis); err != nil {
			return err
		}
		b.branchFor(u, axis).add(u)
	}
	return nil
}

func (b *build) noAxis(u *use) error {
	e := b.noTimeDimension("metric " + u.metrics[0] + " has no time dimension of its own: none is declared, and its dataset has no single one")
	e.Metrics = u.metrics
	if b.groupsByMetricTime() && len(e.Candidates) > 0 {
		axis := e.Candidates[0]
		for _, o := range b.uses {
			if o.axis != nil && slices.Contains(e.Candidates, o.axis.Qualified()) {
				axis = o.axis.Qualified() // which the other metrics run over
			}
		}
		groups := slices.Clone(b.q.GroupBy)
		for i, g := range groups {
			if g.Field == metricTime {
				groups[i] = query.GroupBy{Field: axis, Grain: g.Grain}
			}
		}
		e.Fragment = map[string]any{"group_by": groups}
	}
	return e
}

// checkAxis checks the grain of metric_time, and a range over it, against an
// axis.
func (b *build) checkAxis(axis *catalog.Field) error {
	if axis == nil {
		return nil
	}
	if err := axis.ErrFor(b.target.Dialect); err != nil {
		return err
	}
	for _, g := range b.groups {
		if g.metricTime && g.grain != sqlexpr.GrainNone {
			if err := b.checkGrain(g.item, axis, g.grain); err != nil {
				return err
			}
		}
	}
	for _, r := range b.ranges {
		if r.metricTime {
			r.ref = scope.Ref{Field: axis}
			if err := rangeable(&r, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// branchFor finds or opens the branch of a use.
func (b *build) branchFor(u *use, axis *catalog.Field) *branch {
	sp := b.spanOf(u)
	for _, br := range b.branches {
		if br.home == u.measure.Home && br.axis == axis && br.span == sp {
			return br
		}
	}
	br := &branch{home: u.measure.Home, axis: axis, span: sp}
	b.branches = append(b.branches, br)
	return br
}

// add puts a use into the branch; uses that differ only in an axis that does
// not matter share a column.
func (br *branch) add(u *use) {
	u.branch = br
	if i, known := br.find(u); known {
		u.col = i
		br.uses[i].metrics = append(br.uses[i].metrics, u.metrics...)
		return
	}
	u.col = len(br.uses)
	br.uses = append(br.uses, u)
}

// find looks for a use that differs from u in its axis at most. A branch of a
// thousand metrics under a hundred tags has an index for it; most have a few.
func (br *branch) find(u *use) (at int, known bool) {
	const few = 16
	axisless := func(k useKey) useKey {
		k.axis = nil
		return k
	}
	key := axisless(u.useKey)
	if len(br.uses) < few {
		at = slices.IndexFunc(br.uses, func(o *use) bool { return axisless(o.useKey) == key })
		return at, at >= 0
	}
	if br.index == nil {
		br.index = make(map[useKey]int, len(br.uses))
	}
	for i := len(br.index); i < len(br.uses); i++ {
		br.index[axisless(br.uses[i].useKey)] = i
	}
	at, known = br.index[key]
	return at, known
}

// planBranches plans each branch and numbers its columns.
func (b *build) planBranches() error {
	names := newNamer()
	for _, g := range b.groups {
		names.take(g.name)
	}
	first := 0
	for _, br := range b.branches {
		if err := b.ended(); err != nil {
			return err
		}
		if err := b.planBranch(br, names); err != nil {
			return err
		}
		br.first = first
		br.width = len(br.node.Schema()) - len(b.groups)
		first += br.width
	}
	return nil
}

// branchPlan is the state of planning one branch.
type branchPlan struct {
	*build
	br     *branch
	tree   *joins.Tree
	home   *joins.Node
	routes []route
}

func (b *build) planBranch(br *branch, names *namer) error {
	root, homePath, routes, err := b.routesOf(br)
	if err != nil {
		return err
	}
	p := &branchPlan{build: b, br: br, tree: joins.New(b.target.Dialect, b.target.Caps.TextByCast, root, b.lodTable), routes: routes}
	p.home = p.tree.Join(p.tree.Root(), homePath, false)
	keys, err := p.keys()
	if err != nil {
		return err
	}
	filters, err := p.filters()
	if err != nil {
		return err
	}
	measures, slots, err := p.measures(names)
	if err != nil {
		return err
	}
	from, err := p.tree.Plan()
	if err != nil {
		return err
	}
	for _, f := range filters {
		f.Input = from
		from = f
	}
	agg := &plan.Aggregate{Input: from, Keys: keys, Measures: measures, Home: br.home.Name, Why: p.why()}
	br.node = p.windows(agg, slots, names)
	return nil
}

// why says in EXPLAIN what sets the branch apart.
func (p *branchPlan) why() string {
	if len(p.branches) == 1 && p.br.axis == nil {
		return ""
	}
	var parts []string
	if p.br.axis != nil {
		parts = append(parts, "metric_time = "+p.br.axis.Qualified())
	}
	if len(p.branches) > 1 {
		var metrics []string
		seen := map[string]bool{}
		for _, u := range p.br.uses {
			for _, m := range u.metrics {
				if !seen[m] {
					seen[m] = true
					metrics = append(metrics, m)
				}
			}
		}
		parts = append(parts, "for "+strings.Join(metrics, ", "))
	}
	return strings.Join(parts, "; ")
}

// groupRef is the reference that a group reads in this branch.
func (br *branch) groupRef(g group) scope.Ref {
	if g.metricTime {
		return scope.Ref{Field: br.axis}
	}
	return g.ref
}

// rangeRef is the reference that a time range reads in this branch.
func (br *branch) rangeRef(r timeRange) scope.Ref {
	if r.metricTime {
		return scope.Ref{Field: br.axis}
	}
	return r.ref
}

// bind is the expression that reads a reference in this branch.
func (p *branchPlan) bind(ref scope.Ref) (sqlexpr.Expr, error) {
	for _, r := range p.routes {
		if r.ref.Same(ref) {
			return p.tree.Bind(p.tree.Join(p.tree.Root(), r.path, r.named), ref.Field, "")
		}
	}
	return nil, internal("no route to %s in the branch of %s", ref, p.br.home.Name)
}

func (p *branchPlan) keys() ([]plan.Named, error) {
	keys := make([]plan.Named, len(p.groups))
	for i, g := range p.groups {
		ref := p.br.groupRef(g)
		e, err := p.bind(ref)
		if err != nil {
			return nil, err
		}
		typ := ref.Field.Type
		if g.grain == sqlexpr.GrainNone {
			e = joins.GroupKey(e, ref.Field)
		} else {
			e, typ = coerce.Bucket(e, ref.Field, g.grain), sqlexpr.TypeDate
		}
		keys[i] = plan.Named{Name: g.name, Expr: e, Type: typ}
	}
	return keys, nil
}

// filters are the branch's input conditions, one node for each place that they
// come from.
func (p *branchPlan) filters() ([]*plan.Filter, error) {
	var out []*plan.Filter
	for _, part := range []struct {
		why   string
		conds []cond
	}{{"context_filter", p.br.context}, {"where_sql", p.input}} {
		if len(part.conds) == 0 {
			continue
		}
		f := &plan.Filter{Why: part.why}
		for _, c := range part.conds {
			if err := p.spend(c.expr); err != nil {
				return nil, err
			}
			e, err := p.bindCond(c)
			if err != nil {
				return nil, err
			}
			f.Conds = append(f.Conds, e)
		}
		out = append(out, f)
	}
	if len(p.ranges) == 0 {
		return out, nil
	}
	conds, err := p.rangeFilter()
	if err != nil {
		return nil, err
	}
	return append(out, &plan.Filter{Why: "time_range", Conds: conds}), nil
}

func (p *branchPlan) bindCond(c cond) (sqlexpr.Expr, error) {
	return rewriteRefs(c.expr, func(id int) (sqlexpr.Expr, error) { return p.bind(p.refs[id]) })
}

// rangeFilter is the WHERE part of the time ranges: the one range, or with
// tags the union of all, each tag's own part being folded into its measures.
func (p *branchPlan) rangeFilter() ([]sqlexpr.Expr, error) {
	if !p.tagged {
		return p.spanConds(p.ranges[0])
	}
	if p.br.span.tag >= 0 {
		return p.spanConds(p.ranges[p.br.span.tag])
	}
	if conds, ok, err := p.unionConds(); ok || err != nil {
		return conds, err
	}
	var union sqlexpr.Expr
	for _, r := range p.ranges {
		conds, err := p.rangeConds(r)
		if err != nil {
			return nil, err
		}
		one := sqlexpr.And(conds...)
		if union == nil {
			union = one
		} else {
			union = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: union, R: one}
		}
	}
	return []sqlexpr.Expr{union}, nil
}

// rangeConds bounds the range's dimension as this branch reads it.
func (p *branchPlan) rangeConds(r timeRange) ([]sqlexpr.Expr, error) {
	ref := p.br.rangeRef(r)
	x, err := p.bind(ref)
	if err != nil {
		return nil, err
	}
	return r.Within(x, ref.Field), nil
}
