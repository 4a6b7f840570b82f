package planner

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/query"
)

// PlanRollup plans the rows of a rollup over the base tables: those of a metric query with its groups and measures. The columns are those of its
// table, and the rows are in the order of its time group, then of the others.
func (p *Planner) PlanRollup(ctx context.Context, r *catalog.Rollup, t Target) (*Planned, error) {
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
	return metric.PlanWithExtendedCatalog(ctx, measured, queryOfRollup(r), t)
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
