package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

var unaryOpsByParseOp = [...]sqlexpr.UnaryOp{parse.OpNot: sqlexpr.OpNot, parse.OpNegate: sqlexpr.OpNeg, parse.OpPlus: sqlexpr.OpPlus}

var binaryOpsByParseOp = [...]sqlexpr.BinaryOp{
	parse.OpOr: sqlexpr.OpOr, parse.OpAnd: sqlexpr.OpAnd,
	parse.OpEqual: sqlexpr.OpEq, parse.OpNotEqual: sqlexpr.OpNe, parse.OpLess: sqlexpr.OpLt, parse.OpLessEqual: sqlexpr.OpLe,
	parse.OpGreater: sqlexpr.OpGt, parse.OpGreaterEqual: sqlexpr.OpGe,
	parse.OpIsDistinctFrom: sqlexpr.OpIsDistinctFrom, parse.OpIsNotDistinctFrom: sqlexpr.OpIsNotDistinctFrom,
	parse.OpConcat: sqlexpr.OpConcat, parse.OpAdd: sqlexpr.OpAdd, parse.OpSubtract: sqlexpr.OpSub,
	parse.OpMultiply: sqlexpr.OpMul, parse.OpDivide: sqlexpr.OpDiv, parse.OpModulo: sqlexpr.OpMod,
}

func (s *Scope) lowerOperator(e parse.Expr) (sqlexpr.Expr, error) {
	at := sqlexpr.Position(e.CharacterPosition())
	switch e := e.(type) {
	case *parse.Unary:
		x, err := s.LowerExpr(e.X)
		if err != nil {
			return nil, err
		}
		return &sqlexpr.Unary{Position: at, Op: unaryOpsByParseOp[e.Operator], X: x}, nil
	case *parse.Binary:
		return s.lowerBinary(e)
	}
	return nil, nil
}

func (s *Scope) lowerBinary(e *parse.Binary) (sqlexpr.Expr, error) {
	l, err := s.LowerExpr(e.Left)
	if err != nil {
		return nil, err
	}
	r, err := s.LowerExpr(e.Right)
	if err != nil {
		return nil, err
	}
	op := binaryOpsByParseOp[e.Operator]
	if sqlexpr.OpEq <= op && op <= sqlexpr.OpIsNotDistinctFrom {
		if l, err = s.readConstantAsTypeOf(l, r); err != nil {
			return nil, err
		}
		if r, err = s.readConstantAsTypeOf(r, l); err != nil {
			return nil, err
		}
	}
	return &sqlexpr.Binary{Position: sqlexpr.Position(e.CharacterPosition()), Op: op, L: l, R: r}, nil
}

// lowerPredicate lowers BETWEEN, IN, LIKE, IS NULL and IS TRUE.
func (s *Scope) lowerPredicate(e parse.Expr) (sqlexpr.Expr, error) {
	at := sqlexpr.Position(e.CharacterPosition())
	switch e := e.(type) {
	case *parse.Between:
		list, err := s.lowerComparedValues(e.X, e.Low, e.High)
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
	case *parse.Like:
		return s.lowerLike(e)
	case *parse.IsNull:
		x, err := s.LowerExpr(e.X)
		if err != nil {
			return nil, err
		}
		return &sqlexpr.IsNull{Position: at, Not: e.Not, X: x}, nil
	case *parse.IsTruth:
		x, err := s.LowerExpr(e.X)
		if err != nil {
			return nil, err
		}
		return &sqlexpr.IsTruth{Position: at, Not: e.Not, Want: e.Want, X: x}, nil
	}
	return nil, nil
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
	x, err := s.LowerExpr(e.X)
	if err != nil {
		return nil, err
	}
	pattern, err := s.LowerExpr(e.Pattern)
	if err != nil {
		return nil, err
	}
	at := sqlexpr.Position(e.CharacterPosition())
	out := &sqlexpr.Like{Position: at, Not: e.Not, Fold: e.Fold, X: x, Pattern: pattern, Escape: &sqlexpr.String{Position: at, Value: `\`}}
	if e.Escape != nil {
		if out.Escape, err = s.LowerExpr(e.Escape); err != nil {
			return nil, err
		}
	}
	return out, nil
}
