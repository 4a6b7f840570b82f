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

// rows is the plan of the rows of a dataset with the values of some fields, in their order. It is
// the plan of a detail query without its order and its limit.
func (c *checker) rows(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (plan.Node, error) {
	q := &query.DetailQuery{From: d.Name}
	for _, f := range fields {
		if !c.isColumn(f) {
			q.Fields = append(q.Fields, f.Qualified())
		}
	}
	if len(q.Fields) < len(fields) || len(fields) == 0 {
		return c.rowsWithColumns(ctx, d, fields)
	}
	planned, err := c.Planner.PlanDetail(ctx, q, c.Target)
	if err != nil {
		return nil, planningError(err)
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

// planningError turns an error of the planner into a *statementError and returns any other error unchanged.
func planningError(err error) error {
	if err == nil {
		return nil
	}
	var planError *planerr.Error
	var broken *modelspec.CompileError
	if errors.As(err, &planError) || errors.As(err, &broken) {
		return &statementError{notPlanned, err.Error()}
	}
	return err
}

// rowsWithColumns is rows where no field is listed, or some are columns of keys that are not fields.
func (c *checker) rowsWithColumns(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (plan.Node, error) {
	scan := &plan.Scan{Dataset: d.Name, Source: d.Source, Alias: d.Name}
	project := &plan.Project{Input: scan}
	var declared []*catalog.Field
	for _, f := range fields {
		if !c.isColumn(f) {
			declared = append(declared, f)
		}
	}
	alias := d.Name
	if len(declared) > 0 {
		node, err := c.rows(ctx, d, declared)
		if err != nil {
			return nil, err
		}
		own, ok := node.(*plan.Project)
		if !ok {
			return nil, errors.New("the plan of a detail query is not a projection")
		}
		project, alias = &plan.Project{Input: own.Input, Cols: slices.Clone(own.Cols)}, rootAlias(own.Input)
	}
	known := project.Cols
	project.Cols = nil
	for i, f := range fields {
		if !c.isColumn(f) {
			project.Cols = append(project.Cols, known[0])
			known = known[1:]
			continue
		}
		path := []sqlexpr.Name{{Text: alias, Quoted: true}, {Text: f.Name}}
		project.Cols = append(project.Cols, plan.NamedExpr{Name: "c" + strconv.Itoa(i), Expr: &sqlexpr.Column{Path: path}})
	}
	if len(project.Cols) == 0 {
		project.Cols = []plan.NamedExpr{{Name: "one", Expr: number(1), Type: sqlexpr.TypeInt}}
	}
	return project, nil
}

// isColumn reports whether a field stands for a column of a key that is not a field of the model.
func (c *checker) isColumn(f *catalog.Field) bool { return slices.Contains(c.columns[f.Dataset], f) }

// rootAlias is the alias of the first table of a plan.
func rootAlias(node plan.Node) string {
	for {
		if s, ok := node.(*plan.Scan); ok {
			return s.Alias
		}
		node = node.Inputs()[0]
	}
}

// boundedRows is rows, of which a statement reads at most MaxRows.
func (c *checker) boundedRows(ctx context.Context, d *catalog.Dataset, fields []*catalog.Field) (plan.Node, error) {
	node, err := c.rows(ctx, d, fields)
	if err != nil || c.options.MaxRows < 0 {
		return node, err
	}
	return &plan.Limit{Input: node, N: c.options.MaxRows}, nil
}

// The expressions of the checks. A column is the index of a column of the node below.

func column(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }

func number(n int64) sqlexpr.Expr { return &sqlexpr.Number{Text: strconv.FormatInt(n, 10)} }

func isNull(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.IsNull{X: x} }

func notNull(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.IsNull{X: x, Not: true} }

func allOf(conditions ...sqlexpr.Expr) sqlexpr.Expr { return join(sqlexpr.OpAnd, conditions) }

func anyOf(conditions ...sqlexpr.Expr) sqlexpr.Expr { return join(sqlexpr.OpOr, conditions) }

func join(op sqlexpr.BinaryOp, list []sqlexpr.Expr) sqlexpr.Expr {
	out := list[0]
	for _, x := range list[1:] {
		out = &sqlexpr.Binary{Op: op, L: out, R: x}
	}
	return out
}

// countOf is COUNT(x), and COUNT(*) without x.
func countOf(x sqlexpr.Expr, distinct bool) sqlexpr.Expr {
	if x == nil {
		return &sqlexpr.Call{Fn: sqlexpr.FnCount, Star: true}
	}
	return &sqlexpr.Call{Fn: sqlexpr.FnCount, Distinct: distinct, Args: []sqlexpr.Expr{x}}
}

// countWhere counts the rows for which a condition is true.
func countWhere(condition sqlexpr.Expr) sqlexpr.Expr { return sumWhere(condition, number(1)) }

// sumWhere sums x over the rows for which a condition is true.
func sumWhere(condition, x sqlexpr.Expr) sqlexpr.Expr {
	return sumOf(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: condition, Then: x}}, Else: number(0)})
}

func sumOf(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnSum, Args: []sqlexpr.Expr{x}}
}

// measures names expressions that count.
func measures(list ...sqlexpr.Expr) []plan.NamedExpr {
	out := make([]plan.NamedExpr, len(list))
	for i, x := range list {
		out[i] = plan.NamedExpr{Name: "n" + strconv.Itoa(i), Expr: x, Type: sqlexpr.TypeInt}
	}
	return out
}
