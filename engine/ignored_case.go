package engine

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// fieldsComparedIgnoringCase returns the text fields of a dataset that the warehouse compares without regard to case,
// so that 'north' and 'North' are one group. It reads one row of the source, and returns nil if the
// source has no rows or the statement fails.
func fieldsComparedIgnoringCase(ctx context.Context, db executor.Executor, d *catalog.Dataset, t compileTarget) []string {
	if c, ok := db.(executor.CaseSensitivityReporter); !ok || !c.MayIgnoreCase() {
		return nil
	}
	var columns []plan.NamedExpr
	for _, f := range d.Fields {
		if f.Type != sqlexpr.TypeString || f.Encoding != nil || f.ErrorForDialect(t.dialect.Name()) != nil || f.ReadsJoinedTables(t.dialect.Name()) {
			continue
		}
		columns = append(columns, plan.NamedExpr{Name: f.Name, Expr: caseInsensitivityExpr(textComparisonOperand(d, f, t)), Type: sqlexpr.TypeBool})
	}
	if len(columns) == 0 {
		return nil
	}
	sql, err := sqlemit.Emit(ctx, &plan.Limit{
		Input: &plan.Project{Input: &plan.Scan{Dataset: d.Name, Source: d.Source, Alias: d.Name}, Cols: columns}, N: 1,
	}, t.dialect, sqlemit.FormatOptions{})
	if err != nil {
		return nil
	}
	answers, err := readFirstRowBooleans(ctx, db, sql, columns)
	if err != nil {
		return nil
	}
	var out []string
	for i, yes := range answers {
		if yes {
			out = append(out, columns[i].Name)
		}
	}
	return out
}

// textComparisonOperand returns the expression of a text field over a scan that is called like its dataset, as
// statements for the target compare it.
func textComparisonOperand(d *catalog.Dataset, f *catalog.Field, t compileTarget) sqlexpr.Expr {
	alias := sqlexpr.Name{Text: d.Name, Quoted: true}
	e := sqlexpr.Rewrite(f.Expr.ForDialect(t.dialect.Name()), func(x sqlexpr.Expr) sqlexpr.Expr {
		if c, ok := x.(*sqlexpr.Column); ok {
			return &sqlexpr.Column{Position: c.Position, Path: []sqlexpr.Name{alias, c.Path[len(c.Path)-1]}}
		}
		return nil
	})
	if !t.planner.Caps.TextByCast {
		return e
	}
	return &sqlexpr.Cast{X: e, To: sqlexpr.TypeName{Type: sqlexpr.TypeString}}
}

// caseInsensitivityExpr compares text || 'a' with text || 'A'. Both have the collation of the text and differ
// in case alone.
func caseInsensitivityExpr(text sqlexpr.Expr) sqlexpr.Expr {
	with := func(letter string) sqlexpr.Expr {
		return &sqlexpr.Call{Fn: sqlexpr.FnConcat, Args: []sqlexpr.Expr{text, &sqlexpr.String{Value: letter}}}
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: with("a"), R: with("A")}
}

// readFirstRowBooleans reads the conditions in the row of a statement of one row, nothing where it
// has none.
func readFirstRowBooleans(ctx context.Context, db executor.Executor, sql string, columns []plan.NamedExpr) ([]bool, error) {
	var types []planner.OutputColumn
	for _, c := range columns {
		types = append(types, planner.OutputColumn{Name: c.Name, Type: c.Type})
	}
	var out []bool
	err := forEachBatch(ctx, db, sql, types, func(batch arrow.RecordBatch) {
		for i := range columns {
			b, ok := batch.Column(i).(interface {
				arrow.Array
				Value(i int) bool
			})
			out = append(out, ok && b.Len() > 0 && b.IsValid(0) && b.Value(0))
		}
	})
	return out, err
}
