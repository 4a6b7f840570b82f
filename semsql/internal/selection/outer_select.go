package selection

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// mapOuterSelect maps a select over the results of others.
func mapOuterSelect(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, syntax *parse.Select, in PlanningContext) (*compose.Rows, error) {
	if len(syntax.From) == 0 {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, syntax.Pos(), "a select without a relation has no rows of the model").WithSuggestedStatement(countInsteadOfExists(s, q, syntax))
	}
	f := fromMapper{ctx: ctx, statement: s, tables: tables, in: in}
	rows, sources, err := f.mapFromList(syntax.From)
	if err != nil {
		return nil, err
	}
	return mapSelectOverRows(ctx, s, tables, q, syntax, rows, sources, in)
}

// existenceTest is a condition that a query has rows, or with not that it has none.
type existenceTest struct {
	part parse.Expr // EXISTS, or NOT EXISTS
	rows *parse.Query
	not  bool
}

func existenceTests(items []*parse.SelectItem) []existenceTest {
	var out []existenceTest
	for _, item := range items {
		parse.Walk(item.X, func(n parse.Node) bool {
			test := existenceTest{}
			if not, ok := n.(*parse.Unary); ok && not.Op == parse.OpNot {
				test.part, test.not, n = not, true, not.X
			}
			exists, ok := n.(*parse.Exists)
			if !ok {
				return true
			}
			if !test.not {
				test.part = exists
			}
			test.rows = exists.Query
			out = append(out, test)
			return false
		})
	}
	return out
}

// countInsteadOfExists returns the statement that counts the rows whose existence a SELECT without a relation tests, or that joins the
// counts of several queries; "" for any other SELECT.
func countInsteadOfExists(s *resolve.Statement, q *parse.Query, syntax *parse.Select) string {
	tests := existenceTests(syntax.Items)
	if q != s.Root || len(tests) == 0 || syntax.Distinct || syntax.Where != nil || len(syntax.GroupBy) > 0 || syntax.Having != nil {
		return ""
	}
	out, body := &parse.Query{}, &parse.Select{}
	values := make([]parse.Expr, len(tests))
	for i, test := range tests {
		counting, comparison := resolve.CountingQuery(test.rows, test.not)
		if counting == nil {
			return ""
		}
		if len(tests) == 1 {
			one := *counting.Body.(*parse.Select)
			out, body, values[0] = counting, &one, comparison
			break
		}
		alias := parse.Name{Text: "t" + strconv.Itoa(i+1)}
		values[i] = &parse.Column{Path: []parse.Name{alias, counting.Body.(*parse.Select).Items[0].Alias}}
		var table parse.Relation = &parse.DerivedTable{Query: counting, Alias: &parse.TableAlias{Name: alias}}
		if i > 0 {
			table = &parse.Join{Kind: parse.CrossJoin, Left: body.From[0], Right: table}
		}
		body.From = []parse.Relation{table}
	}
	body.Items = nil
	for _, item := range syntax.Items {
		named := *item
		for i, test := range tests {
			named.X = resolve.ReplaceNode(named.X, test.part, values[i]).(parse.Expr)
		}
		if named.Alias.Text == "" {
			named.Alias = parse.Name{Text: parse.ColumnName(item.X), Quoted: true}
		}
		body.Items = append(body.Items, &named)
	}
	out.Body = body
	return parse.Format(out)
}

// mapSelectOverRows maps the clauses of a select over rows.
func mapSelectOverRows(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, syntax *parse.Select, rows *compose.Rows, sources *resolve.ResultSources, in PlanningContext) (*compose.Rows, error) {
	scope := s.NewResultScope(tables, sources, syntax.From)
	scalars := &scalarSubqueries{ctx: ctx, statement: s, tables: tables, in: in}
	scalars.registerAsSubqueryMapper(scope)
	c := &selectClauses{Scope: scope, query: q, syntax: syntax, scalars: scalars}
	var err error
	if c.items, err = scope.ResolveSelectItems(syntax.Items); err != nil {
		return nil, err
	}
	conds, members := resolve.ExtractInSubqueryConditions(resolve.SplitConjuncts(syntax.Where))
	if c.where, err = scope.LowerConditions(conds); err != nil {
		return nil, err
	}
	if err := c.readGroupsAndOrder(); err != nil {
		return nil, err
	}
	o := selectOverResultRows{selectClauses: c, columns: len(rows.Columns()), groupings: &groupingCalls{}}
	out := &compose.Select{
		From: rows, Where: o.andConditionsOverRows(c.where), Grouped: len(syntax.GroupBy) > 0, Having: o.andConditionsOverRows(c.having), Distinct: syntax.Distinct,
		Limit: c.limit, Offset: c.offset,
	}
	if out.WhereIn, err = o.mapInSubqueries(ctx, members, in); err != nil {
		return nil, err
	}
	if out.HavingIn, err = o.mapInSubqueries(ctx, c.havingIn, in); err != nil {
		return nil, err
	}
	for _, g := range c.groups {
		out.GroupBy = append(out.GroupBy, o.rewriteOverRows(g))
	}
	out.Sets = c.sets
	if err := c.checkEqualGroups(func(i, j int) bool { return sqlexpr.Equal(c.groups[i], c.groups[j]) }); err != nil {
		return nil, err
	}
	for _, item := range c.items {
		out.Items = append(out.Items, compose.SelectItem{Name: item.Name, Expr: o.rewriteOverRows(item.Expr)})
	}
	out.OrderBy = c.orderOverRows(func(key int) sqlexpr.Expr { return o.rewriteOverRows(c.order[key].expr) })
	out.Scalars = scalars.rows
	if err := o.addGroupings(out); err != nil {
		return nil, err
	}
	selected, err := in.Composer.Select(out)
	if err != nil {
		return nil, locateComposeError(err, syntax.Pos())
	}
	return selected, nil
}

// selectOverResultRows writes the expressions of a select over rows as a composition reads them.
type selectOverResultRows struct {
	*selectClauses
	columns int // of the rows, after which are the values of subqueries
	// groupings are the calls of GROUPING, whose values follow those of the subqueries.
	groupings *groupingCalls
}

func (o selectOverResultRows) andConditionsOverRows(conds []sqlexpr.Expr) sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, cond := range conds {
		out = append(out, o.rewriteOverRows(cond))
	}
	return sqlexpr.And(out...)
}

func (o selectOverResultRows) rewriteOverRows(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(resolve.ExpandZoneCalls(e), func(ref *sqlexpr.Ref) sqlexpr.Expr {
		switch r := o.Refs.ReferenceOf(ref); r.Kind {
		case resolve.RowCountReferenceKind:
			return o.newCountCall(r, ref.Position)
		case resolve.GroupingReferenceKind:
			return o.groupings.findOrAdd(ref, r)
		case resolve.ScalarSubqueryReferenceKind:
			return &sqlexpr.Ref{Position: ref.Position, ID: o.columns + r.Index}
		default:
			return &sqlexpr.Ref{Position: ref.Position, ID: r.Index}
		}
	})
}

// newCountCall returns the aggregate that counts rows.
func (o selectOverResultRows) newCountCall(r resolve.Reference, at sqlexpr.Position) sqlexpr.Expr {
	one := &sqlexpr.Number{Position: at, Text: "1"}
	var where sqlexpr.Expr
	if r.Filter != nil {
		where = o.rewriteOverRows(r.Filter)
	}
	switch {
	case r.Summed:
		return &sqlexpr.Call{Position: at, Fn: sqlexpr.FnSum, Name: sqlexpr.Name{Text: "SUM"}, Args: []sqlexpr.Expr{nullUnlessCondition(where, one)}}
	case where != nil:
		return &sqlexpr.Call{Position: at, Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Args: []sqlexpr.Expr{nullUnlessCondition(where, one)}}
	}
	return &sqlexpr.Call{Position: at, Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
}

func (o selectOverResultRows) mapInSubqueries(ctx context.Context, list []resolve.InSubquery, in PlanningContext) ([]compose.InCondition, error) {
	var out []compose.InCondition
	for _, m := range list {
		x, err := o.LowerExpr(m.X)
		if err != nil {
			return nil, err
		}
		rows, err := mapSubquery(ctx, o.StatementForSubqueries(), o.Tables, m.Query, in)
		if err != nil {
			return nil, err
		}
		out = append(out, compose.InCondition{Value: o.rewriteOverRows(x), Not: m.Not, Rows: rows})
	}
	return out, nil
}

// orderAndLimitRows adds the order and the limit of a query to the rows of its body.
func orderAndLimitRows(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, rows *compose.Rows, in PlanningContext) (*compose.Rows, error) {
	if len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == nil {
		return rows, nil
	}
	all := &parse.Select{Position: q.Position, Items: []*parse.SelectItem{{Position: q.Position, X: &parse.Star{Position: sqlexpr.Position(q.Position)}}}}
	return mapSelectOverRows(ctx, s, tables, q, all, rows, resolve.NewResultSources(resolve.ResultSource{Columns: resultColumns(rows)}), in)
}

func resultColumns(rows *compose.Rows) []resolve.ResultColumn {
	var out []resolve.ResultColumn
	for _, c := range rows.Columns() {
		out = append(out, resolve.ResultColumn{Name: c.Name, Type: c.Type})
	}
	return out
}

// mapSetOperation maps UNION, INTERSECT and EXCEPT.
func mapSetOperation(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, op *parse.SetOperation, in PlanningContext) (*compose.Rows, error) {
	left, err := mapSetOperand(ctx, s, tables, op.Left, in)
	if err != nil {
		return nil, err
	}
	right, err := mapSetOperand(ctx, s, tables, op.Right, in)
	if err != nil {
		return nil, err
	}
	kind := compose.Union
	switch {
	case op.Operator == parse.Union && op.All:
		kind = compose.UnionAll
	case op.All:
		return nil, sqlerror.New(sqlerror.CodeUnsupported, op.Pos(), op.Operator.String()+" ALL has no meaning over results").WithHint(op.Operator.String() + " gives each row once").
			WithSuggestedStatement(s.FormatWithReplacedPart(op, func() parse.Node {
				once := *op
				once.All = false
				return &once
			}))
	case op.Operator == parse.Intersect:
		kind = compose.Intersect
	case op.Operator == parse.Except:
		kind = compose.Except
	}
	rows, err := in.Composer.ApplySetOperation(kind, left, right)
	if err != nil {
		return nil, locateComposeError(err, op.Pos())
	}
	return rows, nil
}

// mapSetOperand maps an operand of a set operation.
func mapSetOperand(ctx context.Context, s *resolve.Statement, tables *resolve.CommonTables, body parse.QueryBody, in PlanningContext) (*compose.Rows, error) {
	if q, ok := body.(*parse.Query); ok {
		return mapSubquery(ctx, s, tables, q, in)
	}
	at := parse.Position(body.Pos())
	return mapSubquery(ctx, s, tables, &parse.Query{Position: at, Body: body}, in)
}
