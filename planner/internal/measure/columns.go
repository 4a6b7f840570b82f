package measure

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// The ranges of a query with compare, by their index: the range of the query, and then the earlier ones in the order of compare. Measures
// have it as their tag.
const (
	CurrentRangeIndex = iota
	FirstPreviousRangeIndex
)

// ExpandMetrics makes the result's metric columns: per metric, one for every
// combination of list-bound parameter values and every tag of time_ranges.
func ExpandMetrics(in *scope.Env, sel scope.Selection, groups []scope.Group, bound scope.Bindings) (Expansion, error) {
	x := NewExpander(in, sel, groups, bound)
	if err := (columnExpander{x}).expandAllColumns(); err != nil {
		return Expansion{}, err
	}
	if err := checkAttributesOfAllAxes(in, groups, x.out); err != nil {
		return x.Expansion(), err
	}
	return x.Expansion(), checkSupportedGrains(in, sel, groups, x.out)
}

// columnExpander makes the columns of the metrics of a query, and those of compare.
type columnExpander struct{ x *Expander }

func (ce columnExpander) expandAllColumns() error {
	ce.x.out.Columns = make([]Column, 0, expectedColumnCount(ce.x.in.Query, len(ce.x.metrics)))
	for _, m := range ce.x.metrics {
		for _, c := range ce.x.bound.ListParamValueCombinations(m) {
			if err := ce.addMetricColumns(m, c); err != nil {
				return err
			}
		}
	}
	return ce.addComparisonColumns()
}

// addMetricColumns makes the columns of a metric for one choice of parameter values.
func (ce columnExpander) addMetricColumns(m *catalog.Metric, c scope.Choice) error {
	switch {
	case ce.x.in.Query.Compare != nil:
		return ce.addMetricColumn(m, c, "", CurrentRangeIndex)
	case !ce.x.in.HasSeveralRanges():
		return ce.addMetricColumn(m, c, "", -1)
	}
	for i, r := range ce.x.in.Keys.TimeRanges {
		if err := ce.addMetricColumn(m, c, r.Tag, i); err != nil {
			return err
		}
	}
	return nil
}

func (ce columnExpander) addMetricColumn(m *catalog.Metric, c scope.Choice, tag string, index int) error {
	if err := ce.x.in.ContextError(); err != nil {
		return err
	}
	parts := append([]string{m.Name}, ce.x.bound.ColumnNameTokens(m, c)...)
	if tag != "" {
		parts = append(parts, tag)
	}
	expr, err := ce.x.MetricValue(m, Context{Choice: c, Tag: index, Owner: m.Name})
	if err != nil {
		return err
	}
	if err := ce.x.out.Sizes.AddToQuerySize(expr); err != nil {
		return err
	}
	bound, err := ce.x.bound.BoundParamsOfMetricColumn(m, c)
	if err != nil {
		return err
	}
	ce.x.out.Columns = append(ce.x.out.Columns, Column{
		Metric: m, Name: strings.Join(parts, "__"), Params: bound, Tag: tag, choice: c, Expr: expr,
		Typ: ce.x.TypeOf(expr),
	})
	return nil
}

// addComparisonColumns adds the columns of compare after those of the metrics, one comparison after another.
func (ce columnExpander) addComparisonColumns() error {
	count := len(ce.x.out.Columns) // of the metrics
	for comparison := range ce.x.in.Query.Compare {
		s := comparedMetricColumnFinder{ce.x.in, ce.x.groups, ce.x.out, comparison, len(ce.x.out.Columns) - count}
		s.cols.Columns = ce.x.out.Columns[:count]
		compared, err := s.comparedColumnIndexes()
		if err != nil {
			return err
		}
		for _, i := range compared {
			if err := ce.addComparison(comparison, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// addComparison adds the value of a column in the earlier range of a comparison, and what changed since.
func (ce columnExpander) addComparison(comparison, i int) error {
	c := ce.x.out.Columns[i]
	if err := ce.x.in.ContextError(); err != nil {
		return err
	}
	previous, err := ce.x.MetricValue(c.Metric, Context{Choice: c.choice, Tag: FirstPreviousRangeIndex + comparison, Owner: c.Metric.Name})
	if err != nil {
		return err
	}
	for _, kind := range comparisonColumnKinds {
		added := c
		added.Kind, added.Previous, added.Item, added.Comparison = kind, previous, i, comparison
		added.Name = ce.x.in.Query.Compare[comparison].ColumnName(c.Name, string(kind))
		value := added.ComparisonColumnExpr(c.Expr, previous)
		added.Typ = ce.x.TypeOf(value)
		if err := ce.x.out.Sizes.AddToQuerySize(value); err != nil {
			return err
		}
		ce.x.out.Columns = append(ce.x.out.Columns, added)
	}
	return nil
}

// comparisonColumnKinds are the columns that compare adds for each compared column.
var comparisonColumnKinds = [...]plan.ShareOrComparisonKind{plan.KindPrevious, plan.KindChange, plan.KindChangeRatio}

// IsShareOrComparison reports whether shares or compare adds the column.
func (c Column) IsShareOrComparison() bool {
	return c.Kind == plan.KindShare || c.Previous != nil
}

// ValueColumnNamesOfMetric lists the names of the columns that hold a metric itself.
func ValueColumnNamesOfMetric(columns []Column, m *catalog.Metric) []string {
	var names []string
	for _, c := range columns {
		if c.Metric == m && c.Kind == "" {
			names = append(names, c.Name)
		}
	}
	return names
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

// Share is a column that holds another one's value divided by its value at a level.
type Share struct {
	ShareColumn   int // its position among the columns of metrics
	DividedColumn int // that of the divided column
	Level         int
}

// ReadsWindow reports whether a window is in the column's value.
func (c Column) ReadsWindow(measures []*Ref) bool {
	for r := range sqlexpr.Refs(c.Expr) {
		if measures[r.ID].Window != nil {
			return true
		}
	}
	return false
}
