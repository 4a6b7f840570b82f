package sqlexpr

import (
	"fmt"
	"strings"
)

// parseCallOrSpecialForm reads a function call; the current token is its name and the
// next one the parenthesis.
func (p *parser) parseCallOrSpecialForm() (Expr, error) {
	if x, err := p.parseNativeCall(); x != nil || err != nil {
		return x, err
	}
	switch p.tok.kw {
	case kwCast:
		return p.parseCast()
	case kwExists:
		return p.parseExists()
	case kwExtract:
		return p.parseExtract()
	case kwDatePart:
		return p.parseDatePartAsExtract()
	case kwDateTrunc:
		return p.parseDateTrunc()
	case kwDateAdd, kwDateDiff:
		return p.parseDateAddOrDateDiff()
	case kwPosition:
		return p.parsePositionCall()
	case kwTrim:
		return p.parseTrim()
	case kwSubstring, kwSubstr:
		return p.parseSubstring()
	case kwAny, kwAll, kwSome:
		return nil, p.rejectQuantifier()
	}
	if p.tok.kw.isReserved() {
		return nil, p.rejectReservedWord()
	}
	return p.parseCall()
}

// parseCall reads an ordinary call and the clauses that may follow an aggregate.
func (p *parser) parseCall() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	if p.tok.kind == tokStar {
		if c.Fn != FnCount {
			return nil, p.problemAtOffsetError(p.tok.pos, "a star is only an argument of COUNT; the star", "")
		}
		p.advanceToken()
		c.Star = true
	} else if err := p.parseCallArgs(c); err != nil {
		return nil, err
	}
	if err := p.expectCallEndAndArity(c); err != nil {
		return nil, err
	}
	return p.parseCallClauses(c)
}

// parseCallNameAndParenthesis consumes a function's name and its parenthesis.
func (p *parser) parseCallNameAndParenthesis() *Call {
	c := &Call{Position: Position(p.tok.pos)}
	c.Name = p.parseIdentifier()
	if info, ok := LookupFunc(c.Name.Text); ok {
		c.Fn = info.Fn
	}
	p.advanceToken()
	return c
}

func (p *parser) parseCallArgs(c *Call) error {
	if p.tok.kind == tokRParen {
		return nil
	}
	class := InfoOfFunction(c.Fn).Class
	switch {
	case p.isKeyword(kwDistinct) && isCountIfCall(c):
		return p.problemAtOffsetError(p.tok.pos, "COUNT_IF counts rows; DISTINCT in it", "")
	case p.isKeyword(kwDistinct):
		if class != ClassAggregate && c.Fn != FnUnknown {
			return p.problemAtOffsetError(p.tok.pos, "DISTINCT is only for aggregates; DISTINCT in "+InfoOfFunction(c.Fn).Name, "")
		}
		p.advanceToken()
		c.Distinct = true
	case p.isKeyword(kwAll) && class == ClassAggregate && (p.ahead.kind == tokWord || p.ahead.kind == tokQuotedName):
		p.advanceToken()
	}
	var err error
	if c.Args, err = p.parseExprList(); err != nil {
		return err
	}
	if c.Fn == FnListagg && len(c.Args) > 2 {
		return p.problemAtOffsetError(c.Args[2].Pos(), "LISTAGG takes 2 arguments; the third", "")
	}
	if p.isKeyword(kwOrder) && (c.Fn == FnOtherAggregate || c.Fn == FnListagg) {
		return p.parseOrderByInCall(c)
	}
	return nil
}

// expectCallEndAndArity consumes the closing parenthesis and checks the number of
// arguments.
func (p *parser) expectCallEndAndArity(c *Call) error {
	if p.tok.kind != tokRParen {
		name := strings.ToUpper(c.Name.Text)
		if c.Star || len(c.Args) == 0 {
			return p.expectedError(") after the arguments of " + name)
		}
		return p.expectedError(") or a comma in the arguments of " + name)
	}
	p.advanceToken()
	if len(c.Args) == 2 && (c.Fn == FnToDate || c.Fn == FnToTimestamp) {
		// With a format the call belongs to one engine: its format codes are
		// not those of the next.
		c.Fn = FnUnknown
	}
	info := InfoOfFunction(c.Fn)
	if isPercentileCall(c) {
		return nil // the value that it takes follows in WITHIN GROUP
	}
	if n := len(c.Args); !c.Star && (n < info.MinArgs || info.MaxArgs >= 0 && n > info.MaxArgs) {
		return p.problemAtOffsetError(c.Pos(), fmt.Sprintf("%s takes %s and has %d", info.Name, info.arityText(), n), "")
	}
	return nil
}

// parseCallClauses reads or rejects what follows a call.
func (p *parser) parseCallClauses(c *Call) (Expr, error) {
	class := InfoOfFunction(c.Fn).Class
	if err := p.parseWithinGroup(c); err != nil {
		return nil, err
	}
	if err := p.checkAndNormalizeAggregateCall(c); err != nil {
		return nil, err
	}
	if p.isKeyword(kwFilter) && p.ahead.kind == tokLParen {
		filtered, err := p.parseFilterClause(c)
		if err != nil {
			return nil, err
		}
		c = filtered
	}
	if class == ClassWindow && (p.isKeyword(kwIgnore) || p.isKeyword(kwRespect)) && p.ahead.kw == kwNulls {
		p.advanceToken()
		p.advanceToken()
	}
	if p.isKeyword(kwOver) {
		return p.parseOverClause(c)
	}
	return rewriteEngineSpecificCall(c), nil
}

// parseCast reads CAST(x AS type).
func (p *parser) parseCast() (Expr, error) {
	at := Position(p.tok.pos)
	p.advanceToken()
	p.advanceToken()
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAs, "AS and a type in CAST"); err != nil {
		return nil, err
	}
	to, err := p.parseTypeName()
	if err != nil {
		return nil, err
	}
	if err := p.expectToken(tokRParen, ") after the type of CAST"); err != nil {
		return nil, err
	}
	return &Cast{Position: at, X: x, To: to}, nil
}

func (p *parser) parseExists() (Expr, error) {
	at := p.tok.pos
	p.advanceToken()
	if !p.isSubqueryStart() {
		return nil, p.expectedError("a subquery after EXISTS")
	}
	return p.parseSubqueryAsText(at)
}
