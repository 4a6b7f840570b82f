package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseExprStartingWithWord reads what begins with a word or a quoted name: a construct with its own form, a
// call or a column.
func (p *parser) parseExprStartingWithWord() (Expr, error) {
	t := p.tok
	if p.ahead.kind == tokDot {
		return p.parseColumnOrCall()
	}
	switch t.kw {
	case kwTrue, kwFalse:
		p.advanceToken()
		return &Bool{Position: t.at, Value: t.kw == kwTrue}, nil
	case kwNull:
		p.advanceToken()
		return &Null{Position: t.at}, nil
	case kwCase:
		return p.parseCase()
	case kwCast:
		return p.parseCast()
	case kwExists:
		if p.ahead.kind == tokLParen {
			return p.parseExists()
		}
	case kwInterval:
		if p.ahead.isTextLiteral() || p.ahead.kind == tokNumber || p.ahead.kind == tokLParen {
			return p.parseInterval()
		}
	case kwArray:
		if p.takesCatalogueOnly() {
			return p.parseArray()
		}
		return nil, p.unsupportedError("ARRAY", "write IN (…) with the values")
	case kwCurrentDate, kwCurrentTime, kwCurrentTimestamp, kwLocaltime, kwLocaltimestamp,
		kwCurrentUser, kwSessionUser, kwUser, kwCurrentRole, kwCurrentCatalog, kwCurrentSchema:
		if p.ahead.kind == tokLParen && p.takesCatalogueOnly() {
			return p.parseUnqualifiedCall()
		}
		return p.parseSessionValue()
	}
	if x, err := p.parseTimeLiteral(); x != nil || err != nil {
		return x, err
	}
	if t.kind == tokWord && p.ahead.kind == tokLParen && lowerASCII(p.tokenText(t)) == "try_cast" {
		return p.parseCast()
	}
	if p.ahead.isTextLiteral() && t.kw != kwInterval && !t.kw.isReserved() && p.takesCatalogueOnly() {
		return p.parseTypedTextLiteral()
	}
	if p.ahead.isTextLiteral() && t.kind == tokWord && t.kw.canBeFunctionName() {
		return nil, p.unsupportedError("a type before a text literal", "write CAST('…' AS "+p.describeToken(t)+")")
	}
	if p.ahead.kind == tokLParen {
		return p.parseUnqualifiedCall()
	}
	return p.parseColumnOrCall()
}

// parseColumnOrCall reads a column, or rejects a function with a schema.
func (p *parser) parseColumnOrCall() (Expr, error) {
	at := p.tok.at
	if !p.tok.canBeColumnName() {
		return nil, p.expectedOperandError()
	}
	path, star, err := p.parsePath()
	if err != nil {
		return nil, err
	}
	if star {
		return nil, newSyntaxError(at, "a star is an item of SELECT or the argument of COUNT, and not an operand", "name one column")
	}
	return p.parseColumnOrCallOfPath(at, path)
}

// parseColumnOrCallOfPath makes a column of a path.
func (p *parser) parseColumnOrCallOfPath(at sqlexpr.Position, path []Name) (Expr, error) {
	switch {
	case p.tok.kind == tokLParen && p.takesCatalogueOnly():
		return p.parseCallAfterPath(at, path)
	case p.tok.isTextLiteral() && len(path) == 2 && isCatalogueSchema(path[0]) && p.takesCatalogueOnly():
		return p.parseTextAfterTypeName(at, path[1])
	case p.tok.kind == tokLParen:
		return nil, newUnsupportedError(at, "a function with a schema is not supported", "write the function alone")
	case p.view && len(path) > 2:
		return nil, newUnsupportedError(at, "a path of more than two names in SEMANTIC_VIEW is not supported", "write dataset.field").withOssieCode(ossieCodeViewLongPath)
	}
	return &Column{Position: at, Path: path}, nil
}

// parseSessionValue reads current_date and the words like it.
func (p *parser) parseSessionValue() (Expr, error) {
	if p.ahead.kind == tokLParen {
		return nil, p.unsupportedError("an argument of "+strings.ToUpper(p.tokenText(p.tok)), "write the word alone")
	}
	p.advanceToken()
	return &SessionValue{Position: p.prev.at, Word: lowerASCII(p.tokenText(p.prev))}, nil
}

func (p *parser) parseExists() (Expr, error) {
	at := p.tok.at
	p.advanceToken()
	p.advanceToken()
	q, err := p.parseQueryInParens()
	if err != nil {
		return nil, err
	}
	return &Exists{Position: at, Query: q}, nil
}

func (p *parser) parseCase() (Expr, error) {
	c := &Case{Position: p.tok.at}
	p.advanceToken()
	var err error
	if !p.isKeyword(kwWhen) {
		if c.Operand, err = p.parseExpr(); err != nil {
			return nil, err
		}
	}
	for p.acceptKeyword(kwWhen) {
		when := When{At: p.prev.at}
		if when.Cond, err = p.parseExpr(); err != nil {
			return nil, err
		}
		if err := p.expectKeyword(kwThen, "an operator or THEN"); err != nil {
			return nil, err
		}
		if when.Then, err = p.parseExpr(); err != nil {
			return nil, err
		}
		c.Whens = append(c.Whens, when)
	}
	if len(c.Whens) == 0 {
		return nil, p.expectedError("WHEN in CASE")
	}
	if p.acceptKeyword(kwElse) {
		if c.Else, err = p.parseExpr(); err != nil {
			return nil, err
		}
	}
	return c, p.expectKeyword(kwEnd, "an operator, WHEN, ELSE or END in CASE")
}

func (p *parser) parseCast() (Expr, error) {
	c := &Cast{Position: p.tok.at, Try: !p.isKeyword(kwCast)}
	p.advanceToken()
	if err := p.expectToken(tokLParen, "( after CAST"); err != nil {
		return nil, err
	}
	var err error
	if c.X, err = p.parseExpr(); err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAs, "an operator or AS in CAST"); err != nil {
		return nil, err
	}
	if c.To, err = p.parseTypeName(); err != nil {
		return nil, err
	}
	return c, p.expectToken(tokRParen, ") at the end of CAST")
}
