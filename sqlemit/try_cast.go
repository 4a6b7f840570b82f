package sqlemit

import (
	"math"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The strings that TRY_CAST reads as times, as time codes.
var (
	isoDateCode = &sqlexpr.TimeCode{Text: "yyyy-MM-dd", Fields: []sqlexpr.TimeLayoutField{
		{Token: "yyyy", Start: 1, Len: 4}, {Token: "MM", Start: 6, Len: 2}, {Token: "dd", Start: 9, Len: 2},
	}}
	isoTimestampCode = &sqlexpr.TimeCode{Text: "yyyy-MM-dd HH:mm:ss", Fields: append(isoDateCode.Fields[:3:3],
		sqlexpr.TimeLayoutField{Token: "HH", Start: 12, Len: 2}, sqlexpr.TimeLayoutField{Token: "mm", Start: 15, Len: 2}, sqlexpr.TimeLayoutField{Token: "ss", Start: 18, Len: 2})}
)

// printTryCast prints TRY_CAST by the one rule of the language: engines have it under several names, or not at all, and
// do not agree on the strings that they read. A value of an unknown type is read as a string.
func (w *writer) printTryCast(c *sqlexpr.Cast, min precedence) {
	x, from := c.X, w.typeOf(c.X)
	if declared, ok := x.(*sqlexpr.DeclaredTypeExpr); ok {
		x = declared.X
		if from = w.typeOf(x); from == sqlexpr.TypeUnknown {
			from = declared.Type
		}
	}
	plain := &sqlexpr.Cast{X: x, To: c.To}
	switch {
	case from == sqlexpr.TypeString, from == sqlexpr.TypeUnknown:
		text := x
		if from == sqlexpr.TypeUnknown && c.To.Type != sqlexpr.TypeString {
			text = newCast(x, sqlexpr.TypeString)
		}
		w.printExpr(tryCastOfString(text, c.To, plain), min)
	case from.IsNumeric() && c.To.Type.IsNumeric():
		w.printExpr(tryCastOfNumber(x, from, c.To), min)
	default:
		w.printExpr(plain, min)
	}
}

func tryCastOfString(text sqlexpr.Expr, to sqlexpr.TypeName, plain sqlexpr.Expr) sqlexpr.Expr {
	timestamp := func(x sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.DecodeTimeCodeExpr{Code: isoTimestampCode, Grain: sqlexpr.GrainSecond, X: x}
	}
	switch to.Type {
	case sqlexpr.TypeDate:
		return &sqlexpr.DecodeTimeCodeExpr{Code: isoDateCode, X: text}
	case sqlexpr.TypeTimestamp:
		return timestamp(text)
	case sqlexpr.TypeTimestampTZ:
		return newCast(timestamp(text), sqlexpr.TypeTimestampTZ)
	case sqlexpr.TypeTime:
		return newCast(timestamp(newConcat(newStringLiteral("1970-01-01 "), text)), sqlexpr.TypeTime)
	case sqlexpr.TypeBool:
		lower := newCall(sqlexpr.FnLower, text)
		return &sqlexpr.Case{Whens: []sqlexpr.When{
			{Cond: &sqlexpr.In{X: lower, Items: stringLiterals("true", "t", "yes", "y", "on", "1")}, Then: &sqlexpr.Bool{Value: true}},
			{Cond: &sqlexpr.In{X: lower, Items: stringLiterals("false", "f", "no", "n", "off", "0")}, Then: &sqlexpr.Bool{Value: false}},
		}}
	case sqlexpr.TypeInt, sqlexpr.TypeDecimal, sqlexpr.TypeFloat:
		number := &sqlexpr.Cast{X: &sqlexpr.DeclaredTypeExpr{X: text, Type: sqlexpr.TypeString}, To: to}
		if to.Type == sqlexpr.TypeDecimal && len(to.Args) > 0 {
			wide := newCast(number.X, sqlexpr.TypeFloat)
			return newCaseWhen(fitsNumber(wide, to), number)
		}
		return number
	}
	return plain
}

// tryCastOfNumber returns a number as another one, where that holds it.
func tryCastOfNumber(x sqlexpr.Expr, from sqlexpr.Type, to sqlexpr.TypeName) sqlexpr.Expr {
	value := x
	if to.Type == sqlexpr.TypeInt && from != sqlexpr.TypeInt {
		value = newCall(sqlexpr.FnRound, x)
	}
	cast := &sqlexpr.Cast{X: value, To: to}
	if to.Type == sqlexpr.TypeFloat || to.Type == from && len(to.Args) == 0 || from == sqlexpr.TypeInt && len(to.Args) == 0 {
		return cast
	}
	return newCaseWhen(fitsNumber(x, to), cast)
}

// fitsNumber is the condition that a number is within the range of a type. The last double below 2^63 is the largest integer here.
func fitsNumber(x sqlexpr.Expr, to sqlexpr.TypeName) sqlexpr.Expr {
	limit := strconv.FormatFloat(math.Nextafter(1<<63, 0), 'f', 0, 64)
	if to.Type == sqlexpr.TypeDecimal {
		digits, scale := maxDecimalDigits, defaultDecimalScale
		if len(to.Args) > 0 {
			digits, scale = to.Args[0], 0
		}
		if len(to.Args) > 1 {
			scale = to.Args[1]
		}
		limit = "1e" + strconv.Itoa(max(digits-scale, 0))
		over := &sqlexpr.Number{Text: limit}
		return newBinary(sqlexpr.OpAnd, newBinary(sqlexpr.OpLt, x, over), newBinary(sqlexpr.OpGt, x, &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: over}))
	}
	largest := &sqlexpr.Number{Text: limit}
	return &sqlexpr.Between{X: x, Lo: &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: largest}, Hi: largest}
}

// maxDecimalDigits are those of a decimal without arguments.
const maxDecimalDigits = 38

func stringLiterals(texts ...string) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(texts))
	for i, text := range texts {
		out[i] = newStringLiteral(text)
	}
	return out
}
