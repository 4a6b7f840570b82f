package parse

import (
	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The functions of SQL with words between their arguments.

// parseExtract reads EXTRACT(part FROM x).
func (p *parser) parseExtract() (Expr, error) {
	e := &Extract{Position: p.tok.at}
	p.advanceToken()
	p.advanceToken()
	var err error
	if e.Part, err = p.parseTimePart(); err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwFrom, "FROM after the part in EXTRACT"); err != nil {
		return nil, err
	}
	if e.X, err = p.parseExpr(); err != nil {
		return nil, err
	}
	return e, p.expectToken(tokRParen, "an operator or ) in EXTRACT")
}

// parseTimePart reads a part of a time, as a word or as a text, in lower case.
func (p *parser) parseTimePart() (string, error) {
	t := p.tok
	part := p.tokenText(t)
	switch {
	case t.kind == tokWord:
	case t.isTextLiteral():
		var err error
		if part, err = p.textLiteralValue(t); err != nil {
			return "", err
		}
	default:
		return "", p.expectedError("a part of a time in EXTRACT")
	}
	if !lexical.IsWord(part) {
		return "", newSyntaxError(t.at, "the part of EXTRACT is not a word", "write EXTRACT(month FROM …)")
	}
	p.advanceToken()
	return lowerASCII(part), nil
}

// parsePositionCall reads POSITION(needle IN haystack).
func (p *parser) parsePositionCall() (Expr, error) {
	c := p.parseCallStart()
	needle, err := p.parseExprOfPrecedence(sqlexpr.PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	if !p.acceptKeyword(kwIn) {
		return nil, p.expectedError("IN and the text to search in POSITION")
	}
	haystack, err := p.parseExprOfPrecedence(sqlexpr.PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	c.Arguments = []Expr{needle, haystack}
	return p.parseCallEnd(c)
}

// parseSubstring reads SUBSTRING(x FROM start FOR length) and SUBSTRING(x, start, length).
func (p *parser) parseSubstring() (Expr, error) {
	c := p.parseCallStart()
	if err := p.parseAndAppendArgument(c); err != nil {
		return nil, err
	}
	switch {
	case p.tok.kind == tokComma:
		return p.parseMoreArguments(c)
	case p.isKeyword(kwSimilar):
		return nil, p.unsupportedError("SUBSTRING … SIMILAR", "")
	case p.acceptKeyword(kwFrom):
		if err := p.parseAndAppendArgument(c); err != nil {
			return nil, err
		}
		if p.acceptKeyword(kwFor) {
			if err := p.parseAndAppendArgument(c); err != nil {
				return nil, err
			}
		}
	case p.acceptKeyword(kwFor):
		return p.parseSubstringFor(c)
	}
	return p.parseCallEnd(c)
}

// parseSubstringFor reads the length after FOR, and FROM where it comes second.
func (p *parser) parseSubstringFor(c *Call) (Expr, error) {
	length, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	var start Expr = &Number{Position: sqlexpr.Position(length.Pos()), Text: "1"}
	if p.acceptKeyword(kwFrom) {
		if start, err = p.parseExpr(); err != nil {
			return nil, err
		}
	}
	c.Arguments = append(c.Arguments, start, length)
	return p.parseCallEnd(c)
}

func (p *parser) parseAndAppendArgument(c *Call) error {
	x, err := p.parseExpr()
	c.Arguments = append(c.Arguments, x)
	return err
}

// parseMoreArguments reads the arguments after the first one.
func (p *parser) parseMoreArguments(c *Call) (Expr, error) {
	p.advanceToken()
	more, err := p.parseExprList("the arguments of a call are")
	if err != nil {
		return nil, err
	}
	c.Arguments = append(c.Arguments, more...)
	return p.parseCallEnd(c)
}

// parseTrim reads TRIM([BOTH|LEADING|TRAILING] [characters] FROM x) and TRIM(x, characters).
func (p *parser) parseTrim() (Expr, error) {
	c := p.parseCallStart()
	switch {
	case p.acceptKeyword(kwBoth):
	case p.acceptKeyword(kwLeading):
		c.Function.Text = "ltrim"
	case p.acceptKeyword(kwTrailing):
		c.Function.Text = "rtrim"
	}
	if p.acceptKeyword(kwFrom) {
		return p.parseTrimText(c, nil)
	}
	x, err := p.parseExpr()
	switch {
	case err != nil:
		return nil, err
	case p.acceptKeyword(kwFrom):
		return p.parseTrimText(c, x)
	}
	c.Arguments = []Expr{x}
	if p.tok.kind == tokComma {
		return p.parseMoreArguments(c)
	}
	return p.parseCallEnd(c)
}

// parseTrimText reads the text after FROM in TRIM; the characters, where there are any, come second.
func (p *parser) parseTrimText(c *Call, characters Expr) (Expr, error) {
	if err := p.parseAndAppendArgument(c); err != nil {
		return nil, err
	}
	if characters != nil {
		c.Arguments = append(c.Arguments, characters)
	}
	return p.parseCallEnd(c)
}
