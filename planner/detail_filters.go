package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// resolveWhere parses where_sql and resolves its names. On this plane every
// condition is one over rows.
func (d *detail) resolveWhere() error {
	if strings.TrimSpace(d.q.WhereSQL) == "" {
		return nil
	}
	root, err := scope.ParseCondition(whereKey, d.q.WhereSQL)
	if err != nil {
		return err
	}
	d.where = root
	for _, e := range sqlexpr.Conjuncts(root) {
		c := cond{}
		var failed error
		c.expr = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
			col, ok := x.(*sqlexpr.Column)
			if !ok || failed != nil {
				return nil
			}
			ref, err := d.resolveParts(scope.Parts(col.Path))
			if err == nil && ref.Field.Encoding != nil {
				err = encodedInFilter(ref)
			}
			if err != nil {
				failed = d.res.SuggestSingleQuotes(err, col, whereKey, root, func(string) bool { return false })
				return x
			}
			id := d.refID(ref)
			c.refs = append(c.refs, id)
			return &sqlexpr.Ref{At: col.At, ID: id}
		})
		if failed != nil {
			return failed
		}
		if c.expr, err = coerce.Condition(whereKey, c.expr, d.leafType, d.target.Caps.ZonesApart); err != nil {
			return err
		}
		d.conds = append(d.conds, c)
	}
	return nil
}

// resolveRange reads time_range and finds its dimension.
func (d *detail) resolveRange() error {
	q := d.q.TimeRange
	if q == nil {
		return nil
	}
	interval, err := timerange.Parse("time_range", *q)
	if err != nil {
		return err
	}
	r := timeRange{Interval: interval}
	if q.Dimension == "" {
		r.ref, err = d.rangeField()
	} else if r.ref, err = d.resolve(q.Dimension); err != nil {
		err = rangeName(err, q.Dimension, d.rangeNames(nil))
	}
	if err != nil {
		return err
	}
	if err := rangeable(&r, d.build); err != nil {
		return err
	}
	d.refID(r.ref)
	d.rng = &r
	return nil
}

// rangeField is the dimension of a time range that names none: the only
// projected time field, else the root's primary one, else the root's only one.
func (d *detail) rangeField() (scope.Ref, error) {
	var projected []scope.Ref
	for _, f := range d.fields {
		if f.ref.Field.IsTime && !slices.ContainsFunc(projected, f.ref.Same) {
			projected = append(projected, f.ref)
		}
	}
	if len(projected) == 1 {
		return projected[0], nil
	}
	if d.root.PrimaryTime != nil {
		return scope.Ref{Field: d.root.PrimaryTime}, nil
	}
	var own []*catalog.Field
	for _, f := range d.root.Fields {
		if f.IsTime {
			own = append(own, f)
		}
	}
	if len(own) == 1 {
		return scope.Ref{Field: own[0]}, nil
	}
	e := &planerr.Error{
		Code:       planerr.CodeTimeRangeNeedsDimension,
		Message:    "several time dimensions could be meant by time_range: name one as its dimension",
		Candidates: d.rangeNames(projected),
	}
	if len(e.Candidates) == 0 {
		e.Message = "time_range has no time dimension to apply to: " + d.root.Name + " reaches none"
		e.Fragment = map[string]any{"time_range": nil}
		return scope.Ref{}, e
	}
	if len(e.Candidates) == 1 {
		e.Message = "neither the fields nor " + d.root.Name + " say which time dimension time_range means: name one as its dimension"
	}
	e.Fragment = map[string]any{"time_range": query.TimeRange{Start: d.q.TimeRange.Start, End: d.q.TimeRange.End, Dimension: e.Candidates[0]}}
	return scope.Ref{}, e
}

// rangeNames lists the time dimensions that a range could name, those projected
// first, then the root's, then the others within reach: by each path where several
// lead to one.
func (d *detail) rangeNames(projected []scope.Ref) []string {
	refs := projected
	add := func(ref scope.Ref) {
		if f := ref.Field; f.IsTime && f.HasCalendar() && f.ErrFor(d.target.Dialect) == nil && !slices.ContainsFunc(refs, ref.Same) {
			refs = append(refs, ref)
		}
	}
	for _, f := range d.root.Fields {
		add(scope.Ref{Field: f})
	}
	for _, f := range d.cat.Fields {
		paths := d.cat.SafePaths(d.root, f.Dataset, maxPaths)
		if len(paths) == 1 {
			add(scope.Ref{Field: f})
			continue
		}
		for _, p := range paths {
			add(scope.Ref{Prefix: p, Field: f})
		}
	}
	var names []string
	for _, ref := range refs {
		if ref.Field.HasCalendar() {
			names = append(names, spell(ref))
		}
	}
	return names[:min(len(names), scope.MaxCandidates)]
}
