package measure

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// The ranges of a query with compare, by their index. Measures have it as their tag.
const (
	CurrentRangeIndex = iota
	PreviousRangeIndex
)

// PreviousRangeTag is in the names of what is computed for the earlier range.
const PreviousRangeTag = "previous"

// comparisonColumnKinds are the columns that compare adds for each compared column.
var comparisonColumnKinds = [...]plan.ShareOrComparisonKind{plan.KindPrevious, plan.KindChange, plan.KindChangeRatio}

// addComparisonColumns adds the columns of compare after those of the metrics.
func (x *Expander) addComparisonColumns() error {
	s := comparedMetricColumnFinder{x.in, x.groups, x.out}
	compared, err := s.comparedColumnIndexes()
	if err != nil {
		return err
	}
	for _, i := range compared {
		if err := x.addComparisonOfColumn(i); err != nil {
			return err
		}
	}
	return nil
}

// addComparisonOfColumn adds the value of a column in the earlier range, and what changed since.
func (x *Expander) addComparisonOfColumn(i int) error {
	c := x.out.Columns[i]
	if err := x.in.ContextError(); err != nil {
		return err
	}
	previous, err := x.MetricValue(c.Metric, Context{Choice: c.choice, Tag: PreviousRangeIndex, Owner: c.Metric.Name})
	if err != nil {
		return err
	}
	for _, kind := range comparisonColumnKinds {
		added := c
		added.Kind, added.Previous, added.Item = kind, previous, i
		added.Name = x.in.Query.Compare.ColumnName(c.Name, string(kind))
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
