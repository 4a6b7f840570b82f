package resolve

import (
	"fmt"
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// LowerExpr turns an expression into one of the model's language over references. A subquery and a window
// call have no place in it.
func (s *Scope) LowerExpr(e parse.Expr) (sqlexpr.Expr, error) {
	if err := s.checkMergedExpressionNodes(e.Pos()); err != nil {
		return nil, err
	}
	at := sqlexpr.Position(e.Pos())
	switch e := e.(type) {
	case *parse.Column:
		m, err := s.resolveColumn(e)
		return m.expr, err
	case *parse.Star:
		return nil, sqlerror.New(sqlerror.CodeSyntax, e.Pos(), "a star is a column list or the argument of COUNT")
	case *parse.Parameter:
		return s.lowerParameter(e)
	case *parse.Number, *parse.String, *parse.Bool, *parse.Null:
		return e, nil
	case *parse.TimeLiteral:
		return s.lowerTimeLiteral(e)
	case *parse.Interval:
		x, err := sqlexpr.NewInterval(at, e.Value, e.Unit)
		if err != nil {
			return nil, newExpressionError(e, err)
		}
		return x, nil
	case *parse.SessionValue:
		return s.lowerCurrentDateOrTimestamp(e)
	case *parse.Unary, *parse.IsNull, *parse.IsTruth:
		return s.lowerOperands(e)
	case *parse.Binary:
		return s.lowerBinary(e)
	case *parse.Between:
		list, err := s.lowerComparedValues(e.X, e.Lo, e.Hi)
		if err != nil {
			return nil, err
		}
		return &sqlexpr.Between{Position: at, Not: e.Not, X: list[0], Lo: list[1], Hi: list[2]}, nil
	case *parse.In:
		list, err := s.lowerComparedValues(append([]parse.Expr{e.X}, e.Items...)...)
		if err != nil {
			return nil, err
		}
		return &sqlexpr.In{Position: at, Not: e.Not, X: list[0], Items: list[1:]}, nil
	case *parse.InArray:
		return s.lowerInArray(e)
	case *parse.Like:
		return s.lowerLike(e)
	case *parse.Case:
		return s.lowerCase(e)
	case *parse.Cast:
		return s.lowerCast(e)
	case *parse.Extract:
		x, err := s.LowerExpr(e.X)
		if err != nil {
			return nil, err
		}
		if isEpochExtract(e) {
			return s.lowerEpochExtract(e, x)
		}
		if x, err = sqlexpr.NewExtract(at, e.Part, s.onSessionClock(x)); err != nil {
			return nil, newExpressionError(e, err)
		}
		return x, nil
	case *parse.Call:
		return s.lowerCall(e)
	case *parse.MeasureCall:
		return s.lowerMeasure(e)
	case *parse.ScalarSubquery:
		return s.lowerScalarSubquery(e)
	case *parse.Grouping:
		return nil, sqlerror.New(sqlerror.CodeSyntax, e.Pos(), "ROLLUP, CUBE and GROUPING SETS are items of GROUP BY")
	case *parse.InQuery, *parse.Exists:
		return nil, s.refuseExists(e)
	}
	return nil, sqlerror.New(planerr.CodeInternal, e.Pos(), fmt.Sprintf("no mapping of %T exists", e))
}

// lowerExprs lowers a list.
func (s *Scope) lowerExprs(list []parse.Expr) ([]sqlexpr.Expr, error) {
	out := make([]sqlexpr.Expr, len(list))
	for i, e := range list {
		x, err := s.LowerExpr(e)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

func (s *Scope) lowerCurrentDateOrTimestamp(e *parse.SessionValue) (sqlexpr.Expr, error) {
	switch e.Word {
	case "current_date":
		if s.HasZone() {
			return newTimeLiteral(e, sqlexpr.TypeDate, s.Zone.LocalTimeOfInstant(s.readClock())), nil
		}
		return newFunctionCall(e, sqlexpr.FnCurrentDate), nil
	case "current_timestamp":
		return s.lowerNow(e), nil
	case "current_time":
		if s.HasZone() {
			return newTimeLiteral(e, sqlexpr.TypeTime, s.Zone.LocalTimeOfInstant(s.readClock())), nil
		}
		return newFunctionCall(e, sqlexpr.FnCurrentTime), nil
	}
	return nil, sqlerror.New(sqlerror.CodeUnsupported, e.Pos(), e.Word+" has no value for rows of the model")
}

// readClock returns the time that an expression is to hold.
func (s *Statement) readClock() time.Time {
	s.Clock.IsRead = true
	return s.Clock.Now
}

// lowerNow returns the current instant: a constant where the session's clock is not that of UTC, so that what is computed from it
// is one.
func (s *Scope) lowerNow(e parse.Expr) sqlexpr.Expr {
	if s.HasZone() {
		return newTimeLiteral(e, sqlexpr.TypeTimestampTZ, s.readClock().UTC())
	}
	return newFunctionCall(e, sqlexpr.FnCurrentTimestamp)
}

// lowerCase reads the constants after WHEN as the type of the operand.
func (s *Scope) lowerCase(e *parse.Case) (sqlexpr.Expr, error) {
	out := &sqlexpr.Case{Position: e.Position, Whens: slices.Clone(e.Whens)}
	var err error
	if e.Operand != nil {
		if out.Operand, err = s.LowerExpr(e.Operand); err != nil {
			return nil, err
		}
	}
	for i, w := range e.Whens {
		if out.Whens[i].Cond, err = s.LowerExpr(w.Cond); err != nil {
			return nil, err
		}
		if out.Operand != nil {
			if out.Whens[i].Cond, err = s.readConstantAsTypeOf(out.Whens[i].Cond, out.Operand); err != nil {
				return nil, err
			}
		}
		if out.Whens[i].Then, err = s.LowerExpr(w.Then); err != nil {
			return nil, err
		}
	}
	if e.Else != nil {
		out.Else, err = s.LowerExpr(e.Else)
	}
	return out, err
}
