package parse

import "strings"

// parseUnqualifiedCall reads a name with parentheses after it.
func (p *parser) parseUnqualifiedCall() (Expr, error) {
	if p.tok.kind == tokWord {
		switch p.tok.kw {
		case kwMeasure, kwAgg:
			return p.parseMeasureCall()
		case kwExtract:
			return p.parseExtract()
		case kwPosition:
			return p.parsePositionCall()
		case kwSubstring:
			return p.parseSubstring()
		case kwTrim:
			return p.parseTrim()
		case kwCoalesce, kwNullif, kwGreatest, kwLeast:
			return p.parseCall()
		case kwGrouping:
			if !p.catalogue {
				return p.parseGroupingCall()
			}
		case kwRow:
			if p.takesCatalogueOnly() {
				return p.parseRowCall()
			}
			return nil, p.unsupportedError("ROW", "compare the values one by one")
		}
		if !p.tok.kw.canBeFunctionName() {
			return nil, p.unsupportedKeywordCallError()
		}
		if strings.EqualFold(p.tokenText(p.tok), "make_interval") && !p.takesCatalogueOnly() {
			return p.parseMakeInterval()
		}
	}
	c, err := p.parseCall()
	if err != nil {
		return nil, err
	}
	return p.rewriteTimeCall(c), nil
}

// unsupportedKeywordCallError rejects a keyword with parentheses that has its own form in PostgreSQL.
func (p *parser) unsupportedKeywordCallError() error {
	word := strings.ToUpper(p.tokenText(p.tok))
	if p.tok.kw.isReserved() {
		switch p.tok.kw {
		case kwAny, kwSome, kwAll:
			return p.unsupportedError(word+" of this operator", "write = ANY (…) or <> ALL (…)")
		}
		return p.expectedOperandError()
	}
	switch p.tok.kw {
	case kwOverlay, kwNormalize, kwTreat, kwGrouping, kwXmlconcat, kwXmlelement, kwXmlexists, kwXmlforest,
		kwXmlparse, kwXmlpi, kwXmlroot, kwXmlserialize, kwXmltable, kwValues:
		return p.unsupportedError(word, "")
	}
	return p.unsupportedError("the call of "+word, "a type is given with CAST(… AS "+word+")")
}

// parseCallStart consumes the name of a call and the parenthesis after it. The name of a function
// without quotes is in lower case.
func (p *parser) parseCallStart() *Call {
	name := p.tokenName(p.tok)
	if !name.Quoted {
		name.Text = lowerASCII(name.Text)
	}
	c := &Call{Position: p.tok.at, Function: name}
	p.advanceToken()
	p.advanceToken()
	return c
}

// isCount reports whether a call is COUNT.
func (c *Call) isCount() bool { return !c.Function.Quoted && c.Function.Text == "count" }

// parseCall reads a call with the clauses after it.
func (p *parser) parseCall() (Expr, error) { return p.parseCallRest(p.parseCallStart()) }

// parseCallRest reads a call whose name and opening parenthesis have been read.
func (p *parser) parseCallRest(c *Call) (Expr, error) {
	switch {
	case p.acceptKeyword(kwDistinct):
		c.Distinct = true
	case p.isKeyword(kwAll):
		p.advanceToken()
	case p.isKeyword(kwVariadic) && !p.takesCatalogueOnly():
		return nil, p.unsupportedError("VARIADIC", "")
	}
	if p.tok.kind != tokRParen || c.Distinct {
		var err error
		const what = "the arguments of a call are"
		if c.Arguments, err = parseCommaSeparated(p, p.lim.Items, what, (*parser).parseArgument); err != nil {
			return nil, err
		}
		if err := checkStarArguments(c); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwOrder) {
		var err error
		if c.OrderBy, err = p.parseOrderBy(); err != nil {
			return nil, err
		}
	}
	return p.parseCallEnd(c)
}

// parseCallEnd reads the parenthesis at the end of a call and the clauses after it.
func (p *parser) parseCallEnd(c *Call) (Expr, error) {
	if err := p.expectToken(tokRParen, "an operator, a comma or )"); err != nil {
		return nil, err
	}
	if p.tok.kind == tokDot {
		return nil, p.unsupportedError("a field of an expression", "")
	}
	if p.isKeyword(kwWithin) && p.ahead.kw == kwGroup {
		if err := p.parseWithinGroup(c); err != nil {
			return nil, err
		}
	}
	if p.isKeywordCall(kwFilter) {
		var err error
		if c.Filter, err = p.parseFilter(); err != nil {
			return nil, err
		}
	}
	switch {
	case p.isKeyword(kwIgnore) && p.ahead.kw == kwNulls, p.isKeyword(kwRespect) && p.ahead.kw == kwNulls:
		return nil, p.unsupportedError(strings.ToUpper(p.tokenText(p.tok))+" NULLS", "")
	case p.isKeyword(kwOver):
		var err error
		if c.Over, err = p.parseOver(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// checkStarArguments rejects a star that is not the only argument of COUNT.
func checkStarArguments(c *Call) error {
	for _, x := range c.Arguments {
		star, ok := x.(*Star)
		switch {
		case !ok:
		case !c.isCount() || len(c.Arguments) > 1:
			return newSyntaxError(star.Position, "a star is an argument of COUNT alone", "name a column")
		case c.Distinct:
			return newSyntaxError(star.Position, "COUNT(DISTINCT) takes an expression and not a star", "name a column")
		}
	}
	return nil
}

// parseArgument reads one argument. Names of arguments are for MEASURE.
func (p *parser) parseArgument() (Expr, error) {
	if p.tok.isName() && (p.ahead.kind == tokNamedArgumentArrow || p.ahead.kind == tokAssign) {
		return nil, p.unsupportedError("an argument by name", "MEASURE(metric, parameter => value) alone has them")
	}
	if p.isKeyword(kwVariadic) {
		return p.parseVariadic()
	}
	return p.parseStarOrExpr()
}

// parseVariadic reads VARIADIC array, which is the last argument of a call.
func (p *parser) parseVariadic() (Expr, error) {
	if !p.takesCatalogueOnly() {
		return nil, p.unsupportedError("VARIADIC", "")
	}
	v := &Variadic{Position: p.tok.at}
	p.advanceToken()
	var err error
	if v.X, err = p.parseExpr(); err != nil {
		return nil, err
	}
	if p.tok.kind == tokComma {
		return nil, p.expectedError(") after the argument with VARIADIC")
	}
	return v, nil
}

func (p *parser) parseOrderBy() ([]*OrderItem, error) {
	p.advanceToken()
	if err := p.expectKeyword(kwBy, "BY after ORDER"); err != nil {
		return nil, err
	}
	return p.parseOrderItems()
}

func (p *parser) parseWithinGroup(c *Call) error {
	switch {
	case c.Distinct:
		return newSyntaxError(p.tok.at, "DISTINCT and WITHIN GROUP exclude each other", "")
	case len(c.OrderBy) > 0:
		return newSyntaxError(p.tok.at, "an aggregate has one ORDER BY: inside of its parentheses or in WITHIN GROUP", "")
	}
	p.advanceToken()
	p.advanceToken()
	if err := p.expectToken(tokLParen, "( after WITHIN GROUP"); err != nil {
		return err
	}
	if !p.isKeyword(kwOrder) {
		return p.expectedError("ORDER BY in WITHIN GROUP")
	}
	var err error
	if c.WithinGroup, err = p.parseOrderBy(); err != nil {
		return err
	}
	return p.expectToken(tokRParen, ") at the end of WITHIN GROUP")
}

// parseFilter reads FILTER (WHERE condition).
func (p *parser) parseFilter() (Expr, error) {
	p.advanceToken()
	p.advanceToken()
	if err := p.expectKeyword(kwWhere, "WHERE in FILTER"); err != nil {
		return nil, err
	}
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	return x, p.expectToken(tokRParen, "an operator or ) at the end of FILTER")
}
