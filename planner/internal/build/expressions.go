package build

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
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
