package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// parseBetweenInLike reads [NOT] BETWEEN, IN, LIKE and ILIKE.
func (p *parser) parseBetweenInLike(x Expr) (Expr, error) {
	not := p.acceptKeyword(kwNot)
	p.advanceToken()
	switch p.prev.kw {
	case kwBetween:
		return p.parseBetween(not, x)
	case kwIn:
		return p.parseInList(not, x)
	}
	return p.parseLike(not, p.prev.kw == kwIlike, x)
}

func (p *parser) parseBetween(not bool, x Expr) (Expr, error) {
	if p.isKeyword(kwSymmetric) {
		return nil, p.unsupportedError("BETWEEN SYMMETRIC", "write the bounds in order")
	}
	p.acceptKeyword(kwAsymmetric)
	low, err := p.parseBinary(sqlexpr.PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAnd, "AND and the upper bound of BETWEEN"); err != nil {
		return nil, err
	}
	high, err := p.parseBinary(sqlexpr.PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	return &Between{Position: sqlexpr.Position(x.Pos()), Not: not, X: x, Lo: low, Hi: high}, nil
}

// parseInList reads the parentheses of IN: values, a query, or VALUES.
func (p *parser) parseInList(not bool, x Expr) (Expr, error) {
	at := sqlexpr.Position(x.Pos())
	if p.tok.kind != tokLParen {
		return nil, p.expectedError("( and values or a query after IN")
	}
	quantified := p.prev.kw != kwIn
	p.advanceToken()
	if p.isKeyword(kwValues) {
		items, err := p.parseValuesClauseAfterIn()
		return &In{Position: at, Not: not, X: x, Items: items}, err
	}
	q, first, err := p.parseQueryOrExpr()
	if err != nil {
		return nil, err
	}
	if q != nil {
		return &InQuery{Position: at, Not: not, X: x, Query: q}, p.expectQueryClosingParen()
	}
	if quantified {
		return nil, newUnsupportedError(sqlexpr.Position(first.Pos()), "ANY and ALL of a value are not supported", "write IN (…) with the values")
	}
	items := []Expr{first}
	if p.acceptToken(tokComma) {
		if items, err = parseMoreItems(p, items, p.lim.InItems, "the values of IN are", (*parser).parseExpr); err != nil {
			return nil, err
		}
	}
	return &In{Position: at, Not: not, X: x, Items: items}, p.expectToken(tokRParen, ") or a comma in the list of IN")
}

// parseValuesClauseAfterIn reads VALUES (a), (b) and the parenthesis after it.
func (p *parser) parseValuesClauseAfterIn() ([]Expr, error) {
	p.advanceToken()
	items, err := parseCommaSeparated(p, p.lim.InItems, "the values of IN are", (*parser).parseValuesRowAfterIn)
	if err != nil {
		return nil, err
	}
	return items, p.expectToken(tokRParen, ") or a comma after a row of VALUES")
}

func (p *parser) parseValuesRowAfterIn() (Expr, error) {
	if err := p.expectToken(tokLParen, "( and a value"); err != nil {
		return nil, err
	}
	if p.isKeyword(kwDefault) {
		return nil, p.expectedError("a value")
	}
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if p.tok.kind == tokComma {
		return nil, p.unsupportedError("a row of several values", "write one value in each row")
	}
	return x, p.expectToken(tokRParen, ") after the value")
}

func (p *parser) parseLike(not, fold bool, x Expr) (Expr, error) {
	if p.ahead.kind == tokLParen {
		switch p.tok.kw {
		case kwAny, kwSome, kwAll:
			return nil, p.unsupportedError("LIKE "+p.tokenText(p.tok), "write one LIKE for each pattern")
		}
	}
	pattern, err := p.parseBinary(sqlexpr.PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	like := &Like{Position: sqlexpr.Position(x.Pos()), Not: not, Fold: fold, X: x, Pattern: pattern}
	if p.acceptKeyword(kwEscape) {
		like.Escape, err = p.parseBinary(sqlexpr.PrecedenceBetweenInLike + 1)
	}
	return like, err
}

// parseTildeLikeOperator reads ~~, ~~*, !~~ and !~~*, which bind as every other operator of signs.
func (p *parser) parseTildeLikeOperator(x Expr) (Expr, error) {
	p.advanceToken()
	sign := p.tokenText(p.prev)
	pattern, err := p.parseBinary(sqlexpr.PrecedenceConcat + 1)
	if err != nil {
		return nil, err
	}
	return newOperatorNode(x, sign, pattern), nil
}
