package coerce

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// NumberLiteral returns the text of a number as a literal.
func NumberLiteral(text string) sqlexpr.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}
	}
	return &sqlexpr.Number{Text: text}
}
