package grouping

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/plan"
)

// WindowArgument is a measure of the branch: what it aggregates, or its aggregate over the rows of a bucket.
type WindowArgument struct {
	Measure *catalog.Measure
	Value   plan.NamedExpr
	OrderBy sqlexpr.Expr // of LISTAGG, where it is not ordered by what it aggregates
}

// CollectWindowArguments returns the measures of the branch, each once.
func CollectWindowArguments(p *Planner) (args []WindowArgument, slots []int, err error) {
	index := map[aggregateKey]int{}
	for _, u := range p.Br.Members {
		key := aggregateKeyOf(u.Ref)
		if p.Br.ScanRange.Tag >= 0 {
			key = key.ofAllRanges() // the branch is the tag's own
		}
		at, ok := index[key]
		if !ok {
			if err := aggregates.CheckTarget(p.Q.In, u.Ref.Measure, u.Metrics); err != nil {
				return nil, nil, err
			}
			arg, err := p.newWindowArgument(key, u.Ref.Where)
			if err != nil {
				return nil, nil, err
			}
			at = len(args)
			index[key] = at
			args = append(args, arg)
		}
		slots = append(slots, at)
	}
	return args, slots, nil
}

func (p *Planner) newWindowArgument(key aggregateKey, where sqlexpr.Expr) (WindowArgument, error) {
	m := key.measure
	out := WindowArgument{Measure: m, Value: plan.NamedExpr{Name: m.Stem, Type: m.Type}}
	if err := p.Sizes.AddToQuerySize(m.Arg, m.OrderBy, where); err != nil {
		return out, err
	}
	var err error
	if p.Br.Read.AggregatesBeforeCopies(m) {
		out.Value.Expr, err = p.newAggregateCall(key, where)
		return out, err
	}
	out.Value.Type = aggregates.ArgumentType(p.Q.In, m)
	if out.Value.Expr, err = measureArgument(p, key, where); err != nil || m.OrderBy == nil {
		return out, err
	}
	out.OrderBy, err = p.bindHomeExpr(m.OrderBy, key.variant)
	return out, err
}
