package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// selectBuilder builds the node of a SELECT clause by clause, in the order in which SQL evaluates them. Its
// expressions are over the columns that the node has when their clause is built; after the columns of From are
// the scalar subqueries.
type selectBuilder struct {
	c       *Composer
	s       *Select
	node    plan.Node
	columns []sizedColumn
	scope   selectScope

	where, having     sqlexpr.Expr
	whereIn, havingIn []sqlexpr.Expr // the values
	groups            []sqlexpr.Expr
	items             []sqlexpr.Expr
	keys              []sqlexpr.Expr // of ORDER BY; nil for an item
	grouped           bool
	count             rowCountBound

	// Of the scalar subqueries beside the rows: the reference that means the first, and their columns.
	firstScalar int
	scalarAt    []int
}

// newSelectBuilder checks the expressions of a SELECT.
func (c *Composer) newSelectBuilder(s *Select) (*selectBuilder, error) {
	b := &selectBuilder{c: c, s: s, columns: s.From.visibleColumns(), count: s.From.oneRow}
	b.scope = selectScope{columns: b.columns, zonesApart: c.caps.ZonesApart}
	for _, sub := range s.Scalars {
		if len(sub.visibleColumns()) != 1 {
			return nil, &Error{Problem: ColumnCountMismatch, Message: "a scalar subquery has one column"}
		}
		if sub.oneRow == unknownRowCount {
			return nil, &Error{Problem: ScalarHasManyRows, Message: "a scalar subquery may have several rows: it has to be one aggregate without groups"}
		}
		b.scope.scalars = append(b.scope.scalars, sub.visibleColumns()[0])
	}
	for range s.Groupings {
		b.scope.scalars = append(b.scope.scalars, sizedColumn{Column: Column{Name: "grouping", Type: sqltype.Integer}, size: 1, textBytes: maxGroupingDigits})
	}
	if err := b.coerceExpressions(); err != nil {
		return nil, err
	}
	b.grouped = s.Grouped || len(s.Groupings) > 0 || s.Having != nil || len(s.HavingIn) > 0 || hasAggregate(b.items...) || hasAggregate(b.keys...)
	return b, nil
}

// coerceExpressions brings the expressions into the form that they are planned in.
func (b *selectBuilder) coerceExpressions() (err error) {
	s := b.s
	if b.where, err = b.scope.coerceCondition(s.Where, clauseWithoutAggregates); err != nil {
		return err
	}
	if b.whereIn, err = b.scope.coerceTestedValuesOfInConditions(s.WhereIn, clauseWithoutAggregates); err != nil {
		return err
	}
	for _, e := range s.GroupBy {
		if e, err = b.scope.coerceExpressionOperands(e, clauseWithoutAggregates); err != nil {
			return err
		}
		b.groups = append(b.groups, e)
	}
	if b.having, err = b.scope.coerceCondition(s.Having, clauseWithAggregates); err != nil {
		return err
	}
	if b.havingIn, err = b.scope.coerceTestedValuesOfInConditions(s.HavingIn, clauseWithAggregates); err != nil {
		return err
	}
	for _, item := range s.Items {
		e, err := b.scope.coerceExpressionOperands(item.Expr, clauseWithAggregatesAndWindows)
		if err != nil {
			return err
		}
		b.items = append(b.items, e)
	}
	return b.coerceOrderKeys()
}

func (b *selectBuilder) coerceOrderKeys() error {
	for _, k := range b.s.OrderBy {
		if k.Expr == nil {
			b.keys = append(b.keys, nil)
			continue
		}
		e, err := b.scope.coerceExpressionOperands(k.Expr, clauseWithAggregatesAndWindows)
		if err != nil {
			return err
		}
		b.keys = append(b.keys, e)
	}
	return nil
}

// filterRows adds WHERE.
func (b *selectBuilder) filterRows() error {
	return b.addFilter("WHERE", b.where, b.whereIn, b.s.WhereIn)
}

// filterGroups adds HAVING.
func (b *selectBuilder) filterGroups() error {
	return b.addFilter("HAVING", b.having, b.havingIn, b.s.HavingIn)
}

func (b *selectBuilder) addFilter(why string, condition sqlexpr.Expr, values []sqlexpr.Expr, all []InCondition) error {
	if condition != nil {
		b.wrapTooLargeNode(condition)
		b.node = &plan.Filter{Input: b.node, Conds: sqlexpr.SplitConjuncts(condition), Why: why}
	}
	for i, m := range all {
		if len(m.Rows.visibleColumns()) != 1 {
			return &Error{Problem: ColumnCountMismatch, Message: "IN reads a subquery of one column"}
		}
		typ, rows := sqlTypeOf(values[i], b.columns).Logical(), m.Rows.PlanNode()
		if err := members.CheckComparable("IN", typ, rows); err != nil {
			return err
		}
		b.wrapTooLargeNode(values[i])
		b.node = members.NewSemiJoin(b.node, values[i], typ, m.Not, rows, why)
	}
	if condition != nil || len(all) > 0 {
		b.count = min(b.count, oneRowAtMost)
	}
	return nil
}

// maxInlinedExprSize is the number of operators of expressions that are printed inside of others. Beyond it the columns
// are those of a subquery.
const maxInlinedExprSize = 2000

// wrapTooLargeNode puts the node into a subquery where expressions over it grow too large with what its columns compute.
func (b *selectBuilder) wrapTooLargeNode(over ...sqlexpr.Expr) {
	total := 0
	for _, e := range over {
		total += exprSize(e, b.columns)
	}
	if total <= maxInlinedExprSize {
		return
	}
	r := b.c.newDerivedRows(&Rows{node: b.node, columns: b.columns, visible: len(b.columns)}, b.c.newAlias(), "")
	b.node, b.columns = r.node, r.columns
}

// newColumn returns the column of an expression over the columns. A column by itself stays one of its metric.
func newColumn(name string, e sqlexpr.Expr, columns []sizedColumn) sizedColumn {
	out := sizedColumn{Column: Column{Name: name, Type: sqlTypeOf(e, columns)}, size: exprSize(e, columns), textBytes: estimateTextValueBytes(e, columns)}
	if r, ok := e.(*sqlexpr.Ref); ok && r.ID < len(columns) {
		out.Metric, out.Kind = columns[r.ID].Metric, columns[r.ID].Kind
	}
	return out
}

// newNamedExprs returns the expressions as columns of a node.
func newNamedExprs(exprs []sqlexpr.Expr, columns []sizedColumn) []plan.NamedExpr {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	out := make([]plan.NamedExpr, len(exprs))
	for i, name := range distinctColumnNames(names) {
		out[i] = plan.NamedExpr{Name: name, Expr: exprs[i], Type: columns[i].Type.Logical()}
	}
	return out
}

// addSelectedColumns adds the selected columns, DISTINCT, and the order and limit of the rows.
func (b *selectBuilder) addSelectedColumns() (*Rows, error) {
	exprs := b.items[:len(b.items):len(b.items)]
	out := &Rows{visible: len(b.items), oneRow: b.count}
	for i, e := range b.items {
		out.columns = append(out.columns, newColumn(b.s.Items[i].Name, e, b.columns))
	}
	for i, k := range b.s.OrderBy {
		at := k.Item
		if b.keys[i] != nil {
			if at = indexOfExpr(exprs, b.keys[i]); at < 0 {
				at = len(exprs)
				exprs = append(exprs, b.keys[i])
				out.columns = append(out.columns, newColumn("order_key", b.keys[i], b.columns))
			}
		}
		out.tail.keys = appendSortKey(out.tail.keys, plan.SortKey{Col: at, Desc: k.Desc, NullsFirst: k.NullsFirst})
	}
	if b.s.Distinct && len(exprs) > len(b.items) {
		return nil, &Error{Problem: DistinctOrderUnselected, Message: "a SELECT DISTINCT is ordered by what it selects", At: exprs[len(b.items)]}
	}
	b.wrapTooLargeNode(exprs...)
	out.node = &plan.Project{Input: b.node, Cols: newNamedExprs(exprs, out.columns)}
	if b.s.Distinct {
		out = b.c.distinctRows(out)
	}
	return out.LimitedRows(b.s.Limit, b.s.Offset), nil
}

// appendSortKey appends a sort key, unless its column is one already.
func appendSortKey(keys []plan.SortKey, k plan.SortKey) []plan.SortKey {
	for _, other := range keys {
		if other.Col == k.Col {
			return keys
		}
	}
	return append(keys, k)
}

// distinctRows returns the rows, each once. They keep their order.
func (c *Composer) distinctRows(r *Rows) *Rows {
	out := *r
	out.node = &plan.Aggregate{Input: r.node, Keys: r.node.Schema().ColumnRefs()}
	return &out
}

func sqlTypeOf(e sqlexpr.Expr, columns []sizedColumn) sqltype.Type {
	return sqltype.TypeOfExpr(e, func(leaf sqlexpr.Expr) sqltype.Type {
		if r, ok := leaf.(*sqlexpr.Ref); ok && r.ID < len(columns) {
			return columns[r.ID].Type
		}
		return sqltype.Unknown
	})
}
