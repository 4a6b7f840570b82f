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
		days := secondsOrDaysSince1970(e, "day", sqlexpr.TypeDate, "1970-01-01", x)
		return &sqlexpr.Binary{Position: sqlexpr.Position(e.Pos()), Op: sqlexpr.OpMul, L: days, R: &sqlexpr.Number{Text: "86400"}}, nil
	}
	return nil, sqlerror.New(sqlerror.CodeUnsupported, e.Pos(), "EXTRACT(EPOCH …) reads days; of other times the seconds have fractions, which engines count differently").
		WithHint("write FLOOR(EXTRACT(EPOCH FROM t) / n) with an integer n, or DATE_TRUNC")
}

// lowerSecondsBucket is FLOOR(EXTRACT(EPOCH FROM t) / n), as dashboards write buckets of seconds: the fraction of a
// second changes no bucket of whole seconds. ok is false for any other FLOOR.
func (s *Scope) lowerSecondsBucket(c *parse.Call) (x sqlexpr.Expr, ok bool, err error) {
	divided, isBinary := c.Arguments[0].(*parse.Binary)
	if !isBinary || divided.Op != sqlexpr.OpDiv {
		return nil, false, nil
	}
	seconds, isExtract := divided.L.(*parse.Extract)
	count, isNumber := integerUnderCasts(divided.R).(*parse.Number)
	if !isExtract || !isEpochExtract(seconds) || !isNumber || strings.Trim(count.Text, "0123456789") != "" {
		return nil, false, nil
	}
	t, err := s.LowerExpr(seconds.X)
	if err != nil {
		return nil, true, err
	}
	start := ""
	switch s.TypeOf(t) {
	case sqltype.Timestamp:
		start = "1970-01-01 00:00:00"
	case sqltype.TimestampTZ:
		start = "1970-01-01 00:00:00+00:00"
	default:
		return nil, false, nil
	}
	passed := secondsOrDaysSince1970(seconds, "second", s.TypeOf(t).Logical(), start, t)
	buckets := &sqlexpr.Binary{Position: sqlexpr.Position(divided.Pos()), Op: sqlexpr.OpDiv, L: passed, R: &sqlexpr.Number{Position: sqlexpr.Position(count.Pos()), Text: count.Text}}
	return newFunctionCall(c, sqlexpr.FnFloor, buckets), true, nil
}

// secondsOrDaysSince1970 counts units of time from the start of 1970 to x.
func secondsOrDaysSince1970(origin parse.Expr, unit string, t sqlexpr.Type, start string, x sqlexpr.Expr) sqlexpr.Expr {
	return newFunctionCall(origin, sqlexpr.FnDateDiff, &sqlexpr.String{Value: unit}, &sqlexpr.TypedLiteral{Type: t, Value: start}, x)
}
