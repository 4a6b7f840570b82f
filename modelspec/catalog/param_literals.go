package catalog

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// UnquotedLiteralText returns the value of a parameter's literal as text: numbers in the
// spelling they have, text without quotes.
func UnquotedLiteralText(e sqlexpr.Expr) string {
	switch e := e.(type) {
	case *sqlexpr.Number:
		return e.Text
	case *sqlexpr.Unary:
		return "-" + UnquotedLiteralText(e.X)
	case *sqlexpr.String:
		return e.Value
	case *sqlexpr.TypedLiteral:
		return e.Value
	case *sqlexpr.Bool:
		return strconv.FormatBool(e.Value)
	}
	return sqlexpr.Format(e)
}

// LiteralAsRat returns the exact value of a numeric literal; ok is false for any other.
func LiteralAsRat(e sqlexpr.Expr) (value *big.Rat, ok bool) {
	switch e := e.(type) {
	case *sqlexpr.Number:
		// An exponent is cheap to write and costs its power to compute.
		f, err := strconv.ParseFloat(e.Text, 64)
		if len(e.Text) > 400 || err != nil || f == 0 && strings.ContainsAny(e.Text, "eE") {
			return new(big.Rat), err == nil && len(e.Text) <= 400
		}
		return new(big.Rat).SetString(e.Text)
	case *sqlexpr.Unary:
		if value, ok = LiteralAsRat(e.X); ok && e.Op == sqlexpr.OpNeg {
			return value.Neg(value), true
		}
		return value, ok
	}
	return nil, false
}

// ColumnNameTokenOfParamValue returns what a parameter's value contributes to a column's name: letters
// and digits of ASCII stay, every other run becomes one underscore, a leading
// minus becomes neg.
func ColumnNameTokenOfParamValue(text string) string {
	var b strings.Builder
	rest, negative := strings.CutPrefix(text, "-")
	if negative {
		b.WriteString("neg")
	}
	run := false
	for _, r := range rest {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			b.WriteRune(r)
			run = false
			continue
		}
		if !run {
			b.WriteByte('_')
		}
		run = true
	}
	return b.String()
}
