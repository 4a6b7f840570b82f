package sqlexpr

import (
	"fmt"
	"strings"
)

// callOrSpecial reads a function call; the current token is its name and the
// next one the parenthesis.
func (p *parser) callOrSpecial() (Expr, error) {
	if x, err := p.nativeCall(); x != nil || err != nil {
		return x, err
	}
	switch p.tok.kw {
	case kwCast:
		return p.cast()
	case kwExists:
		return p.exists()
	case kwExtract:
		return p.extract()
	case kwDatePart:
		return p.datePartCall()
	case kwDateTrunc:
		return p.dateTrunc()
	case kwDateAdd, kwDateDiff:
		return p.dateArith()
	case kwPosition:
		return p.position()
	case kwTrim:
		return p.trim()
	case kwSubstring, kwSubstr:
		return p.substring()
	case kwAny, kwAll, kwSome:
		return nil, p.rejectQuantifier()
	}
	if p.tok.kw.reserved() {
		return nil, p.reservedWord()
	}
	return p.call()
}

// callSize reads an ordinary call and the clauses that may follow an aggregate.
func (p *parser) call() (Expr, error) {
	c := p.callHead()
	if p.tok.kind == tokStar {
		if c.Fn != FnCount {
			return nil, p.problem(p.tok.pos, "a star is only an argument of COUNT; the star", "")
		}
		p.advance()
		c.Star = true
	} else if err := p.callArgs(c); err != nil {
		return nil, err
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return p.callClauses(c)
}

// callHead consumes a function's name and its parenthesis.
func (p *parser) callHead() *Call {
	c := &Call{At: At(p.tok.pos)}
	c.Name = p.name()
	if info, ok := LookupFunc(c.Name.Text); ok {
		c.Fn = info.Fn
	}
	p.advance()
	return c
}

func (p *parser) callArgs(c *Call) error {
	if p.tok.kind == tokRParen {
		return nil
	}
	class := InfoOf(c.Fn).Class
	switch {
	case p.isKeyword(kwDistinct):
		if class != Aggregate && c.Fn != FnUnknown {
			return p.problem(p.tok.pos, "DISTINCT is only for aggregates; DISTINCT in "+InfoOf(c.Fn).Name, "")
		}
		p.advance()
		c.Distinct = true
	case p.isKeyword(kwAll) && class == Aggregate && (p.ahead.kind == tokWord || p.ahead.kind == tokQuoted):
		p.advance()
	}
	var err error
	if c.Args, err = p.exprs(); err != nil {
		return err
	}
	if p.isKeyword(kwOrder) && c.Fn == FnOtherAggregate {
		return p.orderedArgs(c)
	}
	return nil
}

// orderedArgs reads ORDER BY inside a call, or in the parentheses of WITHIN
// GROUP. Only aggregates that are refused by name have it; the keys are kept
// as further arguments so that their columns are seen.
func (p *parser) orderedArgs(c *Call) error {
	keys, err := p.orderBy()
	for _, k := range keys {
		c.Args = append(c.Args, k.X)
	}
	return err
}

// closeCall consumes the closing parenthesis and checks the number of
// arguments.
func (p *parser) closeCall(c *Call) error {
	if p.tok.kind != tokRParen {
		name := strings.ToUpper(c.Name.Text)
		if c.Star || len(c.Args) == 0 {
			return p.expected(") after the arguments of " + name)
		}
		return p.expected(") or a comma in the arguments of " + name)
	}
	p.advance()
	if len(c.Args) == 2 && (c.Fn == FnToDate || c.Fn == FnToTimestamp) {
		// With a format the call belongs to one engine: its format codes are
		// not those of the next.
		c.Fn = FnUnknown
	}
	info := InfoOf(c.Fn)
	if n := len(c.Args); !c.Star && (n < info.MinArgs || info.MaxArgs >= 0 && n > info.MaxArgs) {
		return p.problem(c.Pos(), fmt.Sprintf("%s takes %s and has %d", info.Name, info.arity(), n), "")
	}
	return nil
}

// callClauses reads or refuses what follows a call.
func (p *parser) callClauses(c *Call) (Expr, error) {
	class := InfoOf(c.Fn).Class
	if p.isKeyword(kwWithin) && c.Fn == FnOtherAggregate {
		p.advance()
		if err := p.expectWord(kwGroup, "GROUP after WITHIN"); err != nil {
			return nil, err
		}
		if err := p.expect(tokLParen, "( after WITHIN GROUP"); err != nil {
			return nil, err
		}
		if !p.isKeyword(kwOrder) {
			return nil, p.expected("ORDER BY")
		}
		if err := p.orderedArgs(c); err != nil {
			return nil, err
		}
		if err := p.expect(tokRParen, ") after WITHIN GROUP"); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwFilter) && p.ahead.kind == tokLParen {
		return nil, p.problem(p.tok.pos, "the FILTER clause is not part of the expression language; FILTER", "write "+strings.ToUpper(c.Name.Text)+"(CASE WHEN condition THEN value END)")
	}
	if class == Window && (p.isKeyword(kwIgnore) || p.isKeyword(kwRespect)) && p.ahead.kw == kwNulls {
		p.advance()
		p.advance()
	}
	if p.isKeyword(kwOver) {
		return p.over(c)
	}
	return rewriteCall(c), nil
}

// cast reads CAST(x AS type).
func (p *parser) cast() (Expr, error) {
	at := At(p.tok.pos)
	p.advance()
	p.advance()
	x, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.expectWord(kwAs, "AS and a type in CAST"); err != nil {
		return nil, err
	}
	to, err := p.typeName()
	if err != nil {
		return nil, err
	}
	if err := p.expect(tokRParen, ") after the type of CAST"); err != nil {
		return nil, err
	}
	return &Cast{At: at, X: x, To: to}, nil
}

func (p *parser) exists() (Expr, error) {
	at := p.tok.pos
	p.advance()
	if !p.startsQuery() {
		return nil, p.expected("a subquery after EXISTS")
	}
	return p.subquery(at)
}
