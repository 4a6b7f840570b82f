package detail

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// fieldReader reads fields along their routes from the root.
type fieldReader struct {
	root   *catalog.Dataset
	tree   *joins.Tree
	routes []metric.Route
}

// assemble puts the plan together: projection, filters, order, limit.
func (d *resolvedQuery) assemble(routes []metric.Route, lod joins.LODSource) (*plan.Planned, error) {
	r := fieldReader{d.root, joins.New(d.in.Target.Dialect, d.in.Target.Caps.TextByCast, d.root, lod), routes}
	cols, err := d.columns(r)
	if err != nil {
		return nil, err
	}
	filters, err := d.filters(r)
	if err != nil {
		return nil, err
	}
	from, err := r.tree.Plan()
	if err != nil {
		return nil, err
	}
	for _, f := range filters {
		from = &plan.Filter{Input: from, Conds: f.conds, Why: f.why}
	}
	keys, err := d.sortKeys()
	if err != nil {
		return nil, err
	}
	limit, warnings := d.limit()
	var rows plan.Node = &plan.Sort{Input: &plan.Project{Input: from, Cols: cols}, Keys: keys}
	if d.q.Offset > 0 {
		rows = &plan.Offset{Input: rows, N: d.q.Offset}
	}
	return &plan.Planned{
		Root: &plan.Limit{Input: rows, N: limit}, Columns: d.outputColumns(), Limit: &limit, Warnings: warnings,
	}, nil
}

// columns are the projected fields.
func (d *resolvedQuery) columns(r fieldReader) ([]plan.NamedExpr, error) {
	cols := make([]plan.NamedExpr, 0, len(d.fields))
	for _, f := range d.fields {
		e, err := r.read(f.ref)
		if err != nil {
			return nil, err
		}
		if f.grain != sqlexpr.GrainNone {
			e = coerce.Bucket(e, f.ref.Field, f.grain)
		}
		cols = append(cols, plan.NamedExpr{Name: f.name, Expr: e, Type: f.typ})
	}
	return cols, nil
}

func (d *resolvedQuery) outputColumns() []plan.OutputColumn {
	out := make([]plan.OutputColumn, len(d.fields))
	for i, f := range d.fields {
		out[i] = plan.OutputColumn{Name: f.name, Type: f.typ}
	}
	return out
}

// limit is the query's, else the default; more than the maximum is cut to it, with a
// warning.
func (d *resolvedQuery) limit() (int64, []planerr.QueryWarning) {
	switch {
	case d.q.Limit == nil:
		return defaultLimit, nil
	case *d.q.Limit > maxLimit:
		return maxLimit, []planerr.QueryWarning{{
			Code: planerr.CodeLimitClamped,
			Message: fmt.Sprintf("a detail query returns at most %d rows, so the limit %d was lowered to %d",
				maxLimit, *d.q.Limit, maxLimit),
		}}
	}
	return max(*d.q.Limit, 0), nil
}

// read is the expression that reads a reference.
func (r fieldReader) read(ref resolve.Ref) (sqlexpr.Expr, error) {
	for _, way := range r.routes {
		if way.Ref.IsSame(ref) {
			return r.tree.FieldExpr(r.tree.Join(r.tree.Root(), way.Path, way.Named), ref.Field, "")
		}
	}
	return nil, metric.InternalError("no route to %s from %s", ref, r.root.Name)
}

// filter is what becomes one node of the plan: conditions that come from one place.
type filter struct {
	why   string
	conds []sqlexpr.Expr
}

func (d *resolvedQuery) filters(r fieldReader) ([]filter, error) {
	var out []filter
	if len(d.where.conds) > 0 {
		conds := make([]sqlexpr.Expr, len(d.where.conds))
		for i, c := range d.where.conds {
			e, err := metric.RewriteRefs(c, func(id int) (sqlexpr.Expr, error) { return r.read(d.where.refs[id]) })
			if err != nil {
				return nil, err
			}
			conds[i] = e
		}
		out = append(out, filter{metric.WhereKey, conds})
	}
	if d.rng != nil {
		x, err := r.read(d.rng.ref)
		if err != nil {
			return nil, err
		}
		out = append(out, filter{"time_range", d.rng.Within(x, d.rng.ref.Field)})
	}
	return out, nil
}

// sortKeys are the requested keys, then the projected columns from left to right,
// until they tell rows apart. No key behind the root's primary key changes the order,
// and that key alone is what an index serves.
func (d *resolvedQuery) sortKeys() ([]plan.SortKey, error) {
	var asked []plan.SortKey
	for _, o := range d.q.OrderBy {
		col, err := d.orderColumn(o)
		if err != nil {
			return nil, err
		}
		asked = append(asked, plan.SortKey{Col: col, Desc: o.Desc})
	}
	for i := range d.fields {
		asked = append(asked, plan.SortKey{Col: i})
	}
	var keys []plan.SortKey
	for _, k := range asked {
		if d.coversKey(keys) {
			break
		}
		if !slices.ContainsFunc(keys, func(other plan.SortKey) bool { return other.Col == k.Col }) {
			k.NotNull = d.isKey(d.fields[k.Col])
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// coversKey reports whether the sort keys hold the root's primary key, behind
// which no further key changes the order.
func (d *resolvedQuery) coversKey(keys []plan.SortKey) bool {
	if len(d.root.PrimaryKey) == 0 {
		return false
	}
	for _, name := range d.root.PrimaryKey {
		if !slices.ContainsFunc(keys, func(k plan.SortKey) bool { return d.projectsRootColumn(d.fields[k.Col], name) }) {
			return false
		}
	}
	return true
}

// isKey reports whether a projection is a column of the root's primary key. It is never
// NULL: SQL has it so of a primary key, and no join leaves out the root's own row.
func (d *resolvedQuery) isKey(f field) bool {
	return slices.ContainsFunc(d.root.PrimaryKey, func(name string) bool { return d.projectsRootColumn(f, name) })
}

// projectsRootColumn reports whether a projection is a plain column of the root.
func (d *resolvedQuery) projectsRootColumn(f field, name string) bool {
	if f.grain != sqlexpr.GrainNone || len(f.ref.Prefix) > 0 || f.ref.Field.Dataset != d.root {
		return false
	}
	col, ok := f.ref.Field.Expr.For(d.in.Target.Dialect).(*sqlexpr.Column)
	return ok && strings.EqualFold(col.Path[len(col.Path)-1].Text, name)
}

// orderColumn finds the projected column that an order key names.
func (d *resolvedQuery) orderColumn(o query.OrderBy) (int, error) {
	names := make([]string, len(d.fields))
	for i, f := range d.fields {
		names[i] = f.name
	}
	if i := slices.Index(names, o.Key); i >= 0 {
		return i, nil
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    "order_by names " + o.Key + ", which is not a projected column",
		Candidates: suggest.Nearest(o.Key, names, resolve.MaxCandidates),
	}
	key := e.Candidates[0]
	for _, f := range d.fields {
		if strings.EqualFold(f.queryText(), o.Key) || strings.EqualFold(f.ref.Text(), o.Key) {
			key = f.name
			break
		}
	}
	orders := slices.Clone(d.q.OrderBy)
	for i := range orders {
		if orders[i] == o {
			orders[i].Key = key
		}
	}
	e.Fragment = map[string]any{"order_by": orders}
	return 0, e
}
