package metric

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// aggregates are the aggregates of a branch, each once.
type aggregates struct {
	list  []plan.NamedExpr
	index map[aggregateKey]int
}

type aggregateKey struct {
	measure           *catalog.Measure
	whereKey, variant string
	tag               int
}

// measures returns the branch's aggregates. slots is, for each member of the branch, the
// index of its aggregate (for a window, of its input); seconds is the index of the second
// input of a window that has two.
func (p *branchPlan) measures(names *Namer) (list []plan.NamedExpr, slots []int, seconds map[int]int, err error) {
	all := aggregates{index: map[aggregateKey]int{}}
	slots = make([]int, len(p.br.members))
	for i, u := range p.br.members {
		key := aggregateKey{u.Measure, u.WhereKey, u.variant, u.Tag}
		if slots[i], err = p.aggregateIndex(&all, names, key, u.Where); err != nil {
			return nil, nil, nil, err
		}
		if u.window == nil || u.window.second == nil {
			continue
		}
		// A filter folds into the first input; the second is a separate metric.
		second, err := p.aggregateIndex(&all, names, aggregateKey{u.window.second, "", u.variant, u.Tag}, nil)
		if err != nil {
			return nil, nil, nil, err
		}
		if seconds == nil {
			seconds = map[int]int{}
		}
		seconds[i] = second
	}
	return all.list, slots, seconds, nil
}

// aggregateIndex is the index of an aggregate, which is added where it is not there yet.
func (p *branchPlan) aggregateIndex(all *aggregates, names *Namer, key aggregateKey, where sqlexpr.Expr) (int, error) {
	if p.br.scanRange.tag >= 0 {
		key.tag = -1 // the branch is the tag's own
	}
	if i, ok := all.index[key]; ok {
		return i, nil
	}
	m := key.measure
	if err := p.sizes.spend(m.Arg, where); err != nil {
		return 0, err
	}
	if err := p.in.contextError(); err != nil {
		return 0, err
	}
	e, err := p.aggregate(key, where)
	if err != nil {
		return 0, err
	}
	name := m.Stem // a number would depend on the place of the metric in the model
	if key.tag >= 0 {
		name += "__" + p.ranges[key.tag].tag
	}
	return all.add(key, plan.NamedExpr{Name: names.UniqueName(name), Expr: e, Type: m.Type}), nil
}

func (a *aggregates) add(key aggregateKey, column plan.NamedExpr) int {
	i := len(a.list)
	a.index[key] = i
	a.list = append(a.list, column)
	return i
}

// aggregate is the call that computes a measure, with a use's filter and the
// tag's range folded into its argument.
func (p *branchPlan) aggregate(key aggregateKey, where sqlexpr.Expr) (sqlexpr.Expr, error) {
	m := key.measure
	only, err := p.condition(key, where)
	if err != nil {
		return nil, err
	}
	call := aggregateCall(m.Agg)
	if m.Arg == nil {
		if only == nil {
			call.Star = true
			return call, nil
		}
		call.Args = []sqlexpr.Expr{caseWhen(only, &sqlexpr.Number{Text: "1"})}
		return call, nil
	}
	arg, err := p.homeExpr(m.Arg, key.variant)
	if err != nil {
		return nil, err
	}
	if only != nil {
		arg = caseWhen(only, arg)
	}
	call.Args = []sqlexpr.Expr{arg}
	return call, nil
}

func caseWhen(cond, then sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

// condition is what rows count for a use: its derived filter and its tag.
func (p *branchPlan) condition(key aggregateKey, where sqlexpr.Expr) (sqlexpr.Expr, error) {
	var conds []sqlexpr.Expr
	if where != nil {
		e, err := p.homeExpr(where, key.variant)
		if err != nil {
			return nil, err
		}
		conds = append(conds, e)
	}
	if key.tag >= 0 {
		in, err := p.rangeConds(p.ranges[key.tag])
		if err != nil {
			return nil, err
		}
		conds = append(conds, in...)
	}
	if len(conds) == 0 {
		return nil, nil
	}
	return sqlexpr.And(conds...), nil
}

// homeExpr binds an expression over fields of the branch's home.
func (p *branchPlan) homeExpr(e sqlexpr.Expr, variant string) (sqlexpr.Expr, error) {
	return RewriteRefs(e, func(id int) (sqlexpr.Expr, error) {
		return p.tree.FieldExpr(p.home, p.in.Cat.Fields[id], variant)
	})
}

func aggregateCall(a catalog.Agg) *sqlexpr.Call {
	switch a {
	case catalog.AggSum:
		return &sqlexpr.Call{Fn: sqlexpr.FnSum, Name: sqlexpr.Name{Text: "SUM"}}
	case catalog.AggCount:
		return &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}}
	case catalog.AggCountDistinct:
		return &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Distinct: true}
	case catalog.AggAvg:
		return &sqlexpr.Call{Fn: sqlexpr.FnAvg, Name: sqlexpr.Name{Text: "AVG"}}
	case catalog.AggMin:
		return &sqlexpr.Call{Fn: sqlexpr.FnMin, Name: sqlexpr.Name{Text: "MIN"}}
	default:
		return &sqlexpr.Call{Fn: sqlexpr.FnMax, Name: sqlexpr.Name{Text: "MAX"}}
	}
}
