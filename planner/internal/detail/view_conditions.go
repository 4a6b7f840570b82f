package detail

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// withViewRange returns the query with the time range that its view has by default, where the request leaves it.
func (rq *queryWithRoot) withViewRange() (*queryWithRoot, error) {
	given, dimension, err := viewrange.OfRoot(rq.in, rq.root, rq.names, nil)
	if given == nil || err != nil {
		return rq, err
	}
	out, q := *rq, *rq.q
	q.TimeRange, out.q, out.viewDimension = given, &q, &dimension
	out.in = rq.in.WithViewRange(*given, &dimension)
	return &out, nil
}

// withViewConditions returns the conditions of the request and those of the view: each acts where the rows of the root lead to its fields.
func (rq *queryWithRoot) withViewConditions(ofRequest whereClause) (whereClause, error) {
	v := rq.in.View
	if v == nil {
		return ofRequest, nil
	}
	defining, refs, err := rq.viewCondition(v.Where, ofRequest.refs)
	if err != nil {
		return ofRequest, err
	}
	out := whereClause{expr: ofRequest.expr, refs: refs, conds: append(exprsOf(defining), ofRequest.conds...), among: ofRequest.among}
	if !rq.in.HasViewDefaults() {
		return out, nil
	}
	for _, filter := range v.Filters {
		conjuncts, refs, err := rq.viewCondition(filter, out.refs)
		if err != nil {
			return out, err
		}
		givesWay := slices.ContainsFunc(conjuncts, func(c where.Conjunct) bool { return viewrange.NamesAny(ofRequest.refs, c.NamedRefs(refs)) })
		if len(conjuncts) == 0 || givesWay {
			continue
		}
		out.refs, out.conds, out.filters = refs, append(out.conds, exprsOf(conjuncts)...), append(out.filters, filter.Text)
	}
	return out, nil
}

// viewCondition returns one condition with the references so far; none where the rows of the root do not lead to its fields.
func (rq *queryWithRoot) viewCondition(c catalog.ViewCondition, refs resolve.Refs) ([]where.Conjunct, resolve.Refs, error) {
	if c.Named == "" {
		return nil, refs, nil
	}
	conjuncts, all, err := where.ParseViewCondition(rq.in, c, refs)
	if err != nil {
		return nil, refs, err
	}
	for _, conjunct := range conjuncts {
		if !conjunct.ActsFrom(rq.cat, all, rq.root) {
			return nil, refs, nil
		}
	}
	return conjuncts, all, nil
}

func exprsOf(conjuncts []where.Conjunct) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, c := range conjuncts {
		out = append(out, c.Expr)
	}
	return out
}
