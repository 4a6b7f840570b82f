package selection

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// firstScalarSubqueryRef is the number of the first value of a subquery in expressions over the columns of a grouping.
const firstScalarSubqueryRef = 1 << 20

// scalarSubqueries are the scalar subqueries of one select.
type scalarSubqueries struct {
	ctx       context.Context // of one call
	statement *resolve.Statement
	tables    *resolve.CommonTables
	in        PlanningContext
	rows      []*compose.Rows
}

// registerAsSubqueryMapper takes the scope of the select, which its subqueries must not read.
func (s *scalarSubqueries) registerAsSubqueryMapper(scope *resolve.Scope) {
	s.statement, scope.Subquery = scope.StatementForSubqueries(), s.mapSubquery
}

// mapSubquery maps a subquery.
func (s *scalarSubqueries) mapSubquery(q *parse.Query) (index int, t sqltype.Type, err error) {
	rows, err := mapSubquery(s.ctx, s.statement, s.tables, q, s.in)
	if err != nil {
		return 0, sqltype.Unknown, err
	}
	columns := rows.Columns()
	if len(columns) != 1 {
		return 0, sqltype.Unknown, sqlerror.New(sqlerror.CodeSyntax, q.Pos(), "a subquery as a value has one column")
	}
	s.rows = append(s.rows, rows)
	return len(s.rows) - 1, columns[0].Type, nil
}

// readsScalarSubquery reports whether an expression over columns reads the value of a subquery.
func readsScalarSubquery(e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(ref *sqlexpr.Ref) bool { return ref.ID >= firstScalarSubqueryRef })
}

// conjunctionOverQueryColumns joins conditions over the columns of the grouping.
func (q *metricQuery) conjunctionOverQueryColumns(conds []sqlexpr.Expr, at []int) sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, cond := range conds {
		out = append(out, q.rewriteOverQueryColumns(cond, at))
	}
	return sqlexpr.And(out...)
}

// mapHavingSubqueries maps the conditions of HAVING that read subqueries: they filter the rows of the result.
func (q *metricQuery) mapHavingSubqueries(ctx context.Context, in PlanningContext, at []int) ([]compose.InCondition, error) {
	var out []compose.InCondition
	for i, m := range q.selectClauses.havingIn {
		rows, err := mapSubquery(ctx, q.StatementForSubqueries(), q.Tables, m.Query, in)
		if err != nil {
			return nil, err
		}
		out = append(out, compose.InCondition{Value: q.rewriteOverQueryColumns(q.aggregateSelect.havingIn[i], at), Not: m.Not, Rows: rows})
	}
	return out, nil
}

// mapWhereSubqueries maps the conditions of WHERE that read subqueries: they filter the rows that the query reads.
func (c *selectClauses) mapWhereSubqueries(ctx context.Context, in PlanningContext) ([]planner.InSubqueryCondition, error) {
	var out []planner.InSubqueryCondition
	for _, m := range c.members {
		x, err := c.LowerExpr(m.X)
		if err != nil {
			return nil, err
		}
		ref, ok := x.(*sqlexpr.Ref)
		if !ok || c.Refs.ReferenceOf(ref).Kind != resolve.FieldReferenceKind {
			return nil, sqlerror.New(sqlerror.CodeUnsupported, m.X.Pos(), "IN with a subquery compares a field")
		}
		rows, err := mapSubquery(ctx, c.StatementForSubqueries(), c.Tables, m.Query, in)
		if err != nil {
			return nil, err
		}
		if len(rows.Columns()) != 1 {
			return nil, sqlerror.New(sqlerror.CodeSyntax, m.Query.Pos(), "the subquery of IN has one column")
		}
		out = append(out, planner.InSubqueryCondition{Field: c.Refs.ReferenceOf(ref).FieldText(), Not: m.Not, Rows: rows})
	}
	return out, nil
}
