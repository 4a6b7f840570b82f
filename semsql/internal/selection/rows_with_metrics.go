package selection

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// mapRowsWithMetrics maps a select of rows that reads metrics: each row shows the metrics of itself, which are those of
// the groups by the primary key. Joins along relationships keep the rows of the root, and so the values of its metrics.
func mapRowsWithMetrics(ctx context.Context, c *selectClauses, in PlanningContext) (*MappedSelect, error) {
	key, ok := c.Schema.RelationOfDataset(c.Root).PrimaryKey()
	if !ok || c.Joined && c.readsMetricOfOtherDataset() {
		return nil, c.rowsWithMetricsNeedPrimaryKeyError()
	}
	grouped := *c
	for _, column := range key.Columns {
		grouped.groups = append(grouped.groups, c.Refs.Add(c.syntax.Pos(), resolve.Reference{Kind: resolve.FieldReferenceKind, Field: column.Field, Column: column.Name}))
	}
	for _, e := range c.itemAndOrderExprs() {
		for ref := range sqlexpr.Refs(e) {
			if c.Refs.ReferenceOf(ref).Kind == resolve.FieldReferenceKind {
				grouped.groups = append(grouped.groups, ref)
			}
		}
	}
	g, err := newAggregateSelect(&grouped)
	if err != nil {
		return nil, err
	}
	for _, m := range g.measures {
		if m.ref.Metric != nil && len(m.ref.Metric.WindowedMetrics(c.Dialect)) > 0 {
			return nil, sqlerror.New(sqlerror.CodeUnsupported, m.at, m.ref.Metric.Name+" is a window over groups, which a single row is not").
				WithHint("group by columns and select MEASURE(" + m.ref.Metric.Name + ")")
		}
	}
	// The count of rows keeps every row, also one without a row of some metric.
	rows := resolve.Reference{Kind: resolve.RowCountReferenceKind, Dataset: c.Root, Column: "count"}
	g.findOrAddMeasureColumn(measure{expr: c.Refs.Add(0, rows), ref: rows})
	m, err := newMetricQueryOfAggregateSelect(g, in.ContextFilter)
	if err != nil {
		return nil, err
	}
	return m.planQueryAndColumns(ctx, in)
}

// readsMetricOfOtherDataset reports whether the select may read a metric that does not aggregate the rows of the root alone. A metric of
// a dataset that is joined to itself may be of either side.
func (c *selectClauses) readsMetricOfOtherDataset() bool {
	roots := 0
	for _, source := range c.Sources {
		if source.Relation.Dataset == c.Root {
			roots++
		}
	}
	if roots > 1 {
		return true
	}
	for _, e := range c.itemAndOrderExprs() {
		for ref := range c.Refs.ReferencesOf(e) {
			if ref.Kind == resolve.MetricReferenceKind && (len(ref.Metric.Datasets) != 1 || ref.Metric.Datasets[0] != c.Root) {
				return true
			}
		}
	}
	return false
}

func (c *selectClauses) itemAndOrderExprs() []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, item := range c.items {
		out = append(out, item.Expr)
	}
	for _, key := range c.order {
		out = append(out, key.expr)
	}
	return out
}

// rowsWithMetricsNeedPrimaryKeyError rejects metrics in a select of rows of a dataset without a primary key.
func (c *selectClauses) rowsWithMetricsNeedPrimaryKeyError() error {
	var metric *catalog.Metric
	at := c.syntax.Pos()
	s := *c.syntax
	for _, item := range c.syntax.Items {
		column, ok := item.X.(*parse.Column)
		if !ok {
			continue
		}
		e, err := c.LowerExpr(column)
		if err != nil {
			continue
		}
		for ref := range c.Refs.ReferencesOf(e) {
			if ref.Kind == resolve.MetricReferenceKind && metric == nil {
				metric, at = ref.Metric, column.Pos()
			} else if ref.Kind == resolve.FieldReferenceKind {
				s.GroupBy = append(s.GroupBy, column)
			}
		}
	}
	e := sqlerror.New(sqlerror.CodeMeasureInRows, at, "a metric has no value in a row of "+c.Root.Name)
	if metric != nil {
		e = e.WithMetrics(metric.Name)
	}
	if len(s.GroupBy) > 0 {
		e = e.WithSuggestedStatement(c.FormatWithReplacedPart(c.syntax, func() parse.Node { return &s }))
	}
	return e
}
