package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// PlanRollup plans the rows of a rollup over the base tables: those of a metric query with its groups and measures. The columns are those of its
// table, and the rows are in the order of its time group, then of the others.
func (p *Planner) PlanRollup(ctx context.Context, r *catalog.Rollup, t Target) (*Planned, error) {
	t.Rollups = nil
	return p.PlanMetrics(ctx, p.queryOfRollup(r), t)
}

// queryOfRollup returns the metric query that has the rows of a rollup.
func (p *Planner) queryOfRollup(r *catalog.Rollup) *query.MetricQuery {
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
	for i, m := range r.Measures {
		text := m.Text
		if m.Named {
			text = p.textOfMeasure(m.Measure)
		}
		q.Metrics = append(q.Metrics, m.Column)
		q.InlineMetrics = append(q.InlineMetrics, query.InlineMetric{Name: m.Column, Expression: text, Dataset: r.Of.Name, Index: i})
	}
	conds := make([]string, len(r.Where))
	for i, w := range r.Where {
		conds[i] = "(" + p.withDatasetOfBareNames(w.Text, r.Of) + ")"
	}
	q.ContextFilter = strings.Join(conds, " AND ")
	return q
}

// textOfMeasure returns the aggregate of a measure as a model writes it.
func (p *Planner) textOfMeasure(m *catalog.Measure) string {
	named := func(e sqlexpr.Expr) sqlexpr.Expr {
		if e == nil {
			return nil
		}
		return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
			if ref, ok := x.(*sqlexpr.Ref); ok {
				return p.cat.FieldByID(ref.ID).QualifiedNameExpr()
			}
			return nil
		})
	}
	return sqlexpr.Format(m.AggregateCall(named(m.Arg), named(m.OrderBy)))
}

// withDatasetOfBareNames writes the dataset before the names of its fields: in a condition of a rollup, a bare name is one of these.
func (p *Planner) withDatasetOfBareNames(text string, of *catalog.Dataset) string {
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
