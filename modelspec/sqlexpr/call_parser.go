package sqlexpr

import "strings"

// parseCallOrSpecialForm reads a function call; the current token is its name and the
// next one the parenthesis.
func (p *parser) parseCallOrSpecialForm() (Expr, error) {
	if x, err := p.parseNativeCall(); x != nil || err != nil {
		return x, err
	}
	switch p.tok.kw {
	case kwCast, kwTryCast:
		return p.parseCast()
	case kwExists:
		return p.parseExists()
	case kwExtract, kwDatePart:
		return p.parseExtract()
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
	at := Position(p.tok.pos)
	c := newNamedCall(at, p.parseIdentifier())
	p.advanceToken()
	return c
}

func (p *parser) parseCallArgs(c *Call) error {
	if p.tok.kind == tokRParen {
		return nil
	}
	class := InfoOfFunction(c.Fn).Class
	switch {
	case p.isKeyword(kwDistinct):
		if x := c.distinctProblem(p.tok.pos); x != nil {
			return p.problemError(x)
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
	if x := c.thirdListaggArgProblem(); x != nil {
		return p.problemError(x)
	}
	if p.isKeyword(kwOrder) && (c.Fn == FnOtherAggregate || c.Fn == FnListagg) {
		return p.parseOrderByInCall(c)
	}
	return nil
}

// parseCallEnd reads the end of a call that no clauses follow.
func (p *parser) parseCallEnd(c *Call) (Expr, error) {
	if err := p.expectCallEndAndArity(c); err != nil {
		return nil, err
	}
	return c, nil
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
	return p.problemError(c.checkArity())
}

// parseCallClauses reads or rejects what follows a call.
func (p *parser) parseCallClauses(c *Call) (Expr, error) {
	class := InfoOfFunction(c.Fn).Class
	if err := p.parseWithinGroup(c); err != nil {
		return nil, err
	}
	if x := c.normalizeAggregate(); x != nil {
		return nil, p.problemError(x)
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

// parseCast reads CAST(x AS type) and TRY_CAST(x AS type).
func (p *parser) parseCast() (Expr, error) {
	c := &Cast{Position: Position(p.tok.pos), Try: p.tok.kw == kwTryCast}
	name := castName(c)
	p.advanceToken()
	p.advanceToken()
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAs, "AS and a type in "+name); err != nil {
		return nil, err
	}
	typeAt := p.tok.pos
	to, err := p.parseTypeName()
	if err != nil {
		return nil, err
	}
	if c.Try && (to.Type == TypeUnknown || to.Type == TypeInterval) {
		return nil, p.unsupportedError(typeAt, to.unknownTypeText(), "the types are "+typeNamesText)
	}
	if err := p.expectToken(tokRParen, ") after the type of "+name); err != nil {
		return nil, err
	}
	c.X, c.To = x, to
	return c, nil
}

func (p *parser) parseExists() (Expr, error) {
	at := p.tok.pos
	p.advanceToken()
	if !p.isSubqueryStart() {
		return nil, p.expectedError("a subquery after EXISTS")
	}
	return p.parseSubqueryAsText(at)
}
