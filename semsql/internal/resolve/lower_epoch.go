package resolve

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// isEpochExtract reports whether an EXTRACT is of the seconds since 1970.
func isEpochExtract(e *parse.Extract) bool { return strings.EqualFold(e.Part, "epoch") }

// lowerEpochExtract is EXTRACT(EPOCH FROM day), which is an integer.
func (s *Scope) lowerEpochExtract(e *parse.Extract, x sqlexpr.Expr) (sqlexpr.Expr, error) {
	if s.TypeOf(x) == sqltype.Date {
		return parseExpressionTemplate(e, "DATEDIFF(day, DATE '1970-01-01', :a0) * 86400", x)
	}
	return nil, sqlerror.New(sqlerror.CodeUnsupported, e.CharacterPosition(), "EXTRACT(EPOCH …) reads days; of other times the seconds have fractions, which engines count differently").
		WithHint("write FLOOR(EXTRACT(EPOCH FROM t) / n) with an integer n, or DATE_TRUNC")
}

// lowerSecondsBucket is FLOOR(EXTRACT(EPOCH FROM t) / n), as dashboards write buckets of seconds: the fraction of a
// second changes no bucket of whole seconds. ok is false for any other FLOOR.
func (s *Scope) lowerSecondsBucket(c *parse.Call) (x sqlexpr.Expr, ok bool, err error) {
	divided, isBinary := c.Arguments[0].(*parse.Binary)
	if !isBinary || divided.Operator != parse.OpDivide {
		return nil, false, nil
	}
	seconds, isExtract := divided.Left.(*parse.Extract)
	count, isNumber := divided.Right.(*parse.Number)
	if !isExtract || !isEpochExtract(seconds) || !isNumber || strings.Trim(count.Text, "0123456789") != "" {
		return nil, false, nil
	}
	t, err := s.LowerExpr(seconds.X)
	if err != nil {
		return nil, true, err
	}
	var start string
	switch s.TypeOf(t) {
	case sqltype.Timestamp:
		start = "TIMESTAMP '1970-01-01 00:00:00'"
	case sqltype.TimestampTZ:
		start = "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00'"
	default:
		return nil, false, nil
	}
	x, err = parseExpressionTemplate(c, "FLOOR(DATEDIFF(second, "+start+", :a0) / :a1)", t, &sqlexpr.Number{Position: sqlexpr.Position(count.CharacterPosition()), Text: count.Text})
	return x, true, err
}
