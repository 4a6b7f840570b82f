package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
)

// branchNode is a planned branch.
type branchNode struct {
	node    plan.Node
	columns []int // per member, its column among those that are not keys
	width   int   // number of columns that are not keys
	first   int   // index of the first of them where all branches are matched
}

// planBranches plans each branch.
func planBranches(a *resolvedQuery, branches []*branch) ([]branchNode, error) {
	names := NewNamer()
	for _, g := range a.groups {
		names.UniqueName(g.Name)
	}
	spent, first := a.cols.sizes, len(a.groups)
	out := make([]branchNode, len(branches))
	for i, br := range branches {
		if err := a.in.contextError(); err != nil {
			return nil, err
		}
		routing, err := router{a, branches}.routesOf(br)
		if err != nil {
			return nil, err
		}
		p := newBranchPlan(a, br, routing, spent)
		if out[i], err = p.plan(names, len(branches), first); err != nil {
			return nil, err
		}
		spent = p.sizes
		first += out[i].width
	}
	return out, nil
}

// branchPlan plans one branch.
type branchPlan struct {
	*resolvedQuery
	br      *branch
	routing routing
	tree    *joins.Tree
	home    *joins.Node
	sizes   expressionSizes // of what the query has expanded to
}

func newBranchPlan(a *resolvedQuery, br *branch, way routing, spent expressionSizes) *branchPlan {
	tree := joins.New(a.in.Target.Dialect, a.in.Target.Caps.TextByCast, way.root, a.lod.source(nil))
	return &branchPlan{resolvedQuery: a, br: br, routing: way, tree: tree, home: tree.Join(tree.Root(), way.home, false), sizes: spent}
}

func (p *branchPlan) plan(names *Namer, branches, first int) (branchNode, error) {
	keys, err := p.keys()
	if err != nil {
		return branchNode{}, err
	}
	filters, err := p.filters()
	if err != nil {
		return branchNode{}, err
	}
	measures, slots, seconds, err := p.measures(names)
	if err != nil {
		return branchNode{}, err
	}
	from, err := p.tree.Plan()
	if err != nil {
		return branchNode{}, err
	}
	for _, f := range filters {
		from = &plan.Filter{Input: from, Conds: f.conds, Why: f.why}
	}
	agg := &plan.Aggregate{Input: from, Keys: keys, Measures: measures, Home: p.br.home.Name, Why: p.br.explainText(branches)}
	node, columns := p.windows(agg, slots, seconds, names)
	return branchNode{node, columns, len(node.Schema()) - len(p.groups), first}, nil
}

// bind is the expression that reads a reference in this branch.
func (p *branchPlan) bind(ref resolve.Ref) (sqlexpr.Expr, error) {
	for _, r := range p.routing.routes {
		if r.Ref.IsSame(ref) {
			return p.tree.FieldExpr(p.tree.Join(p.tree.Root(), r.Path, r.Named), ref.Field, "")
		}
	}
	return nil, InternalError("no route to %s in the branch of %s", ref, p.br.home.Name)
}

func (p *branchPlan) keys() ([]plan.NamedExpr, error) {
	keys := make([]plan.NamedExpr, len(p.groups))
	for i, g := range p.groups {
		ref := p.br.groupRef(g)
		e, err := p.bind(ref)
		if err != nil {
			return nil, err
		}
		typ := ref.Field.Type
		if g.Grain == sqlexpr.GrainNone {
			e = joins.GroupKey(e, ref.Field)
		} else {
			e, typ = coerce.Bucket(e, ref.Field, g.Grain), sqlexpr.TypeDate
		}
		keys[i] = plan.NamedExpr{Name: g.Name, Expr: e, Type: typ}
	}
	return keys, nil
}

// filter is what becomes one node of the plan: conditions that come from one place.
type filter struct {
	why   string
	conds []sqlexpr.Expr
}

// filters are the branch's input conditions.
func (p *branchPlan) filters() ([]filter, error) {
	var out []filter
	for _, part := range []struct {
		why   string
		conds []predicate
	}{{"context_filter", p.routing.population}, {WhereKey, p.conds.input}} {
		if len(part.conds) == 0 {
			continue
		}
		bound, err := p.bindPredicates(part.conds)
		if err != nil {
			return nil, err
		}
		out = append(out, filter{part.why, bound})
	}
	if len(p.ranges) == 0 {
		return out, nil
	}
	conds, err := p.rangeFilter()
	if err != nil {
		return nil, err
	}
	return append(out, filter{"time_range", conds}), nil
}

// bindPredicates are conditions over the columns of the branch.
func (p *branchPlan) bindPredicates(conds []predicate) ([]sqlexpr.Expr, error) {
	out := make([]sqlexpr.Expr, len(conds))
	for i, c := range conds {
		if err := p.sizes.spend(c.expr); err != nil {
			return nil, err
		}
		e, err := RewriteRefs(c.expr, func(id int) (sqlexpr.Expr, error) { return p.bind(p.conds.refs[id]) })
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}
