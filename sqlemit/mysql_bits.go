package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addZeroToMysqlBits makes a number of an integer or a condition that is computed from nothing but columns, which may be those of type
// BIT. MariaDB declares the result to be bits too and sends its digits, so that 2 reads as 50 (seen in 10.11.19). MySQL sends a number,
// and has the same SQL because a connection of its type often leads to MariaDB.
func addZeroToMysqlBits(c *outputColumn) sqlexpr.Expr {
	if c.typ != sqlexpr.TypeInt && c.typ != sqlexpr.TypeBool {
		return c.expr
	}
	if bits, computed := mayBeBits(c.scope, c.expr); bits && computed {
		return newBinary(sqlexpr.OpAdd, c.expr, newIntegerConstant(0))
	}
	return c.expr
}

// mayBeBits reports whether an expression has the type of columns, and whether it is more than a column.
func mayBeBits(in *columnScope, e sqlexpr.Expr) (bits, computed bool) {
	switch e := e.(type) {
	case *sqlexpr.Column:
		return true, false
	case *sqlexpr.Ref:
		if in.hasColumnID(e.ID) && in.cols[e.ID].scope != in {
			return mayBeBits(in.cols[e.ID].scope, in.cols[e.ID].expr)
		}
	case *sqlexpr.DeclaredTypeExpr:
		return mayBeBits(in, e.X)
	case *sqlexpr.Case:
		return allMayBeBits(in, sqlexpr.CaseResults(e)), true
	case *sqlexpr.Call:
		switch {
		case isMinMaxOrAnyValue(e), e.Fn == sqlexpr.FnBoolAnd, e.Fn == sqlexpr.FnBoolOr, e.Fn == sqlexpr.FnNullIf:
			return allMayBeBits(in, e.Args[:1]), true
		}
		return allMayBeBits(in, sqlexpr.ChosenArgs(e)), true
	}
	return false, true
}

func allMayBeBits(in *columnScope, values []sqlexpr.Expr) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(x sqlexpr.Expr) bool {
		_, null := x.(*sqlexpr.Null)
		bits, _ := mayBeBits(in, x)
		return !null && !bits
	})
}
