package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The bounds of a detail query's limit.
const (
	defaultDetailLimit = 100
	maxDetailLimit     = limits.DetailRows
)

// PlanDetail plans a query of the detail plane: one row for each row of the
// root dataset, other datasets joined along edges that never multiply rows.
// Errors are as of PlanMetrics.
//
// The answer is always limited, and so always ordered: by the order keys, then
// by the remaining projected columns from left to right, until the root's
// primary key is among them. Rows that tie are equal in every column, so that
// which of them a limit keeps makes no difference.
func (p *Planner) PlanDetail(ctx context.Context, q *query.DetailQuery, t Target) (*Planned, error) {
	return settled(ctx, q, func(q *query.DetailQuery) (*Planned, error) { return p.planDetail(ctx, q, t) })
}

func (p *Planner) planDetail(ctx context.Context, q *query.DetailQuery, t Target) (*Planned, error) {
	d := &detail{ctx: ctx, planner: p, q: q, build: &build{
		cat:    p.cat,
		q:      &query.MetricQuery{TimeRange: q.TimeRange, Params: q.Params},
		target: t,
	}}
	err := inTurn(ctx,
		d.findRoot,
		d.resolveFields,
		d.checkDetailNames,
		d.resolveWhere,
		d.bindParams,
		d.checkParams,
		d.resolveRange,
		d.findRoutes,
	)
	if err != nil {
		return nil, err
	}
	return d.assemble()
}

// detail is one detail query on its way to a plan. The embedded build is what
// level-of-detail tables, parameters and time ranges are planned with; it
// selects no metrics and groups by nothing.
type detail struct {
	*build
	ctx     context.Context // of the call that this is the whole life of
	planner *Planner
	q       *query.DetailQuery
	root    *catalog.Dataset
	fields  []detailField
	where   sqlexpr.Expr // over names, as it was written
	conds   []cond
	rng     *timeRange
	tree    *joins.Tree
	routes  []route
}

// detailField is one projected field.
type detailField struct {
	text  string // as the query spells it, without the grain
	ref   scope.Ref
	grain sqlexpr.Grain
	name  string // output column
	typ   sqlexpr.Type
}

// spelled is the field as it stands in the query's fields.
func (f detailField) spelled() string { return withGrain(f.text, f.grain) }

func withGrain(text string, g sqlexpr.Grain) string {
	if g == sqlexpr.GrainNone {
		return text
	}
	return text + ":" + g.String()
}

// findRoot looks up the dataset whose rows the result has.
func (d *detail) findRoot() error {
	d.root = d.cat.Dataset(d.q.From)
	if d.root == nil {
		names := make([]string, len(d.cat.Datasets))
		for i, ds := range d.cat.Datasets {
			names[i] = ds.Name
		}
		message := "the model has no dataset named " + d.q.From
		if d.q.From == "" {
			message = "the query names no dataset in from"
		}
		e := &planerr.Error{
			Code:       planerr.CodeUnknownDataset,
			Message:    message,
			Candidates: suggest.Nearest(d.q.From, names, scope.MaxCandidates),
		}
		e.Fragment = d.fittingRoot(e.Candidates)
		return e
	}
	d.res = scope.Resolver{Cat: d.cat, Homes: []*catalog.Dataset{d.root}, Root: d.root}
	return nil
}

// fittingRoot is the nearest dataset from which the rest of the query plans.
func (d *detail) fittingRoot(names []string) map[string]any {
	for _, name := range names {
		if d.cat.Dataset(name) == nil {
			continue
		}
		q := *d.q
		q.From = name
		if _, err := d.planner.planDetail(d.ctx, &q, d.target); err == nil {
			return map[string]any{"from": name}
		}
	}
	return nil
}

// checkDetailNames refuses two projections of one output name.
func (d *detail) checkDetailNames() error {
	seen := make(map[string]bool, len(d.fields))
	for i, f := range d.fields {
		if key := strings.ToLower(f.name); !seen[key] {
			seen[key] = true
			continue
		}
		e := &planerr.Error{
			Code:    planerr.CodeDuplicateOutputName,
			Message: "two fields give the output column " + f.name,
		}
		fields := slices.Clone(d.q.Fields)
		if named, ok := d.role(f.ref); ok {
			fields[i] = withGrain(spell(named), f.grain)
			e.Message += "; spelled by its path, the second is the column " + named.Output()
		} else {
			fields = slices.Delete(fields, i, i+1)
		}
		e.Fragment = map[string]any{"fields": fields}
		return e
	}
	return nil
}

// role is an unprefixed reference by the one path that leads to it, under which
// its column has a name of its own. ok is false where there is no such path, or
// where the field is projected that way or twice the same way already.
func (d *detail) role(ref scope.Ref) (named scope.Ref, ok bool) {
	if len(ref.Prefix) > 0 || ref.Field.Dataset == d.root {
		return named, false
	}
	paths := d.cat.SafePaths(d.root, ref.Field.Dataset, 2)
	if len(paths) != 1 {
		return named, false
	}
	named = scope.Ref{Prefix: paths[0], Field: ref.Field}
	times := 0
	for _, f := range d.fields {
		if f.ref.Same(named) {
			return named, false
		}
		if f.ref.Same(ref) {
			times++
		}
	}
	return named, times == 1
}

// spell writes a reference as a query has to, with quotes where a name needs
// them.
func spell(ref scope.Ref) string {
	return sqlexpr.Format(columnOf(ref))
}

// columnOf is a reference as a name in a condition.
func columnOf(ref scope.Ref) *sqlexpr.Column {
	if len(ref.Prefix) == 0 {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: ref.Field.Dataset.Name}, {Text: ref.Field.Name}}}
	}
	path := make([]sqlexpr.Name, 0, len(ref.Prefix)+1)
	for _, s := range ref.Prefix {
		path = append(path, sqlexpr.Name{Text: s.Rel.Name})
	}
	return &sqlexpr.Column{Path: append(path, sqlexpr.Name{Text: ref.Field.Name})}
}
