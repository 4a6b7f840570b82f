package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// lowerCast casts a value; a constant is read as the type. TRY_CAST of a time never fails.
func (s *Scope) lowerCast(e *parse.Cast) (sqlexpr.Expr, error) {
	x, err := s.LowerExpr(e.X)
	if err != nil {
		return nil, err
	}
	if text, ok := LiteralUnderCasts(x).(*sqlexpr.String); ok {
		x = text
	}
	name := e.To.Name
	if known, ok := typeNameByPostgresName[name]; ok {
		name = known
	}
	cast, err := sqlexpr.NewCast(sqlexpr.Position(e.Pos()), x, name, e.To.Arguments...)
	if err != nil {
		return nil, newExpressionError(e, err)
	}
	if _, isInterval := x.(*sqlexpr.Interval); isInterval && cast.To.Type == sqlexpr.TypeInterval {
		return x, nil
	}
	if e.Try && !s.isTime(x) {
		cast.Try = true
		return cast, nil
	}
	if text, ok := x.(*sqlexpr.String); ok {
		switch {
		case cast.To.Type == sqlexpr.TypeInterval:
			return s.lowerIntervalText(e, text)
		case s.Types.learnType(text, s.TypeOf(cast)):
			return exampleOfType(s.TypeOf(cast), text.Position), nil
		case len(cast.To.Args) == 0:
			return s.readTextAsType(text, cast.To.Type, cast)
		}
	}
	return s.castOnSessionClock(cast), nil
}

// lowerIntervalText reads a text as an interval.
func (s *Scope) lowerIntervalText(e *parse.Cast, text *sqlexpr.String) (sqlexpr.Expr, error) {
	if s.Types.learnInterval(text) {
		return exampleOfInterval(text.Position), nil
	}
	x, err := sqlexpr.NewInterval(text.Position, text.Value, "")
	if err != nil {
		return nil, newExpressionError(e.X, err)
	}
	return x, nil
}

// castOnSessionClock casts instants to dates and times, and dates and timestamps to instants, by the session's clock.
func (s *Scope) castOnSessionClock(cast *sqlexpr.Cast) sqlexpr.Expr {
	switch to := cast.To.Type; to {
	case sqlexpr.TypeTimestampTZ:
		if at := s.asSessionInstant(cast.X); at != cast.X {
			return at
		}
	case sqlexpr.TypeDate, sqlexpr.TypeTimestamp, sqlexpr.TypeTime:
		x := s.onSessionClock(cast.X)
		if literal, ok := x.(*sqlexpr.TypedLiteral); ok && x != cast.X && to != sqlexpr.TypeTime {
			at, _, _ := parseInstant(literal.Value, true)
			return newTimeLiteral(x, to, at)
		}
		if literal, ok := x.(*sqlexpr.TypedLiteral); ok && to != sqlexpr.TypeTime && literal.Type.IsDateOrTimestamp() && len(cast.To.Args) == 0 {
			at, _, _ := parseInstant(literal.Value, false)
			return newTimeLiteral(x, to, at)
		}
		return &sqlexpr.Cast{Position: cast.Position, X: x, To: cast.To}
	}
	return cast
}

// typeNameByPostgresName are types of PostgreSQL under the names that the language has for them.
var typeNameByPostgresName = map[string]string{"bpchar": "char", "name": "text", "int4": "integer", "int8": "bigint", "float4": "real", "float8": "double precision"}
