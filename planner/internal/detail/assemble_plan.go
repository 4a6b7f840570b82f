package detail

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// fieldReader reads fields along their routes from the root.
type fieldReader struct {
	root   *catalog.Dataset
	tree   *joins.Tree
	routes []joinpath.Route
}

// assemblePlan puts the plan together: projection, filters, order, limit.
func (d *resolvedQuery) assemblePlan(routes []joinpath.Route, tables joins.Tables) (*plan.PlannedQuery, error) {
	r := fieldReader{d.rooted.root, joins.New(d.rooted.cat, d.rooted.in.Target.Dialect, d.rooted.in.Target.Caps, d.rooted.root, tables), routes}
	cols, calendars, err := d.projectedColumns(r)
	if err != nil {
		return nil, err
	}
	filters, err := d.rowFilters(r)
	if err != nil {
		return nil, err
	}
	among, err := d.fieldsTestedByInSubqueries(r)
	if err != nil {
		return nil, err
	}
	from, err := r.tree.Plan()
	if err != nil {
		return nil, err
	}
	for _, t := range calendars {
		from = t.Join(from)
	}
	for _, f := range filters {
		from = &plan.Filter{Input: from, Conds: f.conds, Why: f.why}
	}
	for i, m := range d.rooted.asked.Members {
		ref := d.where.refs[d.where.among[i]]
		from = members.NewSemiJoin(from, among[i], ref.Field.Type, m.Not, m.Rows, where.WhereSQLKey)
	}
	all := &plan.Project{Input: from, Cols: cols}
	rows, err := d.orderRows(all)
	if err != nil {
		return nil, err
	}
	limit, warnings := d.effectiveLimit()
	if d.rooted.q.Offset > 0 {
		rows = &plan.Offset{Input: rows, N: d.rooted.q.Offset}
	}
	if limit != nil {
		rows = &plan.Limit{Input: rows, N: *limit}
	}
	ranges, err := where.DescribeRelativeRanges(d.rooted.in)
	if err != nil {
		return nil, err
	}
	out := &plan.PlannedQuery{
		Root: ranked.ReplaceMissingAggregates(rows, &d.rooted.in.Target.Caps), Columns: d.outputColumns(), Limit: limit, Warnings: warnings, ResolvedRanges: ranges,
	}
	if d.rooted.q.Count {
		count := ranked.ReplaceMissingAggregates(build.CountRows(all), &d.rooted.in.Target.Caps)
		out.Count = &plan.RowCount{Root: count, IsResult: limit == nil && d.rooted.q.Offset == 0}
	}
	return out, nil
}

// orderRows adds the order of the rows. Rows that nothing limits are ordered by the requested keys alone.
func (d *resolvedQuery) orderRows(rows plan.Node) (plan.Node, error) {
	keys, err := d.sortKeys()
	if err != nil {
		return nil, err
	}
	if d.rooted.asked.Unlimited && d.rooted.q.Limit == nil && d.rooted.q.Offset == 0 {
		keys = keys[:min(len(keys), len(d.rooted.q.OrderBy))]
	}
	if len(keys) == 0 {
		return rows, nil
	}
	return &plan.Sort{Input: rows, Keys: keys}, nil
}

// fieldsTestedByInSubqueries returns the fields of the conditions on the rows of subqueries.
func (d *resolvedQuery) fieldsTestedByInSubqueries(r fieldReader) ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	for _, at := range d.where.among {
		ref := d.where.refs[at]
		e, err := r.readRef(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, joins.TruncateDateFieldToDay(e, ref.Field))
	}
	return out, nil
}

// projectedColumns returns the projected fields, and the tables of calendars that they read.
func (d *resolvedQuery) projectedColumns(r fieldReader) ([]plan.NamedExpr, []periods.DayTable, error) {
	cols := make([]plan.NamedExpr, 0, len(d.fields))
	var calendars []periods.DayTable
	for _, f := range d.fields {
		e, err := r.readRef(f.ref)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case f.part != sqlexpr.PartNone:
			e = d.rooted.in.Times.Clock.PartExpr(e, f.ref.Field, f.part, d.timeBoundsRead(f.ref))
		case f.grain != sqlexpr.GrainNone:
			e = d.rooted.in.Times.Clock.BucketExpr(e, f.ref.Field, f.grain, d.timeBoundsRead(f.ref))
		}
		if f.period != nil {
			days, err := d.rooted.in.NewPeriodPlanner().PlanDayTable(f.period)
			if err != nil {
				return nil, nil, err
			}
			t := periods.NewDayTable(f.period, days, r.tree.UniqueAlias(f.period.Name), e)
			calendars = append(calendars, t)
			e = t.FirstDayOfPeriod()
		}
		cols = append(cols, plan.NamedExpr{Name: f.name, Expr: e, Type: f.typ})
	}
	return cols, calendars, nil
}

func (d *resolvedQuery) outputColumns() []plan.OutputColumn {
	out := make([]plan.OutputColumn, len(d.fields))
	for i, f := range d.fields {
		out[i] = plan.OutputColumn{Name: f.name, Type: f.typ}
	}
	return out
}

// effectiveLimit returns the query's, else the default; more than the maximum is cut to it, with a
// warning. A query that is not limited has its own limit or none.
func (d *resolvedQuery) effectiveLimit() (*int64, []planerr.QueryWarning) {
	limit := int64(defaultDetailLimit)
	switch {
	case d.rooted.asked.Unlimited:
		return d.rooted.q.Limit, nil
	case d.rooted.q.Limit == nil:
		return &limit, nil
	case *d.rooted.q.Limit > maxDetailLimit:
		limit = maxDetailLimit
		return &limit, []planerr.QueryWarning{{
			Code: planerr.WarningLimitClamped,
			Message: fmt.Sprintf("a detail query returns at most %d rows, so the limit %d was lowered to %d",
				maxDetailLimit, *d.rooted.q.Limit, maxDetailLimit),
		}}
	}
	limit = max(*d.rooted.q.Limit, 0)
	return &limit, nil
}

// readRef returns the expression that reads a reference.
func (r fieldReader) readRef(ref resolve.Ref) (sqlexpr.Expr, error) {
	for _, way := range r.routes {
		if way.Ref.IsSame(ref) {
			return r.tree.FieldExpr(r.tree.JoinPath(r.tree.Root(), way.Path, way.Named), ref.Field, "")
		}
	}
	return nil, scope.InternalError("no route to %s from %s", ref, r.root.Name)
}

// rowFilter is what becomes one node of the plan: conditions that come from one place.
type rowFilter struct {
	why   string
	conds []sqlexpr.Expr
}

func (d *resolvedQuery) rowFilters(r fieldReader) ([]rowFilter, error) {
	var out []rowFilter
	if len(d.where.conds) > 0 {
		conds := make([]sqlexpr.Expr, len(d.where.conds))
		for i, c := range d.where.conds {
			e, err := build.RewriteRefs(c, func(id int) (sqlexpr.Expr, error) { return r.readRef(d.where.refs[id]) })
			if err != nil {
				return nil, err
			}
			conds[i] = e
		}
		out = append(out, rowFilter{where.WhereSQLKey, conds})
	}
	if d.rng != nil {
		x, err := r.readRef(d.rng.ref)
		if err != nil {
			return nil, err
		}
		interval := d.rng.interval.OnClock(d.rooted.in.Times.Clock.ForField(d.rng.ref.Field))
		out = append(out, rowFilter{"time_range", interval.WithinConditions(x, d.rng.ref.Field)})
	}
	return out, nil
}

// sortKeys returns the requested keys, then the projected columns from left to right,
// until they tell rows apart. No key after the root's primary key changes the order,
// and that key alone is what an index serves.
func (d *resolvedQuery) sortKeys() ([]plan.SortKey, error) {
	var asked []plan.SortKey
	for _, o := range d.rooted.q.OrderBy {
		col, err := d.findOrderColumn(o)
		if err != nil {
			return nil, err
		}
		asked = append(asked, plan.SortKey{Col: col, Desc: o.Desc, NullsFirst: o.NullsFirst})
	}
	for i := range d.fields {
		asked = append(asked, plan.SortKey{Col: i})
	}
	var keys []plan.SortKey
	for _, k := range asked {
		if d.sortKeysCoverPrimaryKey(keys) {
			break
		}
		if !slices.ContainsFunc(keys, func(other plan.SortKey) bool { return other.Col == k.Col }) {
			k.NotNull = d.isPrimaryKeyField(d.fields[k.Col])
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// sortKeysCoverPrimaryKey reports whether the sort keys hold the root's primary key, after
// which no further key changes the order.
func (d *resolvedQuery) sortKeysCoverPrimaryKey(keys []plan.SortKey) bool {
	if len(d.rooted.root.PrimaryKey) == 0 {
		return false
	}
	for _, name := range d.rooted.root.PrimaryKey {
		if !slices.ContainsFunc(keys, func(k plan.SortKey) bool { return d.projectsRootColumn(d.fields[k.Col], name) }) {
			return false
		}
	}
	return true
}

// isPrimaryKeyField reports whether a projection is a column of the root's primary key. It is never
// NULL: SQL has it so of a primary key, and no join leaves out the root's own row.
func (d *resolvedQuery) isPrimaryKeyField(f projectedField) bool {
	return slices.ContainsFunc(d.rooted.root.PrimaryKey, func(name string) bool { return d.projectsRootColumn(f, name) })
}

// projectsRootColumn reports whether a projection is a plain column of the root.
func (d *resolvedQuery) projectsRootColumn(f projectedField, name string) bool {
	if !f.isStoredValue() || len(f.ref.Prefix) > 0 || f.ref.Field.Dataset != d.rooted.root {
		return false
	}
	col, ok := f.ref.Field.Expr.ForDialect(d.rooted.in.Target.Dialect).(*sqlexpr.Column)
	return ok && strings.EqualFold(col.Path[len(col.Path)-1].Text, name)
}

// findOrderColumn finds the projected column that an order key names.
func (d *resolvedQuery) findOrderColumn(o query.OrderBy) (int, error) {
	names := make([]string, len(d.fields))
	for i, f := range d.fields {
		names[i] = f.name
	}
	if i := slices.Index(names, o.Key); i >= 0 {
		return i, nil
	}
	meant, hasDirection := o.WithDirectionOfKey()
	e := &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    "order_by names " + o.Key + ", which is not a projected column",
		Candidates: suggest.Nearest(meant.Key, names, resolve.MaxCandidates),
	}
	key := e.Candidates[0]
	for _, f := range d.fields {
		if strings.EqualFold(f.queryText(), meant.Key) || strings.EqualFold(f.ref.Text(), meant.Key) {
			key = f.name
			break
		}
	}
	if hasDirection && key == meant.Key {
		e.Message += "; the direction is the key desc"
	}
	e.Fragment = map[string]any{"order_by": retry.ReplaceOrderKey(d.rooted.q.OrderBy, o, key)}
	return 0, e
}
