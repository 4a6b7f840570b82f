package planner

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// namer hands out column names that differ, ignoring case.
type namer struct {
	taken map[string]bool
	next  map[string]int // by name, the least number that may be free
}

func newNamer() *namer { return &namer{taken: map[string]bool{}, next: map[string]int{}} }

func (n *namer) take(name string) string {
	out, key := name, strings.ToLower(name)
	i := max(n.next[key], 2)
	for ; n.taken[strings.ToLower(out)]; i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	n.next[key] = i
	n.taken[strings.ToLower(out)] = true
	return out
}

// measures are the branch's aggregates, each once. slots says for each use of
// the branch which aggregate holds it (or, for a window, its base).
func (p *branchPlan) measures(names *namer) (out []plan.Named, slots []int, err error) {
	type key struct {
		measure           *catalog.Measure
		whereKey, variant string
		tag               int
	}
	index := map[key]int{}
	aggregate := func(u *use, m *catalog.Measure) (int, error) {
		k := key{m, u.whereKey, u.variant, u.tag}
		if p.br.span.tag >= 0 {
			k.tag = -1 // the branch is the tag's own
		}
		if i, ok := index[k]; ok {
			return i, nil
		}
		if err := p.spend(m.Arg, u.where); err != nil {
			return 0, err
		}
		e, err := p.aggregate(u, m, k.tag)
		if err != nil {
			return 0, err
		}
		name := m.Stem // the number would tell where in the model the metric stands
		if k.tag >= 0 {
			name += "__" + p.ranges[k.tag].tag
		}
		index[k] = len(out)
		out = append(out, plan.Named{Name: names.take(name), Expr: e, Type: m.Type})
		return index[k], nil
	}
	for _, u := range p.br.uses {
		i, err := aggregate(u, u.measure)
		if err != nil {
			return nil, nil, err
		}
		slots = append(slots, i)
		if u.window != nil && u.window.second != nil {
			plain := *u // a filter folds into the first input; the second is a metric of its own
			plain.where, plain.whereKey = nil, ""
			if u.window.secondSlot, err = aggregate(&plain, u.window.second); err != nil {
				return nil, nil, err
			}
		}
	}
	return out, slots, nil
}

// aggregate is the call that computes a measure, with the use's filter and the
// tag's range folded into its argument.
func (p *branchPlan) aggregate(u *use, m *catalog.Measure, tag int) (sqlexpr.Expr, error) {
	only, err := p.condition(u, tag)
	if err != nil {
		return nil, err
	}
	call := aggregateCall(m.Agg)
	if m.Arg == nil {
		if only == nil {
			call.Star = true
			return call, nil
		}
		call.Args = []sqlexpr.Expr{when(only, &sqlexpr.Number{Text: "1"})}
		return call, nil
	}
	arg, err := p.homeExpr(m.Arg, u.variant)
	if err != nil {
		return nil, err
	}
	if only != nil {
		arg = when(only, arg)
	}
	call.Args = []sqlexpr.Expr{arg}
	return call, nil
}

func when(cond, then sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

// condition is what rows count for a use: its derived filter and its tag.
func (p *branchPlan) condition(u *use, tag int) (sqlexpr.Expr, error) {
	var conds []sqlexpr.Expr
	if u.where != nil {
		e, err := p.homeExpr(u.where, u.variant)
		if err != nil {
			return nil, err
		}
		conds = append(conds, e)
	}
	if tag >= 0 {
		in, err := p.rangeConds(p.ranges[tag])
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
	return rewriteRefs(e, func(id int) (sqlexpr.Expr, error) {
		return p.tree.Bind(p.home, p.cat.Fields[id], variant)
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
