package resolve

import (
	"math/big"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// textUnderCasts returns the text or parameter that casts to text without a length leave as it is: 'month'::text. Any other expression is
// returned as it is.
func textUnderCasts(e parse.Expr) parse.Expr {
	x := e
	for {
		cast, ok := x.(*parse.Cast)
		if !ok {
			break
		}
		if len(cast.To.Arguments) > 0 || cast.To.Name != "text" && cast.To.Name != "varchar" && cast.To.Name != "name" {
			return e
		}
		x = cast.X
	}
	if _, ok := x.(*parse.String); ok {
		return x
	}
	return e
}

// integerUnderCasts returns the integer of the statement under casts to integers: 2::bigint. Any other expression is returned as it is.
func integerUnderCasts(e parse.Expr) parse.Expr {
	x := e
	for {
		cast, ok := x.(*parse.Cast)
		if !ok {
			break
		}
		if cast.To.Name != "integer" && cast.To.Name != "bigint" && cast.To.Name != "smallint" {
			return e
		}
		x = cast.X
	}
	if n, ok := x.(*parse.Number); ok && strings.Trim(n.Text, "0123456789") == "" {
		return x
	}
	return e
}

// withTextsUnderCasts returns a call whose arguments are texts without the casts to text around them.
func withTextsUnderCasts(c *parse.Call) *parse.Call {
	out := *c
	out.Arguments = slices.Clone(c.Arguments)
	for i, argument := range out.Arguments {
		out.Arguments[i] = textUnderCasts(argument)
	}
	return &out
}

// LiteralUnderCasts returns the literal that casts make of a literal, without its type: 2 for 2::bigint. Any other expression is returned
// as it is.
func LiteralUnderCasts(e sqlexpr.Expr) sqlexpr.Expr {
	cast, ok := e.(*sqlexpr.Cast)
	if !ok || len(cast.To.Args) > 0 {
		return e
	}
	x := LiteralUnderCasts(cast.X)
	switch x.(type) {
	case *sqlexpr.Null:
		return x
	case *sqlexpr.String:
		if cast.To.Type == sqlexpr.TypeString {
			return x
		}
	case *sqlexpr.Number, *sqlexpr.Unary:
		switch cast.To.Type {
		case sqlexpr.TypeInt:
			if n, ok := roundedLiteral(x); ok {
				return n
			}
		case sqlexpr.TypeDecimal, sqlexpr.TypeFloat:
			if sqlexpr.IsLiteral(x) {
				return x
			}
		}
	}
	return e
}

// roundedLiteral returns the integer that a cast makes of a number without an exponent: half away from zero.
func roundedLiteral(e sqlexpr.Expr) (sqlexpr.Expr, bool) {
	number, isNumber := e.(*sqlexpr.Number)
	negative := false
	if sign, ok := e.(*sqlexpr.Unary); ok && sqlexpr.IsLiteral(e) {
		number, isNumber = sign.X.(*sqlexpr.Number)
		negative = sign.Op == sqlexpr.OpNeg
	}
	const longest = 40
	if !isNumber || len(number.Text) > longest || strings.Trim(number.Text, "0123456789.") != "" {
		return nil, false
	}
	exact, ok := new(big.Rat).SetString(number.Text)
	if !ok {
		return nil, false
	}
	exact.Add(exact, big.NewRat(1, 2))
	whole := new(big.Int).Quo(exact.Num(), exact.Denom())
	if !whole.IsInt64() {
		return nil, false
	}
	out := sqlexpr.Expr(&sqlexpr.Number{Position: number.Position, Text: whole.String()})
	if negative && whole.Sign() > 0 {
		out = &sqlexpr.Unary{Position: sqlexpr.Position(e.Pos()), Op: sqlexpr.OpNeg, X: out}
	}
	return out, true
}

// newCallOfLiterals returns a call whose arguments are literals without the casts around them, where the call takes only a literal or has
// the same type with it.
func (s *Scope) newCallOfLiterals(parts sqlexpr.CallParts) (sqlexpr.Expr, error) {
	plain := parts
	plain.Args = slices.Clone(parts.Args)
	changed := false
	for i, x := range parts.Args {
		plain.Args[i] = LiteralUnderCasts(x)
		changed = changed || plain.Args[i] != x
	}
	out, err := sqlexpr.NewCall(parts)
	if !changed {
		return out, err
	}
	other, otherErr := sqlexpr.NewCall(plain)
	if otherErr != nil || err == nil && s.TypeOf(out) != s.TypeOf(other) {
		return out, err
	}
	return other, nil
}

// constantOfSubquery returns the expression of a subquery that reads nothing, as clients write constants: (SELECT DATE '2024-01-31'). It is nil
// for any other subquery.
func constantOfSubquery(q *parse.Query) parse.Expr {
	s, ok := q.Body.(*parse.Select)
	if !ok || len(q.With)+len(q.OrderBy) > 0 || q.Limit != nil || q.Offset != nil {
		return nil
	}
	if len(s.Items) != 1 || len(s.From)+len(s.GroupBy) > 0 || s.Where != nil || s.Having != nil {
		return nil
	}
	constant := true
	parse.Walk(s.Items[0].X, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Column, *parse.Star, *parse.MeasureCall, *parse.InQuery, *parse.Exists:
			constant = false
		case *parse.Call:
			constant = constant && n.Over == nil && !IsAggregate(n)
		}
		return constant
	})
	if !constant {
		return nil
	}
	return s.Items[0].X
}
