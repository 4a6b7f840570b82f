package selection

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// selectClauses are the parts of a select, its names resolved.
type selectClauses struct {
	*resolve.Scope
	query  *parse.Query
	syntax *parse.Select

	items  []resolve.SelectItem
	where  []sqlexpr.Expr // conjuncts
	groups []sqlexpr.Expr
	sets   [][]int        // positions in groups; nil where GROUP BY is one list of groups
	having []sqlexpr.Expr // conjuncts
	order  []orderKey
	limit  *int64 // nil for no limit
	offset int64
	view   *resolve.SemanticViewClauses // nil for a select over relations

	withoutRows bool // a star shows the columns of the wide relation

	members  []resolve.InSubquery // conditions of WHERE on the rows of subqueries
	havingIn []resolve.InSubquery
	scalars  *scalarSubqueries
}

// orderKey is one key of ORDER BY.
type orderKey struct {
	expr       sqlexpr.Expr
	item       int // the item that the key names; -1 for an expression
	desc       bool
	nullsFirst bool
}

// orderOverRows returns the keys of ORDER BY of a composed select. Over writes the expression of a key over the rows of that select.
func (c *selectClauses) orderOverRows(over func(key int) sqlexpr.Expr) []compose.OrderKey {
	var out []compose.OrderKey
	for i, key := range c.order {
		k := compose.OrderKey{Item: key.item, Desc: key.desc, NullsFirst: key.nullsFirst}
		if key.item < 0 {
			k.Item, k.Expr = 0, over(i)
		}
		out = append(out, k)
	}
	return out
}

// readSelectClauses resolves the clauses of a select.
func readSelectClauses(s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, syntax *parse.Select, scalars *scalarSubqueries) (*selectClauses, error) {
	if view, ok := semanticViewOf(syntax); ok {
		return readSemanticView(s, view, q, syntax, scalars)
	}
	scope, err := s.NewScope(tables, syntax)
	if err != nil {
		return nil, err
	}
	c := &selectClauses{Scope: scope, query: q, syntax: syntax, scalars: scalars, members: scope.ExtractWhereInSubqueryConditions()}
	if c.where, err = scope.LowerWhere(); err != nil {
		return nil, err
	}
	if c.withoutRows, err = c.listsColumnsOfWideRelation(); err != nil {
		return nil, err
	}
	if c.withoutRows {
		scope.SetWithoutRows()
	}
	scalars.registerAsSubqueryMapper(scope)
	if c.items, err = scope.ResolveSelectItems(syntax.Items); err != nil {
		return nil, err
	}
	c.where = append(append([]sqlexpr.Expr(nil), scope.Conditions...), c.where...)
	return c, c.readGroupsAndOrder()
}

// readGroupsAndOrder reads the clauses after WHERE.
func (c *selectClauses) readGroupsAndOrder() (err error) {
	syntax, q := c.syntax, c.query
	if err := c.readGroupBy(syntax.GroupBy); err != nil {
		return err
	}
	if c.having, err = c.readHaving(); err != nil {
		return err
	}
	for _, o := range q.OrderBy {
		key, err := c.readOrderKey(o)
		if err != nil {
			return err
		}
		c.order = append(c.order, key)
	}
	return c.readLimitAndOffset()
}

// readHaving reads HAVING.
func (c *selectClauses) readHaving() ([]sqlexpr.Expr, error) {
	conds, members := resolve.ExtractInSubqueryConditions(resolve.SplitConjuncts(c.syntax.Having))
	c.havingIn = members
	return c.LowerConditions(conds)
}

// readGroup reads an item of GROUP BY: an ordinal, an expression, or the alias of an item, which loses
// against a column of its name. The item is -1 for an expression.
func (c *selectClauses) readGroup(e parse.Expr) (group sqlexpr.Expr, item int, err error) {
	item, named, err := c.readOrdinal(e)
	if err != nil {
		return nil, -1, err
	}
	if column, ok := e.(*parse.Column); ok && len(column.Path) == 1 && !c.HasColumn(column) {
		if item, err = resolve.FindItemByColumnName(c.items, column.Path[0], e.Pos()); err != nil {
			return nil, -1, err
		}
		named = item >= 0
	}
	if named {
		return c.items[item].Expr, item, nil
	}
	group, err = c.LowerExpr(e)
	return group, -1, err
}

// readOrderKey reads a key of ORDER BY: an ordinal, the alias of an item, which wins against a column of its
// name, or an expression.
func (c *selectClauses) readOrderKey(o *parse.OrderItem) (orderKey, error) {
	key := orderKey{desc: o.Desc, nullsFirst: o.Nulls == parse.NullsFirst}
	item, found, err := c.readOrdinal(o.X)
	if err != nil {
		return key, err
	}
	if column, ok := o.X.(*parse.Column); ok && !found && len(column.Path) == 1 {
		if item, err = resolve.FindItemByColumnName(c.items, column.Path[0], o.Pos()); err != nil {
			return key, err
		}
		found = item >= 0
	}
	if found {
		key.item, key.expr = item, c.items[item].Expr
		return key, nil
	}
	key.item = -1
	key.expr, err = c.LowerExpr(o.X)
	return key, err
}

// readOrdinal reads the number of an item.
func (c *selectClauses) readOrdinal(e parse.Expr) (item int, ok bool, err error) {
	switch e := e.(type) {
	case *parse.Parameter:
		return 0, false, sqlerror.New(sqlerror.CodeUnsupported, e.Pos(), "a parameter cannot be the number of a column, because the plan depends on it")
	case *parse.Number:
		n, err := strconv.Atoi(e.Text)
		if err != nil || n < 1 || n > len(c.items) {
			return 0, false, sqlerror.New(planerr.CodeBadRequest, e.Pos(), "position "+planerr.ClipText(e.Text)+" is not in the list of the select").WithSQLState(sqlerror.SQLStateInvalidColumnReference)
		}
		return n - 1, true, nil
	}
	return 0, false, nil
}

// readLimitAndOffset reads LIMIT and OFFSET.
func (c *selectClauses) readLimitAndOffset() error {
	limit, err := c.readLimitRowCount(c.query.Limit, "LIMIT", sqlerror.SQLStateLimitNegative)
	if err != nil {
		return err
	}
	c.limit = limit
	offset, err := c.readLimitRowCount(c.query.Offset, "OFFSET", sqlerror.SQLStateOffsetNegative)
	if offset != nil {
		c.offset = *offset
	}
	return err
}

// readLimitRowCount reads a number of rows; nil for none and NULL.
func (c *selectClauses) readLimitRowCount(e parse.Expr, clause, negativeState string) (*int64, error) {
	if e == nil {
		return nil, nil
	}
	x, err := c.LowerExpr(e)
	if err != nil {
		return nil, err
	}
	x = resolve.LiteralUnderCasts(c.WithLimitParameterType(x))
	value, ok := resolve.ParamValueOfLiteral(x)
	if ok && value.Kind == query.NullValue {
		return nil, nil
	}
	n, err := strconv.ParseInt(value.Text, 10, 64)
	switch {
	case !ok || value.Kind == query.BoolValue || err != nil:
		return nil, sqlerror.New(planerr.CodeBadRequest, e.Pos(), clause+" takes an integer").WithSQLState(sqlerror.SQLStateInvalidText)
	case n < 0:
		return nil, sqlerror.New(planerr.CodeBadRequest, e.Pos(), clause+" must not be negative").WithSQLState(negativeState)
	}
	return &n, nil
}

// viewOfQuery returns the view that the select is over, and the key defaults beside it: a statement has its own conditions. The name is ""
// for the whole model.
func (c *selectClauses) viewOfQuery() (name string, defaults *bool) {
	wide := c.WideSource()
	if wide == nil || wide.Relation.View == nil || c.withoutRows {
		return "", nil
	}
	return wide.Relation.View.Name, new(false)
}
