package parse

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseOperand reads a primary expression and the casts after it.
func (p *parser) parseOperand() (Expr, error) {
	x, err := p.parsePrimary()
	if err != nil {
		return nil, err
	}
	return p.parseCastSuffixes(x)
}

// parseCastSuffixes reads the casts after an operand.
func (p *parser) parseCastSuffixes(x Expr) (Expr, error) {
	for n := 0; p.tok.kind == tokCast || p.isCatalogueOperandSuffix(); n++ {
		if n == p.lim.Depth {
			return nil, newTooDeepError(p.tok.at, p.lim.Depth)
		}
		if p.tok.kind != tokCast {
			var err error
			if x, err = p.parseCatalogueOperandSuffix(x); err != nil {
				return nil, err
			}
			continue
		}
		p.advanceToken()
		to, err := p.parseTypeName()
		if err != nil {
			return nil, err
		}
		x = &Cast{Position: sqlexpr.Position(x.Pos()), X: x, To: to}
	}
	return x, nil
}

func (p *parser) parsePrimary() (Expr, error) {
	t := p.tok
	switch t.kind {
	case tokNumber:
		p.advanceToken()
		return &Number{Position: t.at, Text: p.tokenText(t)}, nil
	case tokString, tokEscapedString, tokDollarString:
		return p.parseTextLiteral()
	case tokBitString:
		return p.parseBitString(), nil
	case tokParameter:
		return p.parseParameter()
	case tokLParen:
		return p.parseParenthesized()
	case tokQuotedName, tokWord:
		return p.parseExprStartingWithWord()
	case tokStar:
		return nil, newSyntaxError(t.at, "a star is an item of SELECT or the argument of COUNT, and not an operand", "")
	}
	return nil, p.expectedOperandError()
}

// expectedOperandError reports a missing operand.
func (p *parser) expectedOperandError() error {
	if p.prev.end == 0 {
		return p.expectedError("an expression")
	}
	after := p.describeToken(p.prev)
	if p.prev.kw != notKeyword {
		after = strings.ToUpper(after)
	}
	return p.expectedError("an expression after " + after)
}

func (p *parser) parseTextLiteral() (Expr, error) {
	t := p.tok
	value, err := p.textLiteralValue(t)
	if err != nil {
		return nil, err
	}
	p.advanceToken()
	if p.tok.isTextLiteral() {
		return nil, newSyntaxError(p.tok.at, "a text literal follows a text literal", "join them with ||")
	}
	return &String{Position: t.at, Value: value}, nil
}

// maxParameterNumber is the greatest number of a parameter that PostgreSQL's protocol can bind.
const maxParameterNumber = 65535

func (p *parser) parseParameter() (Expr, error) {
	n, err := strconv.Atoi(p.tokenText(p.tok)[1:])
	if err != nil || n < 1 || n > maxParameterNumber {
		return nil, newSyntaxError(p.tok.at, "the numbers of parameters are 1 to "+strconv.Itoa(maxParameterNumber), "")
	}
	p.advanceToken()
	return &Parameter{Position: p.prev.at, Number: n}, nil
}

// parseParenthesized reads an expression or a query in parentheses.
func (p *parser) parseParenthesized() (Expr, error) {
	at := p.tok.at
	p.advanceToken()
	q, x, err := p.parseQueryOrExpr()
	if err != nil {
		return nil, err
	}
	if q != nil {
		return &ScalarSubquery{Position: at, Query: q}, p.expectQueryClosingParen()
	}
	return p.closeParenthesis(at, x)
}

// closeParenthesis consumes the parenthesis after one expression.
func (p *parser) closeParenthesis(at sqlexpr.Position, x Expr) (Expr, error) {
	if p.tok.kind == tokComma {
		if at == p.groupingList {
			return p.parseGroupingListRest(at, x)
		}
		if p.takesCatalogueOnly() {
			return p.parseRowRest(at, x)
		}
		return nil, p.unsupportedError("a row of several values", "compare the values one by one")
	}
	if err := p.expectToken(tokRParen, "an operator or )"); err != nil {
		return nil, err
	}
	if p.tok.kind == tokDot && !p.takesCatalogueOnly() {
		return nil, p.unsupportedError("a field of an expression", "")
	}
	return x, nil
}

// parseQueryOrExpr reads what a parenthesis holds, without the closing one. What begins with
// another parenthesis is known only after that: ((SELECT 1) UNION (SELECT 2)) is a query,
// ((SELECT 1) + 1) an expression.
func (p *parser) parseQueryOrExpr() (*Query, Expr, error) {
	if err := p.enterParens(); err != nil {
		return nil, nil, err
	}
	defer p.leaveParens()
	switch {
	case p.isQueryStart():
		q, err := p.parseQuery()
		return q, nil, err
	case p.isKeyword(kwValues), p.isKeyword(kwTable):
		return nil, nil, p.expectedQueryError()
	case p.tok.kind != tokLParen:
		x, err := p.parseBinary(sqlexpr.PrecedenceOr)
		return nil, x, err
	}
	at := p.tok.at
	p.advanceToken()
	q, x, err := p.parseQueryOrExpr()
	if err != nil {
		return nil, nil, err
	}
	if q == nil {
		x, err = p.closeParenthesis(at, x)
	} else {
		err = p.expectQueryClosingParen()
	}
	if err != nil {
		return nil, nil, err
	}
	if q != nil && p.continuesQuery() {
		q, err = p.parseRestAfterParenthesizedQuery(at, q)
		return q, nil, err
	}
	if q != nil {
		x = &ScalarSubquery{Position: at, Query: q}
	}
	if x, err = p.parseCastSuffixes(x); err != nil {
		return nil, nil, err
	}
	x, err = p.parseOperators(x, sqlexpr.PrecedenceOr)
	return nil, x, err
}
