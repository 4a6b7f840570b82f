package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Expr is an expression in a payload, parsed.
type Expr struct {
	Text string
	sqlexpr.Expr
	modelspec.Place
}

// expression reads a string that must parse and may hold none of what only a
// statement or a metric's own expression may.
func (o object) expression(key, what string) *Expr {
	n := o.requireKey(key, what)
	if n == nil {
		return nil
	}
	text := o.text(n)
	if text == "" {
		return nil
	}
	e, err := sqlexpr.Parse(text)
	if err != nil {
		o.invalid(n, "%s %q does not parse: %s", valueLabel(n), text, err)
		return nil
	}
	refused := ""
	if sqlexpr.FirstSubquery(e) != nil {
		refused = "a subquery"
	} else if sqlexpr.FirstWindow(e) != nil {
		refused = "a window function"
	} else if sqlexpr.FirstAggregate(e) != nil {
		refused = "an aggregate"
	}
	if refused != "" {
		o.invalid(n, "%s %q holds %s, which is not allowed there", valueLabel(n), text, refused)
		return nil
	}
	return &Expr{Text: strings.TrimSpace(text), Expr: e, Place: o.placeOf(n)}
}
