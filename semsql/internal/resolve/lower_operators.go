package resolve

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// lowerOperands lowers the operands of a node that statements and expressions of models have in common.
func (s *Scope) lowerOperands(e parse.Expr) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.MapOperands(e, func(operand sqlexpr.Expr) sqlexpr.Expr {
		if failed != nil {
			return operand
		}
		x, err := s.LowerExpr(operand)
		failed = err
		return x
	})
	return out, failed
}

func (s *Scope) lowerBinary(e *parse.Binary) (sqlexpr.Expr, error) {
	l, err := s.LowerExpr(e.L)
	if err != nil {
		return nil, err
	}
	r, err := s.LowerExpr(e.R)
	if err != nil {
		return nil, err
	}
	if sqlexpr.OpEq <= e.Op && e.Op <= sqlexpr.OpIsNotDistinctFrom {
		if l, err = s.readConstantAsTypeOf(l, r); err != nil {
			return nil, err
		}
		if r, err = s.readConstantAsTypeOf(r, l); err != nil {
			return nil, err
		}
	}
	return s.foldOnSessionClock(&sqlexpr.Binary{Position: e.Position, Op: e.Op, L: l, R: r}), nil
}

// lowerComparedValues lowers values, of which the constants are read as the type of the first.
func (s *Scope) lowerComparedValues(list ...parse.Expr) ([]sqlexpr.Expr, error) {
	out, err := s.lowerExprs(list)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(out); i++ {
		if out[i], err = s.readConstantAsTypeOf(out[i], out[0]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lowerLike gives a pattern without ESCAPE the escape of PostgreSQL, a backslash.
func (s *Scope) lowerLike(e *parse.Like) (sqlexpr.Expr, error) {
	plain := *e
	if plain.Pattern = textUnderCasts(e.Pattern); e.Escape != nil {
		plain.Escape = textUnderCasts(e.Escape)
	}
	x, err := s.lowerOperands(&plain)
	if err != nil || e.Escape != nil {
		return x, err
	}
	out := *x.(*sqlexpr.Like)
	out.Escape = &sqlexpr.String{Position: e.Position, Value: `\`}
	return &out, nil
}

// maxGroupingArguments is the number of bits of GROUPING, an integer.
const maxGroupingArguments = 31

// lowerGroupingCall reads GROUPING (a, b).
func (s *Scope) lowerGroupingCall(c *parse.Call) (sqlexpr.Expr, error) {
	if len(c.Arguments) > maxGroupingArguments {
		return nil, sqlerror.New(planerr.CodeBadRequest, c.Pos(), "GROUPING has at most "+strconv.Itoa(maxGroupingArguments)+" arguments").WithSQLState(sqlerror.SQLStateLimitExceeded)
	}
	list, err := s.lowerExprs(c.Arguments)
	if err != nil {
		return nil, err
	}
	return s.Refs.Add(c.Pos(), Reference{Kind: GroupingReferenceKind, Column: "grouping", Arguments: list}), nil
}
