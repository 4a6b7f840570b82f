package sqlemit

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// midnightSuffix follows a date in the text of its midnight.
const midnightSuffix = " 00:00:00"

func newCast(x sqlexpr.Expr, t sqlexpr.Type) *sqlexpr.Cast {
	return &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: t}}
}

func newCall(fn sqlexpr.Func, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: fn, Args: args}
}

func newCaseWhen(cond, then sqlexpr.Expr) *sqlexpr.Case {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

func newStringLiteral(s string) *sqlexpr.String { return &sqlexpr.String{Value: s} }

func newIntegerConstant(n int64) sqlexpr.Expr {
	digits, negative := strings.CutPrefix(strconv.FormatInt(n, 10), "-")
	var x sqlexpr.Expr = &sqlexpr.Number{Text: digits}
	if negative {
		x = &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: x}
	}
	return x
}

func newConcat(parts ...sqlexpr.Expr) sqlexpr.Expr {
	e := parts[0]
	for _, p := range parts[1:] {
		e = newBinary(sqlexpr.OpConcat, e, p)
	}
	return e
}

func newBinary(op sqlexpr.BinaryOp, l, r sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: op, L: l, R: r}
}

// newSignedIntegerLiteral returns an integer literal, its sign turned where minus is set.
func newSignedIntegerLiteral(count string, minus bool) sqlexpr.Expr {
	if count != "" && count[0] == '-' {
		count, minus = count[1:], !minus
	}
	n := &sqlexpr.Number{Text: count}
	if minus && !isZeroLiteral(count) {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: n}
	}
	return n
}

// digitsOfIntegerLiteral returns the decimal text of an integer literal.
func digitsOfIntegerLiteral(x sqlexpr.Expr) (string, bool) {
	switch x := x.(type) {
	case *sqlexpr.Number:
		return x.Text, sqlexpr.TypeOf(x, nil) == sqlexpr.TypeInt
	case *sqlexpr.Unary:
		if n, ok := x.X.(*sqlexpr.Number); ok && x.Op == sqlexpr.OpNeg {
			return "-" + n.Text, sqlexpr.TypeOf(n, nil) == sqlexpr.TypeInt
		}
	}
	return "", false
}

// parseIntegerLiteral reads an integer literal; one that no text is long enough for is
// not read.
func parseIntegerLiteral(e sqlexpr.Expr) (int64, bool) {
	text, ok := digitsOfIntegerLiteral(e)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return n, err == nil
}

// isLiteral reports whether x is a value that is not NULL.
func isLiteral(x sqlexpr.Expr) bool {
	switch x.(type) {
	case *sqlexpr.Number, *sqlexpr.String, *sqlexpr.TypedLiteral, *sqlexpr.Bool:
		return true
	}
	return false
}

func isStringLiteral(e sqlexpr.Expr) bool {
	_, ok := e.(*sqlexpr.String)
	return ok
}

// isDeclaredTime reports whether the model declares an expression to be a date or a timestamp.
func isDeclaredTime(x sqlexpr.Expr) bool {
	known, ok := x.(*sqlexpr.DeclaredTypeExpr)
	return ok && known.Type.IsDateOrTimestamp()
}

// isDeclaredNumberOrTime reports whether the model declares an expression to be a number, a date or a timestamp.
func isDeclaredNumberOrTime(x sqlexpr.Expr) bool {
	known, ok := x.(*sqlexpr.DeclaredTypeExpr)
	return ok && known.Type.IsNumeric() || isDeclaredTime(x)
}
