package resolve

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// lowerInArray lowers = ANY (array) to IN and <> ALL (array) to NOT IN. The first is false and the second true of an empty array, also for NULL.
func (s *Scope) lowerInArray(e *parse.InArray) (sqlexpr.Expr, error) {
	in := &parse.In{Position: e.Position, Not: e.Not, X: e.X}
	parameter, isParameter := e.Array.(*parse.Parameter)
	switch {
	case isParameter && s.Types != nil:
		s.Types.setArray(parameter)
		in.Items = []parse.Expr{e.Element()}
	default:
		elements, err := s.arrayElements(e)
		if err != nil {
			return nil, err
		}
		in.Items = elements
	}
	if len(in.Items) == 0 {
		if _, err := s.LowerExpr(e.X); err != nil {
			return nil, err
		}
		return &sqlexpr.Bool{Position: e.Position, Value: e.Not}, nil
	}
	return s.LowerExpr(in)
}

// arrayElements returns the elements of an array; NULL alone for an array that is NULL.
func (s *Scope) arrayElements(e *parse.InArray) ([]parse.Expr, error) {
	array, err := s.LowerExpr(e.Array)
	if err != nil {
		return nil, err
	}
	text, isText := array.(*sqlexpr.String)
	if _, isNull := array.(*sqlexpr.Null); isNull {
		return []parse.Expr{array}, nil
	}
	if !isText {
		return nil, sqlerror.New(sqlerror.CodeParameter, e.Array.Pos(), "ANY and ALL take an array as text: {1,2}").WithSQLState(sqlerror.SQLStateInvalidText)
	}
	elements, ok := parse.ParseArrayText(text.Value)
	most := parse.DefaultLimits().InItems
	switch inner := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(text.Value), "{"), " "); {
	case !ok && strings.HasPrefix(inner, "{"):
		return nil, sqlerror.New(sqlerror.CodeUnsupported, e.Array.Pos(), "an array of several dimensions is not supported")
	case !ok:
		return nil, sqlerror.New(planerr.CodeBadRequest, e.Array.Pos(), "'"+planerr.ClipText(text.Value)+"' is not an array").
			WithSQLState(sqlerror.SQLStateInvalidText).WithHint("an array is written {a,b}")
	case len(elements) > most:
		return nil, sqlerror.New(planerr.CodeBadRequest, e.Array.Pos(), fmt.Sprintf("the elements of an array are more than %d", most)).WithSQLState(sqlerror.SQLStateLimitExceeded)
	}
	return e.Elements(elements), nil
}
