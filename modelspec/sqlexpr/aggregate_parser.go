package sqlexpr

import (
	"math/big"
	"strings"
)

// maxPercentileFractionDigits bounds the digits of a percentile's fraction: with it and the number of
// rows, a position is computed in 64-bit integers.
const maxPercentileFractionDigits = 9

// isPercentileCall reports whether c is one of the aggregates whose value stands in WITHIN GROUP.
func isPercentileCall(c *Call) bool { return c.Fn == FnPercentileCont || c.Fn == FnPercentileDisc }

// isCountIfCall reports whether c is COUNT_IF, which is COUNT of a CASE.
func isCountIfCall(c *Call) bool {
	return c.Fn == FnUnknown && !c.Name.Quoted && strings.EqualFold(c.Name.Text, "count_if")
}

// parseOrderByInCall reads ORDER BY inside a call, or in the parentheses of WITHIN
// GROUP. The keys are kept as further arguments.
func (p *parser) parseOrderByInCall(c *Call) error {
	at := p.tok.pos
	keys, nullsFirst, err := p.parseOrderBy()
	if err != nil {
		return err
	}
	if c.Fn == FnListagg && nullsFirst >= 0 && len(c.Args) > 0 && !Equal(keys[0].X, c.Args[0]) {
		return p.problemAtOffsetError(nullsFirst, "LISTAGG has rows without a value of the order last; NULLS FIRST", "order by COALESCE(y, …) with a value before all others")
	}
	if c.Fn != FnOtherAggregate && len(keys) > 1 {
		return p.problemAtOffsetError(at, "one key after ORDER BY; the order of "+InfoOfFunction(c.Fn).Name, "")
	}
	c.appendOrder(keys)
	return nil
}

// appendOrder keeps what an aggregate orders by as further arguments.
func (c *Call) appendOrder(keys []OrderItem) {
	for _, k := range keys {
		c.Args = append(c.Args, k.X)
		c.Desc = c.Desc || k.Desc
	}
}

// parseWithinGroup reads WITHIN GROUP (ORDER BY …) where a call has it.
func (p *parser) parseWithinGroup(c *Call) error {
	switch c.Fn {
	case FnOtherAggregate, FnListagg:
		if !p.isKeyword(kwWithin) {
			return nil
		}
	case FnPercentileCont, FnPercentileDisc:
	default:
		return nil
	}
	if err := p.expectKeyword(kwWithin, "WITHIN GROUP (ORDER BY …) after "+strings.ToUpper(c.Name.Text)); err != nil {
		return err
	}
	if err := p.expectKeyword(kwGroup, "GROUP after WITHIN"); err != nil {
		return err
	}
	if err := p.expectToken(tokLParen, "( after WITHIN GROUP"); err != nil {
		return err
	}
	if !p.isKeyword(kwOrder) {
		return p.expectedError("ORDER BY")
	}
	at := p.tok.pos
	ordered := c.Fn == FnListagg && len(c.Args) > 2
	if err := p.parseOrderByInCall(c); err != nil {
		return err
	}
	if ordered {
		return p.problemAtOffsetError(at, "LISTAGG takes one order and has two; the second", "")
	}
	return p.expectToken(tokRParen, ") after WITHIN GROUP")
}

// normalizeAggregate checks the arguments of an aggregate that have to be literals, and
// brings the calls of one meaning into one form.
func (c *Call) normalizeAggregate() *problem {
	switch c.Fn {
	case FnPercentileCont, FnPercentileDisc:
		if len(c.Args) != 2 {
			return &problem{at: c.Pos(), text: InfoOfFunction(c.Fn).Name + " takes one fraction, as in " + InfoOfFunction(c.Fn).Name + "(0.5) WITHIN GROUP (ORDER BY x); the call"}
		}
		c.Args[0], c.Args[1] = c.Args[1], c.Args[0]
		return c.percentileFractionProblem()
	case FnApproxPercentile:
		return c.percentileFractionProblem()
	case FnListagg:
		return c.normalizeListagg()
	case FnUnknown:
		if isCountIfCall(c) && (c.Star || len(c.Args) != 1) {
			return &problem{at: c.Pos(), text: "COUNT_IF takes one condition; the call"}
		}
	}
	return nil
}

// percentileFractionProblem checks the fraction of a percentile.
func (c *Call) percentileFractionProblem() *problem {
	n, ok := c.Args[1].(*Number)
	if ok {
		f, err := ParsePercentileFraction(n.Text)
		ok = err && f.Denom().Cmp(big.NewInt(powerOfTen(maxPercentileFractionDigits))) <= 0
	}
	if ok {
		return nil
	}
	return &problem{at: c.Args[1].Pos(), text: "the fraction of " + InfoOfFunction(c.Fn).Name + " is a number from 0 to 1 with at most 9 digits; the argument"}
}

// ParsePercentileFraction reads the fraction of a percentile: a number from 0 to 1 of few digits.
func ParsePercentileFraction(text string) (*big.Rat, bool) {
	const longest = 40
	if len(text) > longest || strings.ContainsAny(text, "/") {
		return nil, false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok && len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return nil, false // 1e-999999999 would be a very large number to hold
	}
	f, ok := new(big.Rat).SetString(text)
	return f, ok && f.Sign() >= 0 && f.Cmp(big.NewRat(1, 1)) <= 0
}

func powerOfTen(n int) int64 {
	out := int64(1)
	for range n {
		out *= 10
	}
	return out
}

// thirdListaggArgProblem checks that no order is among the arguments of LISTAGG.
func (c *Call) thirdListaggArgProblem() *problem {
	if c.Fn == FnListagg && len(c.Args) > 2 {
		return &problem{at: c.Args[2].Pos(), text: "LISTAGG takes 2 arguments; the third"}
	}
	return nil
}

// normalizeListagg checks the separator and the order of LISTAGG. An order by the value itself
// is the one that LISTAGG has by itself.
func (c *Call) normalizeListagg() *problem {
	if _, ok := c.Args[1].(*String); !ok {
		return &problem{at: c.Args[1].Pos(), text: "the separator of LISTAGG is a text; the argument", hint: "write it in single quotes: LISTAGG(x, ', ')"}
	}
	if len(c.Args) < 3 {
		return nil
	}
	own := Equal(c.Args[2], c.Args[0])
	if c.Distinct && !own {
		return &problem{at: c.Args[2].Pos(), text: "LISTAGG(DISTINCT x, …) orders by x only; the order"}
	}
	if own && !c.Desc {
		c.Args = c.Args[:2]
	}
	return nil
}

// filterProblem checks that a call takes the FILTER at a place.
func (c *Call) filterProblem(at int) *problem {
	if InfoOfFunction(c.Fn).Class == ClassAggregate || isCountIfCall(c) {
		return nil
	}
	return &problem{at: at, text: "FILTER is only for aggregates; FILTER after " + strings.ToUpper(c.Name.Text)}
}

// parseFilterClause reads FILTER (WHERE …) and returns the call over the rows that
// pass: the condition is folded into the argument, as CASE WHEN … THEN x END.
func (p *parser) parseFilterClause(c *Call) (*Call, error) {
	if x := c.filterProblem(p.tok.pos); x != nil {
		return nil, p.problemError(x)
	}
	p.advanceToken()
	p.advanceToken()
	if err := p.expectKeyword(kwWhere, "WHERE after FILTER ("); err != nil {
		return nil, err
	}
	cond, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if err := p.expectToken(tokRParen, ") after the condition of FILTER"); err != nil {
		return nil, err
	}
	if p.isKeyword(kwFilter) && p.ahead.kind == tokLParen {
		return nil, p.problemAtOffsetError(p.tok.pos, "an aggregate takes one FILTER; the second", "join the conditions with AND")
	}
	return c.foldFilterIntoArguments(cond), nil
}

// foldFilterIntoArguments returns an aggregate over the rows that meet a condition.
func (c *Call) foldFilterIntoArguments(cond Expr) *Call {
	out := *c
	if c.Star || isCountIfCall(c) {
		if !c.Star {
			cond = And(cond, c.Args[0])
		}
		return c.newReplacementCall(FnCount, newOneWhenTrueCase(cond))
	}
	if len(c.Args) == 0 {
		return &out
	}
	out.Args = append([]Expr(nil), c.Args...)
	out.Args[0] = &Case{Position: Position(cond.Pos()), Whens: []When{{Cond: cond, Then: c.Args[0]}}}
	if c.Fn == FnListagg && len(c.Args) == 3 && Equal(c.Args[2], c.Args[0]) {
		out.Args[2] = out.Args[0]
	}
	return &out
}

// newOneWhenTrueCase is 1 for the rows that meet a condition.
func newOneWhenTrueCase(cond Expr) Expr {
	at := Position(cond.Pos())
	return &Case{Position: at, Whens: []When{{Cond: cond, Then: &Number{Position: at, Text: "1"}}}}
}

// appendPercentile appends PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x).
func appendPercentile(dst []byte, e *Call) []byte {
	dst = append(append(dst, InfoOfFunction(e.Fn).Name...), '(')
	if len(e.Args) != 2 {
		return append(appendExprList(dst, e.Args), ')')
	}
	return appendWithinGroup(append(AppendFormatted(dst, e.Args[1]), ')'), e.Args[0], e.Desc)
}

func appendWithinGroup(dst []byte, order Expr, desc bool) []byte {
	dst = AppendFormatted(append(dst, " WITHIN GROUP (ORDER BY "...), order)
	if desc {
		dst = append(dst, " DESC"...)
	}
	return append(dst, ')')
}
