package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// PayloadExpression is an expression in a payload, parsed.
type PayloadExpression struct {
	Text string
	sqlexpr.Expr
	modelspec.Place
}

// readExpression reads a string that must parse and may hold none of what only a
// statement or a metric's own expression may.
func (o payloadObjectReader) readExpression(key, what string) *PayloadExpression {
	return o.readParsedExpression(key, what, false)
}

// readExpressionWithAggregates does so for an expression that may hold aggregates.
func (o payloadObjectReader) readExpressionWithAggregates(key, what string) *PayloadExpression {
	return o.readParsedExpression(key, what, true)
}

func (o payloadObjectReader) readParsedExpression(key, what string, aggregates bool) *PayloadExpression {
	if o.findRequiredMember(key, what) == nil {
		return nil
	}
	n := o.readMember(key)
	if n == nil {
		return nil
	}
	text := n.Value
	e, err := sqlexpr.Parse(text)
	if err != nil {
		o.addInvalidError(n, "%s %q does not parse: %s", o.pathForMessage(n), text, err)
		return nil
	}
	refused := ""
	if sqlexpr.FirstSubquery(e) != nil {
		refused = "a subquery"
	} else if sqlexpr.FirstWindowCall(e) != nil {
		refused = "a window function"
	} else if !aggregates && sqlexpr.FirstAggregate(e) != nil {
		refused = "an aggregate"
	}
	if refused != "" {
		o.addInvalidError(n, "%s %q holds %s, which is not allowed there", o.pathForMessage(n), text, refused)
		return nil
	}
	return &PayloadExpression{Text: strings.TrimSpace(text), Expr: e, Place: o.placeOfNode(n)}
}
