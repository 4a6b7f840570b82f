package selection

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// findParamValue finds the value of a parameter.
func findParamValue(bindings []resolve.MetricParamBinding, name string) (query.ParamValue, bool) {
	for _, b := range bindings {
		if b.Name == name {
			return b.Value, true
		}
	}
	return query.ParamValue{}, false
}

// paramDefault returns the value of a parameter that a measure does not bind.
func (g *aggregateSelect) paramDefault(m measure, name string) query.ParamValue {
	if m.ref.Metric == nil {
		return query.ParamValue{Kind: query.NullValue}
	}
	for _, p := range g.Cat.ParamsOfMetric(m.ref.Metric, g.Dialect) {
		if p.Name == name && p.Default != nil {
			if v, ok := resolve.ParamValueOfLiteral(p.Default); ok {
				return v
			}
		}
	}
	return query.ParamValue{Kind: query.NullValue}
}

// matchesParamValue reports whether the value that a column was computed with is the one that a statement gives.
func matchesParamValue(bound any, want query.ParamValue) bool {
	switch v := bound.(type) {
	case json.Number:
		return sameNumber(v.String(), want.Text)
	case bool:
		return fmt.Sprint(v) == want.Text
	case string:
		return v == want.Text
	}
	return false
}

// sameNumber compares two numbers by value: 50 and 50.0 are one.
func sameNumber(a, b string) bool {
	x, okX := catalog.LiteralAsRat(newSignedNumberLiteral(a))
	y, okY := catalog.LiteralAsRat(newSignedNumberLiteral(b))
	return okX && okY && x.Cmp(y) == 0
}

// newSignedNumberLiteral returns the literal of a number, possibly negative.
func newSignedNumberLiteral(text string) sqlexpr.Expr {
	digits, negative := strings.CutPrefix(text, "-")
	if negative {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}
	}
	return &sqlexpr.Number{Text: text}
}
