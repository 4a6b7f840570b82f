package planner

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// PlanRollup plans the rows of a rollup over the base tables: those of a metric query with its groups and measures. The columns are those of its
// table, and the rows are in the order of its time group, then of the others.
func (p *Planner) PlanRollup(ctx context.Context, r *catalog.Rollup, t Target) (*Planned, error) {
	return p.planRollup(ctx, r, queryOfRollup(r), t)
}

// PlanEmptyRollup plans the columns of a rollup over no row of the base tables. See PlanRollup.
func (p *Planner) PlanEmptyRollup(ctx context.Context, r *catalog.Rollup, t Target) (*Planned, error) {
	q := queryOfRollup(r)
	q.OrderBy, q.ContextFilter = nil, "1 = 0"
	return p.planRollup(ctx, r, q, t)
}

// PlanRollupSince plans the rows of a rollup whose time of the partition is at or after a time, in any order; with those that have none where
// asked. See PlanRollup.
func (p *Planner) PlanRollupSince(ctx context.Context, r *catalog.Rollup, since time.Time, withoutTime bool, t Target) (*Planned, error) {
	q := queryOfRollup(r)
	q.OrderBy = nil
	whole := q.ContextFilter
	if early := conditionSince(r, since, withoutTime); whole == "" {
		q.ContextFilter = early
	} else {
		q.ContextFilter = "(" + whole + ") AND " + early
	}
	planned, err := p.planRollup(ctx, r, q, t)
	if err != nil { // the field does not compare with a constant
		q.ContextFilter = whole
		if planned, err = p.planRollup(ctx, r, q, t); err != nil {
			return nil, err
		}
	}
	columns := planned.Root.Schema()
	cond := RollupSince(&sqlexpr.Ref{ID: r.Refresh.Group}, columns[r.Refresh.Group].Type, since, withoutTime)
	planned.Root = &plan.Project{Input: &plan.Filter{Input: planned.Root, Conds: []sqlexpr.Expr{cond}, Why: "partition"}, Cols: columns.ColumnRefs()}
	return planned, nil
}

// RollupSince returns the condition that a time of a type is at or after another, or is missing where asked.
func RollupSince(x sqlexpr.Expr, typ sqlexpr.Type, since time.Time, withoutTime bool) sqlexpr.Expr {
	text, literal := since.Format("2006-01-02 15:04:05.999999"), sqlexpr.TypeTimestamp
	if typ == sqlexpr.TypeDate {
		text, literal = since.Format(time.DateOnly), sqlexpr.TypeDate
	}
	var out sqlexpr.Expr = &sqlexpr.Binary{Op: sqlexpr.OpGe, L: x, R: &sqlexpr.TypedLiteral{Type: literal, Value: text}}
	if withoutTime {
		out = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: out, R: &sqlexpr.IsNull{X: x}}
	}
	return out
}

// PlanFreshRollup plans the rows of a rollup: those of its table before a time, and those without one, and the rows over the base tables from then
// on.
func (p *Planner) PlanFreshRollup(ctx context.Context, r *catalog.Rollup, cut time.Time, t Target) (plan.FreshRows, error) {
	table := r.Source
	if t.Rollups != nil {
		table = t.Rollups.TableOf(r.Name, r.Source)
	}
	base, err := p.PlanRollupSince(ctx, r, cut, false, t)
	if err != nil {
		return plan.FreshRows{}, err
	}
	scan := &plan.Scan{Dataset: r.Of.Name, Source: table, Alias: r.Name, Rollup: r.Name}
	stored := &plan.Project{}
	for _, c := range base.Root.Schema() {
		stored.Cols = append(stored.Cols, plan.NamedExpr{Name: c.Name, Expr: sqlexpr.NewTwoPartColumn(r.Name, sqlexpr.Name{Text: c.Name, Quoted: true}), Type: c.Type})
	}
	at := stored.Cols[r.Refresh.Group]
	since := RollupSince(at.Expr, at.Type, cut, false).(*sqlexpr.Binary) //nolint:forcetypeassert // without rows that have no time, it is one comparison
	before := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.Binary{Op: sqlexpr.OpLt, L: since.L, R: since.R}, R: &sqlexpr.IsNull{X: at.Expr}}
	stored.Input = &plan.Filter{Input: scan, Conds: []sqlexpr.Expr{before}, Why: "before the fresh rows"}
	return plan.FreshRows{Cut: cut, Rows: &plan.Union{Rows: []plan.Node{stored, base.Root}}}, nil
}

// sinceMargin is more than the difference between two clocks of one instant.
const sinceMargin = 48 * time.Hour

// conditionSince returns a condition that all rows of the base tables meet whose time of the partition is at or after a time: the warehouse skips
// most others by it.
func conditionSince(r *catalog.Rollup, since time.Time, withoutTime bool) string {
	f := r.Groups[r.Refresh.Group].Field
	name := sqlexpr.Format(f.QualifiedNameExpr())
	since = since.Add(-sinceMargin)
	text := name + " >= TIMESTAMP '" + since.Format("2006-01-02 15:04:05") + "'"
	if f.SourceField().Type == sqlexpr.TypeDate {
		text = name + " >= DATE '" + since.Format(time.DateOnly) + "'"
	}
	if withoutTime {
		text = "(" + text + " OR " + name + " IS NULL)"
	}
	return text
}

// RollupCut returns the beginning of the partition that is the lookback of a rollup before that of a time.
func RollupCut(cat *catalog.Catalog, r *catalog.Rollup, last time.Time) (time.Time, error) {
	c, err := clock.New(cat, "", "", nil)
	if err != nil {
		return time.Time{}, err
	}
	c = c.WithoutZone()
	cut := c.FloorTime(last, r.Refresh.Partition)
	for range r.Refresh.Lookback {
		cut = c.FloorTime(cut.Add(-1), r.Refresh.Partition)
	}
	return cut, nil
}

func (p *Planner) planRollup(ctx context.Context, r *catalog.Rollup, q *query.MetricQuery, t Target) (*Planned, error) {
	t.Rollups = nil
	measured := p.cat.ExtendForQuery()
	for _, m := range r.Measures { // which no expression of a query need be able to write
		measured.AddMetric(&catalog.Metric{
			Name: m.Column, Datasets: []*catalog.Dataset{r.Of}, Type: m.Measure.Type,
			Forms: catalog.DialectVariants[*catalog.ArithmeticOverOperands]{Default: &catalog.ArithmeticOverOperands{
				Expr: &sqlexpr.Ref{}, Operands: []catalog.Operand{m.Measure},
			}},
		})
	}
	return metric.PlanWithExtendedCatalog(ctx, measured, q, t)
}

// queryOfRollup returns the metric query that has the rows of a rollup.
func queryOfRollup(r *catalog.Rollup) *query.MetricQuery {
	q := &query.MetricQuery{Distinct: len(r.Measures) == 0}
	if q.Distinct {
		q.From = r.Of.Name
	}
	for _, timesFirst := range []bool{true, false} {
		for _, g := range r.Groups {
			if g.Field.SourceField().IsTime == timesFirst {
				q.OrderBy = append(q.OrderBy, query.OrderBy{Key: g.Column})
			}
		}
	}
	for _, g := range r.Groups {
		item := query.GroupBy{Field: sqlexpr.Format(g.Field.QualifiedNameExpr()), Name: g.Column}
		if g.Grain != sqlexpr.GrainNone {
			item.Grain = g.Grain.String()
		}
		q.GroupBy = append(q.GroupBy, item)
	}
	for _, m := range r.Measures {
		q.Metrics = append(q.Metrics, m.Column)
	}
	conds := make([]string, len(r.Where))
	for i, w := range r.Where {
		conds[i] = "(" + withDatasetOfBareNames(w.Text, r.Of) + ")"
	}
	q.ContextFilter = strings.Join(conds, " AND ")
	return q
}

// withDatasetOfBareNames writes the dataset before the names of its fields: in a condition of a rollup, a bare name is one of these.
func withDatasetOfBareNames(text string, of *catalog.Dataset) string {
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return text
	}
	return sqlexpr.Format(sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Column)
		if !ok || len(c.Path) != 1 || of.Field(c.Path[0].Text) == nil {
			return nil
		}
		return &sqlexpr.Column{Path: slices.Insert(slices.Clone(c.Path), 0, sqlexpr.Name{Text: of.Name})}
	}))
}
