package build

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/plan"
)

// CoalesceToNumber replaces NULL by a number literal of the model.
func CoalesceToNumber(e sqlexpr.Expr, number string) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, coerce.NumberLiteral(number)}}
}

// CastMovedInstant returns a moved bucket of a type. Moved instants are timestamps without a zone, which some targets do not take
// for instants.
func CastMovedInstant(moved sqlexpr.Expr, bucket sqlexpr.Type, zonesApart bool) sqlexpr.Expr {
	if !zonesApart || bucket != sqlexpr.TypeTimestampTZ {
		return moved
	}
	return &sqlexpr.Cast{X: moved, To: sqlexpr.TypeName{Type: sqlexpr.TypeTimestampTZ}}
}

// RewriteRefs replaces every Ref of an expression. Days are compared with constants by their stored values.
func RewriteRefs(e sqlexpr.Expr, bind func(id int) (sqlexpr.Expr, error)) (sqlexpr.Expr, error) {
	var failed error
	days := false
	out := sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		if failed != nil {
			return nil
		}
		v, err := bind(r.ID)
		if err != nil {
			failed = err
			return r
		}
		days = days || sqlexpr.StoredTime(v) != v
		return v
	})
	if days {
		out = sqlexpr.NormalizeDays(out)
	}
	return out, failed
}

// CaseWhen returns a value where a condition holds, and NULL elsewhere.
func CaseWhen(cond, then sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

// TimeLater returns a time so many units later.
func TimeLater(unit sqlexpr.Grain, n int, t sqlexpr.Expr) sqlexpr.Expr {
	return Call(sqlexpr.FnDateAdd, "DATEADD", &sqlexpr.String{Value: unit.String()}, Integer(n), t)
}

// Call returns a call of a function.
func Call(fn sqlexpr.Func, name string, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: name}, Args: args}
}

// Integer returns an integer as a literal.
func Integer(n int) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: Integer(-n)}
	}
	return &sqlexpr.Number{Text: strconv.Itoa(n)}
}

// SharedRows reads a node that others read too.
func SharedRows(in plan.Node, alias, why string) *plan.Project {
	d := &plan.Derived{Input: in, Alias: alias, Why: why, Shared: true}
	return &plan.Project{Input: d, Cols: d.Schema().ColumnRefs()}
}

// DerivedColumn returns a column of a derived table.
func DerivedColumn(d *plan.Derived, i int) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(d.Alias, sqlexpr.Name{Text: d.Schema()[i].Name, Quoted: true})
}

// DerivedColumns returns the columns of a derived table as they are.
func DerivedColumns(d *plan.Derived) []plan.NamedExpr {
	cols := make([]plan.NamedExpr, len(d.Schema()))
	for i, c := range d.Schema() {
		cols[i] = plan.NamedExpr{Name: c.Name, Expr: DerivedColumn(d, i), Type: c.Type}
	}
	return cols
}

// CountRows returns the plan of the number of rows, as the one column TotalRowsColumn.
func CountRows(rows plan.Node) plan.Node {
	count := &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
	return &plan.Aggregate{Input: rows, Measures: []plan.NamedExpr{{Name: plan.TotalRowsColumn, Expr: count, Type: sqlexpr.TypeInt}}}
}
