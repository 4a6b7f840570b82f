package detail

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// whereClause is the condition of a query: as it was written, and by its conjuncts.
type whereClause struct {
	expr  sqlexpr.Expr // over names; nil where the query has none
	refs  resolve.Refs // what sqlexpr.Ref{ID} means in a conjunct
	conds []sqlexpr.Expr
}

// resolveWhere parses where_sql and resolves its names. On this plane every
// condition is one over rows.
func (d *source) resolveWhere() (whereClause, error) {
	if strings.TrimSpace(d.q.WhereSQL) == "" {
		return whereClause{}, nil
	}
	root, err := resolve.ParseCondition(metric.WhereKey, d.q.WhereSQL)
	if err != nil {
		return whereClause{}, err
	}
	out := whereClause{expr: root}
	leaf := func(e sqlexpr.Expr) sqlexpr.Type {
		if r, ok := e.(*sqlexpr.Ref); ok {
			return out.refs[r.ID].Field.Type
		}
		return sqlexpr.TypeUnknown
	}
	for _, e := range sqlexpr.Conjuncts(root) {
		c, err := d.resolveNames(e, root, &out.refs)
		if err != nil {
			return whereClause{}, err
		}
		if c, err = coerce.Condition(metric.WhereKey, c, leaf, d.in.Target.Caps.ZonesApart); err != nil {
			return whereClause{}, err
		}
		out.conds = append(out.conds, c)
	}
	return out, nil
}

// resolveNames replaces every column of a conjunct by what it names.
func (d *source) resolveNames(e, condition sqlexpr.Expr, refs *resolve.Refs) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		ref, err := d.resolveParts(resolve.Parts(col.Path))
		if err == nil && ref.Field.Encoding != nil {
			err = metric.EncodedFilterError(ref)
		}
		if err != nil {
			failed = d.names.SuggestSingleQuotes(err, col, metric.WhereKey, condition, func(string) bool { return false })
			return x
		}
		return &sqlexpr.Ref{At: col.At, ID: refs.Index(ref)}
	})
	return out, failed
}

// bindParams checks the params of the query, which the level-of-detail fields that it
// reads declare.
func (d *source) bindParams(fields []field, w whereClause) (metric.Bindings, error) {
	bound, err := metric.Bind(d.in, metric.Selection{})
	if err != nil {
		return bound, err
	}
	return bound, bound.CheckParams(metric.RowParams(d.in, nil, refsOf(fields, w, nil)))
}

// refsOf lists what a query reads, each reference once.
func refsOf(fields []field, w whereClause, r *timeRange) resolve.Refs {
	var refs resolve.Refs
	for _, f := range fields {
		refs.Index(f.ref)
	}
	for _, ref := range w.refs {
		refs.Index(ref)
	}
	if r != nil {
		refs.Index(r.ref)
	}
	return refs
}

// timeRange is the time range of a query and its dimension.
type timeRange struct {
	timerange.Interval
	ref resolve.Ref
}

// resolveRange reads time_range and finds its dimension; nil where there is none.
func (d *source) resolveRange(fields []field) (*timeRange, error) {
	q := d.q.TimeRange
	if q == nil {
		return nil, d.ctx.Err()
	}
	interval, err := timerange.Parse("time_range", *q)
	if err != nil {
		return nil, err
	}
	ref, err := d.rangeDimension(fields, q.Dimension)
	if err != nil {
		return nil, err
	}
	if err := metric.CheckRange(d.in, d.names.Homes, interval, "", ref); err != nil {
		return nil, err
	}
	return &timeRange{interval, ref}, nil
}

// rangeDimension is the dimension of a time range that names one, or none.
func (d *source) rangeDimension(fields []field, name string) (resolve.Ref, error) {
	if name == "" {
		return d.rangeField(fields)
	}
	ref, err := d.resolve(name)
	if err != nil {
		return resolve.Ref{}, metric.SuggestTimeDimensions(err, name, d.rangeNames(nil))
	}
	return ref, nil
}

// rangeField is the dimension of a time range that names none: the only
// projected time field, else the root's primary one, else the root's only one.
func (d *source) rangeField(fields []field) (resolve.Ref, error) {
	var projected []resolve.Ref
	for _, f := range fields {
		if f.ref.Field.IsTime && !slices.ContainsFunc(projected, f.ref.IsSame) {
			projected = append(projected, f.ref)
		}
	}
	if len(projected) == 1 {
		return projected[0], nil
	}
	if d.root.PrimaryTime != nil {
		return resolve.Ref{Field: d.root.PrimaryTime}, nil
	}
	var own []*catalog.Field
	for _, f := range d.root.Fields {
		if f.IsTime {
			own = append(own, f)
		}
	}
	if len(own) == 1 {
		return resolve.Ref{Field: own[0]}, nil
	}
	e := &planerr.Error{
		Code:       planerr.CodeTimeRangeNeedsDimension,
		Message:    "several time dimensions could be meant by time_range: name one as its dimension",
		Candidates: d.rangeNames(projected),
	}
	if len(e.Candidates) == 0 {
		e.Message = "time_range has no time dimension to apply to: " + d.root.Name + " reaches none"
		e.Fragment = map[string]any{"time_range": nil}
		return resolve.Ref{}, e
	}
	if len(e.Candidates) == 1 {
		e.Message = "neither the fields nor " + d.root.Name + " say which time dimension time_range means: name one as its dimension"
	}
	e.Fragment = map[string]any{"time_range": query.TimeRange{Start: d.q.TimeRange.Start, End: d.q.TimeRange.End, Dimension: e.Candidates[0]}}
	return resolve.Ref{}, e
}

// rangeNames lists the time dimensions that a range could name, those projected
// first, then the root's, then the others within reach: by each path where several
// lead to one.
func (d *source) rangeNames(projected []resolve.Ref) []string {
	refs := projected
	add := func(ref resolve.Ref) {
		if f := ref.Field; f.IsTime && f.HasCalendar() && f.ErrFor(d.in.Target.Dialect) == nil && !slices.ContainsFunc(refs, ref.IsSame) {
			refs = append(refs, ref)
		}
	}
	for _, f := range d.root.Fields {
		add(resolve.Ref{Field: f})
	}
	for _, f := range d.cat.Fields {
		paths := d.cat.SafePaths(d.root, f.Dataset, resolve.MaxCandidates)
		if len(paths) == 1 {
			add(resolve.Ref{Field: f})
			continue
		}
		for _, p := range paths {
			add(resolve.Ref{Prefix: p, Field: f})
		}
	}
	var names []string
	for _, ref := range refs {
		if ref.Field.HasCalendar() {
			names = append(names, ref.Text())
		}
	}
	return names[:min(len(names), resolve.MaxCandidates)]
}
