package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// assemble builds the plan: the root with its joins, filtered, projected,
// ordered and limited.
func (d *detail) assemble() (*Planned, error) {
	d.tree = joins.New(d.target.Dialect, d.target.Caps.TextByCast, d.root, d.lodTable)
	project := &plan.Project{}
	out := &Planned{}
	for _, f := range d.fields {
		e, err := d.read(f.ref)
		if err != nil {
			return nil, err
		}
		if f.grain != sqlexpr.GrainNone {
			e = coerce.Bucket(e, f.ref.Field, f.grain)
		}
		project.Cols = append(project.Cols, plan.Named{Name: f.name, Expr: e, Type: f.typ})
		out.Columns = append(out.Columns, OutputColumn{Name: f.name, Type: f.typ})
	}
	filters, err := d.detailFilters()
	if err != nil {
		return nil, err
	}
	from, err := d.tree.Plan()
	if err != nil {
		return nil, err
	}
	for _, f := range filters {
		f.Input = from
		from = f
	}
	project.Input = from
	keys, err := d.detailKeys()
	if err != nil {
		return nil, err
	}
	limit, warnings := d.limit()
	out.Limit, out.Warnings = &limit, warnings
	out.Root = &plan.Limit{Input: &plan.Sort{Input: project, Keys: keys}, N: limit}
	return out, nil
}

// limit is the query's, else the default; more than the maximum is cut to it, with a
// warning.
func (d *detail) limit() (int64, []planerr.QueryWarning) {
	switch {
	case d.q.Limit == nil:
		return defaultDetailLimit, nil
	case *d.q.Limit > maxDetailLimit:
		return maxDetailLimit, []planerr.QueryWarning{{
			Code: planerr.CodeLimitClamped,
			Message: fmt.Sprintf("a detail query returns at most %d rows, so the limit %d was lowered to %d",
				maxDetailLimit, *d.q.Limit, maxDetailLimit),
		}}
	}
	return max(*d.q.Limit, 0), nil
}

// read is the expression that reads a reference from the root's row.
func (d *detail) read(ref scope.Ref) (sqlexpr.Expr, error) {
	for _, r := range d.routes {
		if r.ref.Same(ref) {
			return d.tree.Bind(d.tree.Join(d.tree.Root(), r.path, r.named), ref.Field, "")
		}
	}
	return nil, internal("no route to %s from %s", ref, d.root.Name)
}

func (d *detail) detailFilters() ([]*plan.Filter, error) {
	var out []*plan.Filter
	if len(d.conds) > 0 {
		f := &plan.Filter{Why: "where_sql"}
		for _, c := range d.conds {
			e, err := rewriteRefs(c.expr, func(id int) (sqlexpr.Expr, error) { return d.read(d.refs[id]) })
			if err != nil {
				return nil, err
			}
			f.Conds = append(f.Conds, e)
		}
		out = append(out, f)
	}
	if d.rng != nil {
		x, err := d.read(d.rng.ref)
		if err != nil {
			return nil, err
		}
		out = append(out, &plan.Filter{Why: "time_range", Conds: d.rng.Within(x, d.rng.field)})
	}
	return out, nil
}

// detailKeys are the requested keys, then the projected columns from left to right,
// until they tell rows apart. No key behind the root's primary key changes the order,
// and that key alone is what an index serves.
func (d *detail) detailKeys() ([]plan.SortKey, error) {
	var asked []plan.SortKey
	for _, o := range d.q.OrderBy {
		col, err := d.detailOrderColumn(o)
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
func (d *detail) coversKey(keys []plan.SortKey) bool {
	if len(d.root.PrimaryKey) == 0 {
		return false
	}
	for _, name := range d.root.PrimaryKey {
		if !slices.ContainsFunc(keys, func(k plan.SortKey) bool { return d.isColumn(d.fields[k.Col], name) }) {
			return false
		}
	}
	return true
}

// isKey reports whether a projection is a column of the root's primary key. It is never
// NULL: SQL has it so of a primary key, and no join leaves out the root's own row.
func (d *detail) isKey(f detailField) bool {
	return slices.ContainsFunc(d.root.PrimaryKey, func(name string) bool { return d.isColumn(f, name) })
}

// isColumn reports whether a projection is a plain column of the root.
func (d *detail) isColumn(f detailField, name string) bool {
	if f.grain != sqlexpr.GrainNone || len(f.ref.Prefix) > 0 || f.ref.Field.Dataset != d.root {
		return false
	}
	col, ok := f.ref.Field.Expr.For(d.target.Dialect).(*sqlexpr.Column)
	return ok && strings.EqualFold(col.Path[len(col.Path)-1].Text, name)
}

// detailOrderColumn finds the projected column that an order key names.
func (d *detail) detailOrderColumn(o query.OrderBy) (int, error) {
	names := make([]string, len(d.fields))
	for i, f := range d.fields {
		names[i] = f.name
	}
	if i := slices.Index(names, o.Key); i >= 0 {
		return i, nil
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    "order_by names " + o.Key + ", which is no projected column",
		Candidates: suggest.Nearest(o.Key, names, scope.MaxCandidates),
	}
	key := e.Candidates[0]
	for _, f := range d.fields {
		if strings.EqualFold(f.spelled(), o.Key) || strings.EqualFold(spell(f.ref), o.Key) {
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
