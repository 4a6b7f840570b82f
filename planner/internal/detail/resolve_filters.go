package detail

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// whereClause is the condition of a query: as it was written, and by its conjuncts.
type whereClause struct {
	expr  sqlexpr.Expr // over names; nil where the query has none
	refs  resolve.Refs // what sqlexpr.Ref{ID} means in a conjunct
	conds []sqlexpr.Expr
	among []int // in refs: the fields of the members that a SQL statement requests
	// filters are those of the view that act, as the model writes them.
	filters []string
}

// resolveWhere parses where_sql and resolves its names. On this plane every
// condition is one over rows.
func (rq *queryWithRoot) resolveWhere() (whereClause, error) {
	var out whereClause
	for _, m := range rq.asked.Members {
		ref, err := where.ResolveSubqueryConditionField(rq.names, m)
		if err != nil {
			return whereClause{}, err
		}
		out.among = append(out.among, out.refs.IndexOrAdd(ref))
	}
	if strings.TrimSpace(rq.q.WhereSQL) == "" {
		return out, nil
	}
	root, err := resolve.ParseCondition(where.WhereSQLKey, rq.q.WhereSQL)
	if err != nil {
		return whereClause{}, err
	}
	if rq.q.AsOf != "" {
		root = rq.in.Times.ResolveNow(root)
	}
	out.expr = root
	leaf := func(e sqlexpr.Expr) sqlexpr.Type {
		if r, ok := e.(*sqlexpr.Ref); ok {
			return out.refs[r.ID].Field.Type
		}
		return sqlexpr.TypeUnknown
	}
	for _, e := range sqlexpr.SplitConjuncts(root) {
		c, err := rq.resolveColumnsOfCondition(e, root, &out.refs)
		if err != nil {
			return whereClause{}, err
		}
		if rq.cat.IsExtendedForQuery() {
			if err := resolve.CheckTextFunctionCost(where.WhereSQLKey, c, func(e sqlexpr.Expr) int {
				if r, ok := e.(*sqlexpr.Ref); ok {
					return out.refs[r.ID].Field.TextBytes
				}
				return 0
			}); err != nil {
				return whereClause{}, err
			}
		}
		if c, err = coerce.CoerceCondition(where.WhereSQLKey, c, leaf, rq.in.Target.Caps.ZonesApart); err != nil {
			return whereClause{}, err
		}
		out.conds = append(out.conds, c)
	}
	return out, nil
}

// resolveColumnsOfCondition replaces every column of a conjunct by what it names.
func (rq *queryWithRoot) resolveColumnsOfCondition(e, condition sqlexpr.Expr, refs *resolve.Refs) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		ref, err := rq.resolveNameParts(resolve.NameTexts(col.Path))
		if err == nil && ref.Field.Encoding != nil {
			err = where.EncodedFieldInFilterError(ref)
		}
		if err != nil {
			rq.in.Target.Uses.AddFiltered(sqlexpr.FormatPath(resolve.NameTexts(col.Path)...))
			failed = rq.names.SuggestConditionRetry(err, col, where.WhereSQLKey, condition, func(string) bool { return false })
			return x
		}
		if uses := rq.in.Target.Uses; uses != nil {
			uses.AddFiltered(ref.Field.QualifiedName())
		}
		return &sqlexpr.Ref{Position: col.Position, ID: refs.IndexOrAdd(ref)}
	})
	return out, failed
}

// bindParams checks the params of the query, which the level-of-detail fields that it
// reads declare.
func (rq *queryWithRoot) bindParams(fields []projectedField, w whereClause) (scope.Bindings, error) {
	bound, err := scope.BindParams(rq.in, scope.Selection{})
	if err != nil {
		return bound, err
	}
	return bound, bound.CheckParams(where.LODParamsOfGroupsAndRefs(rq.in, nil, refsReadByQuery(fields, w, nil)))
}

// refsReadByQuery lists what a query reads, each reference once.
func refsReadByQuery(fields []projectedField, w whereClause, r *timeRange) resolve.Refs {
	var refs resolve.Refs
	for _, f := range fields {
		refs.IndexOrAdd(f.ref)
	}
	for _, ref := range w.refs {
		refs.IndexOrAdd(ref)
	}
	if r != nil {
		refs.IndexOrAdd(r.ref)
	}
	return refs
}

// Range is the time range of a query and its dimension.
type timeRange struct {
	interval timerange.Interval
	ref      resolve.Ref
}

// resolveRange reads time_range and finds its dimension; nil where there is none.
func (rq *queryWithRoot) resolveRange(fields []projectedField) (*timeRange, error) {
	q := rq.q.TimeRange
	if q == nil {
		return nil, rq.ctx.Err()
	}
	interval, err := rq.in.Times.ReadInterval("time_range", *q)
	if err != nil {
		return nil, err
	}
	var ref resolve.Ref
	if rq.viewDimension != nil {
		ref = *rq.viewDimension
	} else if ref, err = rq.resolveRangeDimension(fields, q.Dimension); err != nil {
		return nil, err
	}
	if err := where.CheckTimeRangeFitsDimension(rq.in, rq.names.Homes, interval, "", ref); err != nil {
		return nil, err
	}
	return &timeRange{interval, ref}, nil
}

// resolveRangeDimension returns the dimension of a time range that names one, or none.
func (rq *queryWithRoot) resolveRangeDimension(fields []projectedField, name string) (resolve.Ref, error) {
	rows := scope.RowDimension{In: rq.in, Root: rq.root}
	if name == "" {
		var projected []resolve.Ref
		for _, f := range fields {
			projected = append(projected, f.ref)
		}
		return rows.DefaultDimension(projected)
	}
	ref, err := rq.resolveReference(name)
	if err != nil {
		return resolve.Ref{}, rq.in.SuggestTimeDimensions(err, name, rows.DimensionCandidates(nil))
	}
	return ref, nil
}

// timeBoundsRead returns the part of the time line that the query reads of a field: all of it where no range
// is over the field.
func (d *resolvedQuery) timeBoundsRead(ref resolve.Ref) clock.TimeBounds {
	if d.rng == nil || !d.rng.ref.IsSame(ref) {
		return clock.TimeBounds{}
	}
	return d.rng.interval.OnClock(d.rooted.in.Times.Clock.ForField(ref.Field)).TimeBounds()
}
