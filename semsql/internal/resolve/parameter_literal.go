package resolve

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// lowerParameter returns the literal that a parameter holds. A text is read as the type of what it is beside, as
// a constant of the statement is.
func (s *Scope) lowerParameter(e *parse.Parameter) (sqlexpr.Expr, error) {
	if s.Types != nil {
		return s.Types.exampleOfParameter(e), nil
	}
	if e.Number < 1 || e.Number > len(s.Params) {
		return nil, sqlerror.New(sqlerror.CodeParameter, e.Pos(),
			"the statement has the parameter $"+strconv.Itoa(e.Number)+", and "+strconv.Itoa(len(s.Params))+" values were given")
	}
	at := sqlexpr.Position(e.Pos())
	switch v := s.Params[e.Number-1]; v.Kind {
	case query.NullValue:
		return &sqlexpr.Null{Position: at}, nil
	case query.BoolValue:
		return &sqlexpr.Bool{Position: at, Value: v.Text == "true"}, nil
	case query.NumberValue:
		return newNumberLiteral(at, v.Text)
	default:
		if strings.ContainsRune(v.Text, 0) {
			return nil, parameterValueError(e.Pos(), "the value of $"+strconv.Itoa(e.Number)+" holds a NUL byte")
		}
		return &sqlexpr.String{Position: at, Value: v.Text}, nil
	}
}

// newNumberLiteral returns the literal of a JSON number.
func newNumberLiteral(at sqlexpr.Position, text string) (sqlexpr.Expr, error) {
	x, ok := readNumber(&sqlexpr.String{Position: at, Value: text}, sqlexpr.TypeFloat)
	if !ok {
		return nil, parameterValueError(int(at), "the value of a parameter is not a number")
	}
	return x, nil
}

func parameterValueError(at int, message string) error {
	return sqlerror.New(sqlerror.CodeParameter, at, message).WithSQLState(sqlerror.SQLStateInvalidText)
}
