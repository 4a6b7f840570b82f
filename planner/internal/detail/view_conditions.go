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

// withViewConditions returns the conditions of the request and those of the view: each conjunct acts where the rows of the root lead to its fields.
// A filter gives way as a whole.
func (rq *queryWithRoot) withViewConditions(ofRequest whereClause) (whereClause, error) {
	v := rq.in.View
	if v == nil {
		return ofRequest, nil
	}
	out := ofRequest
	defining, refs, err := rq.parseViewCondition(v.Where, ofRequest.refs)
	if err != nil {
		return ofRequest, err
	}
	out.conds = append(rq.actingExprs(defining, refs, &out.refs), ofRequest.conds...)
	if !rq.in.HasViewDefaults() {
		return out, nil
	}
	for _, filter := range v.Filters {
		conjuncts, refs, err := rq.parseViewCondition(filter, out.refs)
		if err != nil {
			return out, err
		}
		if slices.ContainsFunc(conjuncts, func(c where.Conjunct) bool { return viewrange.NamesAny(ofRequest.refs, c.NamedRefs(refs)) }) {
			continue
		}
		if acting := rq.actingExprs(conjuncts, refs, &out.refs); len(acting) > 0 {
			out.conds, out.filters = append(out.conds, acting...), append(out.filters, filter.Text)
		}
	}
	return out, nil
}

// parseViewCondition returns the conjuncts of one condition of the view, with the references so far.
func (rq *queryWithRoot) parseViewCondition(c catalog.ViewCondition, refs resolve.Refs) ([]where.Conjunct, resolve.Refs, error) {
	if c.Named == "" {
		return nil, refs, nil
	}
	return where.ParseViewCondition(rq.in, c, refs)
}

// actingExprs returns the conjuncts whose fields the rows of the root lead to, over references of which read gets theirs: the root leads to no others.
func (rq *queryWithRoot) actingExprs(conjuncts []where.Conjunct, refs resolve.Refs, read *resolve.Refs) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, c := range conjuncts {
		if c.ActsFrom(rq.cat, refs, rq.root) {
			out = append(out, sqlexpr.RewriteRefs(c.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
				return &sqlexpr.Ref{Position: r.Position, ID: read.IndexOrAdd(refs[r.ID])}
			}))
		}
	}
	return out
}
