package detail

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// withViewRange returns the query with the time range that its view has by default, where the request leaves it.
func (d *queryWithRoot) withViewRange() (*queryWithRoot, error) {
	given, dimension, err := viewrange.OfRoot(d.in, d.root, d.names, nil)
	if given == nil || err != nil {
		return d, err
	}
	out, q := *d, *d.q
	q.TimeRange, out.q, out.viewDimension = given, &q, &dimension
	out.in = scope.NewEnv(d.ctx, d.cat, CopyTimesToMetricQuery(&q), d.in.Target)
	return &out, nil
}

// withViewConditions returns the conditions of the request and those of the view: each acts where the rows of the root lead to its fields.
func (d *queryWithRoot) withViewConditions(ofRequest whereClause) (whereClause, error) {
	v := d.in.View
	if v == nil {
		return ofRequest, nil
	}
	defining, refs, err := d.viewCondition(v.Where, ofRequest.refs)
	if err != nil {
		return ofRequest, err
	}
	out := whereClause{expr: ofRequest.expr, refs: refs, conds: append(exprsOf(defining), ofRequest.conds...), among: ofRequest.among}
	if !d.in.HasViewDefaults() {
		return out, nil
	}
	for _, filter := range v.Filters {
		conjuncts, refs, err := d.viewCondition(filter, out.refs)
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
func (d *queryWithRoot) viewCondition(c catalog.ViewCondition, refs resolve.Refs) ([]where.Conjunct, resolve.Refs, error) {
	if c.Named == "" {
		return nil, refs, nil
	}
	conjuncts, all, err := where.ParseViewCondition(d.in, c, refs)
	if err != nil {
		return nil, refs, err
	}
	for _, conjunct := range conjuncts {
		if !conjunct.ActsFrom(d.cat, all, d.root) {
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
