package datacheck

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// rowsPlan returns the plan of the rows of a dataset with the values of some fields, in their order. It is
// the plan of a detail query without its order and its limit.
func (c *dataChecker) rowsPlan(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (plan.Node, error) {
	q := &query.DetailQuery{From: d.Name}
	for _, f := range fields {
		if !c.standsForKeyColumnWithoutField(f) {
			q.Fields = append(q.Fields, f.QualifiedName())
		}
	}
	if len(q.Fields) < len(fields) || len(fields) == 0 {
		return c.rowsPlanWithColumns(ctx, d, fields)
	}
	return c.detailRowsPlan(ctx, q)
}

// detailRowsPlan returns the plan of a detail query without its order and its limit.
func (c *dataChecker) detailRowsPlan(ctx context.Context, q *query.DetailQuery) (plan.Node, error) {
	planned, err := c.Planner.PlanDetail(ctx, q, c.Target)
	if err != nil {
		return nil, toStatementError(err)
	}
	node := planned.Root
	for {
		switch n := node.(type) {
		case *plan.Limit:
			node = n.Input
		case *plan.Sort:
			node = n.Input
		default:
			return node, nil
		}
	}
}

// toStatementError turns an error of the planner into a *statementError and returns any other error unchanged.
func toStatementError(err error) error {
	if err == nil {
		return nil
	}
	var planError *planerr.Error
	var broken *modelspec.CompileError
	if errors.As(err, &planError) || errors.As(err, &broken) {
		return &statementError{failureNotPlanned, err.Error()}
	}
	return err
}

// rowsPlanWithColumns returns rows where no field is listed, or some are columns of keys that are not fields.
func (c *dataChecker) rowsPlanWithColumns(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (plan.Node, error) {
	scan := &plan.Scan{Dataset: d.Name, Source: d.Source, Alias: d.Name}
	project := &plan.Project{Input: scan}
	var declared []*catalog.Field
	for _, f := range fields {
		if !c.standsForKeyColumnWithoutField(f) {
			declared = append(declared, f)
		}
	}
	alias := d.Name
	if len(declared) > 0 {
		node, err := c.rowsPlan(ctx, d, declared)
		if err != nil {
			return nil, err
		}
		own, ok := node.(*plan.Project)
		if !ok {
			return nil, errors.New("the plan of a detail query is not a projection")
		}
		project, alias = &plan.Project{Input: own.Input, Cols: slices.Clone(own.Cols)}, firstTableAlias(own.Input)
	}
	known := project.Cols
	project.Cols = nil
	for i, f := range fields {
		if !c.standsForKeyColumnWithoutField(f) {
			project.Cols = append(project.Cols, known[0])
			known = known[1:]
			continue
		}
		path := []sqlexpr.Name{{Text: alias, Quoted: true}, {Text: f.Name}}
		project.Cols = append(project.Cols, plan.NamedExpr{Name: "c" + strconv.Itoa(i), Expr: &sqlexpr.Column{Path: path}})
	}
	if len(project.Cols) == 0 {
		project.Cols = []plan.NamedExpr{{Name: "one", Expr: newNumberLiteral(1), Type: sqlexpr.TypeInt}}
	}
	return project, nil
}

// standsForKeyColumnWithoutField reports whether a field stands for a column of a key that is not a field of the model.
func (c *dataChecker) standsForKeyColumnWithoutField(f *catalog.Field) bool {
	return slices.Contains(c.columns[f.Dataset], f)
}

// firstTableAlias returns the alias of the first table of a plan.
func firstTableAlias(node plan.Node) string {
	for {
		if s, ok := node.(*plan.Scan); ok {
			return s.Alias
		}
		node = node.Inputs()[0]
	}
}

// boundedRowsPlan is rows, of which a statement reads at most MaxRows.
func (c *dataChecker) boundedRowsPlan(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (plan.Node, error) {
	node, err := c.rowsPlan(ctx, d, fields)
	if err != nil || c.options.MaxRows < 0 {
		return node, err
	}
	return &plan.Limit{Input: node, N: c.options.MaxRows}, nil
}

// addStoredTimes adds what some columns of a rows plan store, after its columns: the value of a Date is its day.
func addStoredTimes(rows plan.Node, columns []int) plan.Node {
	switch n := rows.(type) {
	case *plan.Limit:
		return &plan.Limit{Input: addStoredTimes(n.Input, columns), N: n.N}
	case *plan.Project:
		out := &plan.Project{Input: n.Input, Cols: slices.Clone(n.Cols)}
		for i, column := range columns {
			out.Cols = append(out.Cols, plan.NamedExpr{Name: "stored" + strconv.Itoa(i), Expr: sqlexpr.StoredTime(n.Cols[column].Expr), Type: n.Cols[column].Type})
		}
		return out
	default: // a plan of rows is a projection under a limit
		return rows
	}
}

// storedTimesPlan returns the rows of a dataset with what the column of a field stores.
func (c *dataChecker) storedTimesPlan(ctx context.Context, d *catalog.Dataset, f *catalog.Field) (plan.Node, error) {
	rows, err := c.boundedRowsPlan(ctx, d, []*catalog.Field{f})
	if err != nil {
		return nil, err
	}
	stored := addStoredTimes(rows, []int{0})
	return &plan.Project{Input: stored, Cols: stored.Schema().ColumnRefs()[1:]}, nil
}

// The expressions of the checks. A column is the index of a column of the node below.

func columnRef(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }

func newNumberLiteral(n int64) sqlexpr.Expr { return &sqlexpr.Number{Text: strconv.FormatInt(n, 10)} }

func newIsNullExpr(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.IsNull{X: x} }

func isNotNullExpr(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.IsNull{X: x, Not: true} }

func andConditions(conditions ...sqlexpr.Expr) sqlexpr.Expr {
	return combineConditions(sqlexpr.OpAnd, conditions)
}

func orConditions(conditions ...sqlexpr.Expr) sqlexpr.Expr {
	return combineConditions(sqlexpr.OpOr, conditions)
}

func combineConditions(op sqlexpr.BinaryOp, list []sqlexpr.Expr) sqlexpr.Expr {
	out := list[0]
	for _, x := range list[1:] {
		out = &sqlexpr.Binary{Op: op, L: out, R: x}
	}
	return out
}

// countExpr is COUNT(x), and COUNT(*) without x.
func countExpr(x sqlexpr.Expr, distinct bool) sqlexpr.Expr {
	if x == nil {
		return &sqlexpr.Call{Fn: sqlexpr.FnCount, Star: true}
	}
	return &sqlexpr.Call{Fn: sqlexpr.FnCount, Distinct: distinct, Args: []sqlexpr.Expr{x}}
}

// countWhereExpr counts the rows for which a condition is true.
func countWhereExpr(condition sqlexpr.Expr) sqlexpr.Expr {
	return sumWhereExpr(condition, newNumberLiteral(1))
}

// sumWhereExpr sums x over the rows for which a condition is true.
func sumWhereExpr(condition, x sqlexpr.Expr) sqlexpr.Expr {
	return sumExpr(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: condition, Then: x}}, Else: newNumberLiteral(0)})
}

func sumExpr(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnSum, Args: []sqlexpr.Expr{x}}
}

// nameCountColumns names expressions that count.
func nameCountColumns(list ...sqlexpr.Expr) []plan.NamedExpr {
	out := make([]plan.NamedExpr, len(list))
	for i, x := range list {
		out[i] = plan.NamedExpr{Name: "n" + strconv.Itoa(i), Expr: x, Type: sqlexpr.TypeInt}
	}
	return out
}
