package measure

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// The ranges of a query with compare, by their index: the range of the query, and then the earlier ones in the order of compare. Measures
// have it as their tag.
const (
	CurrentRangeIndex = iota
	FirstPreviousRangeIndex
)

// comparisonColumnKinds are the columns that compare adds for each compared column.
var comparisonColumnKinds = [...]plan.ShareOrComparisonKind{plan.KindPrevious, plan.KindChange, plan.KindChangeRatio}

// addComparisonColumns adds the columns of compare after those of the metrics, one comparison after another.
func (x *Expander) addComparisonColumns() error {
	count := len(x.out.Columns) // of the metrics
	for comparison := range x.in.Query.Compare {
		s := comparedMetricColumnFinder{x.in, x.groups, x.out, comparison, len(x.out.Columns) - count}
		s.cols.Columns = x.out.Columns[:count]
		compared, err := s.comparedColumnIndexes()
		if err != nil {
			return err
		}
		for _, i := range compared {
			if err := x.addComparisonOfColumn(comparison, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// addComparisonOfColumn adds the value of a column in the earlier range of a comparison, and what changed since.
func (x *Expander) addComparisonOfColumn(comparison, i int) error {
	c := x.out.Columns[i]
	if err := x.in.ContextError(); err != nil {
		return err
	}
	previous, err := x.MetricValue(c.Metric, Context{Choice: c.choice, Tag: FirstPreviousRangeIndex + comparison, Owner: c.Metric.Name})
	if err != nil {
		return err
	}
	for _, kind := range comparisonColumnKinds {
		added := c
		added.Kind, added.Previous, added.Item, added.Comparison = kind, previous, i, comparison
		added.Name = x.in.Query.Compare[comparison].ColumnName(c.Name, string(kind))
		value := added.ComparisonColumnExpr(c.Expr, previous)
		added.Typ = x.TypeOf(value)
		if err := x.out.Sizes.AddToQuerySize(value); err != nil {
			return err
		}
		x.out.Columns = append(x.out.Columns, added)
	}
	return nil
}

// ComparisonColumnExpr returns the value of a column: current is its metric in the range of the query, previous
// in the earlier one.
func (c Column) ComparisonColumnExpr(current, previous sqlexpr.Expr) sqlexpr.Expr {
	change := func() sqlexpr.Expr { return &sqlexpr.Binary{Op: sqlexpr.OpSub, L: current, R: previous} }
	switch c.Kind {
	case plan.KindPrevious:
		return previous
	case plan.KindChange:
		return change()
	case plan.KindChangeRatio:
		return &sqlexpr.SafeDivide{L: change(), R: previous}
	}
	return current
}
