package parse

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseExpr reads a whole expression one level down.
func (p *parser) parseExpr() (Expr, error) { return p.parseExprOfPrecedence(sqlexpr.PrecedenceOr) }

// parseExprOfPrecedence reads operators of at least the given level, one level down.
func (p *parser) parseExprOfPrecedence(lowest sqlexpr.Precedence) (Expr, error) {
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	return p.parseBinary(lowest)
}

// parseBinary reads an operand and every operator of at least the level lowest that follows it.
func (p *parser) parseBinary(lowest sqlexpr.Precedence) (Expr, error) {
	left, err := p.parsePrefixOperators()
	if err != nil {
		return nil, err
	}
	return p.parseOperators(left, lowest)
}

// parseOperators reads every operator of at least the level lowest that follows left.
func (p *parser) parseOperators(left Expr, lowest sqlexpr.Precedence) (Expr, error) {
	chained := sqlexpr.PrecedenceNone // the level of the last operator, when it may not repeat
	for {
		if err := p.unsupportedOperatorError(); err != nil {
			return nil, err
		}
		o := p.currentInfixOperator()
		if o.level == sqlexpr.PrecedenceNone || o.level < lowest {
			return left, nil
		}
		if o.level == chained {
			return nil, newSyntaxError(p.tok.at, "comparisons do not chain without parentheses", "")
		}
		var err error
		switch {
		case o.symbol:
			left, err = p.parseBinaryOperator(left, o)
		case o.level == sqlexpr.PrecedenceIs:
			left, err = p.parseIsTest(left)
		case p.currentCatalogueOperator() != "" || p.isQualifiedOperator():
			left, err = p.parseCatalogueOperator(left)
		case p.isSimilarTo():
			left, err = p.parseSimilarTo(left)
		case o.level == sqlexpr.PrecedenceConcat:
			if pattern, ok := p.regexAsLike(); ok {
				left = p.parseRegexAsLike(left, pattern)
				break
			}
			left, err = p.parseTildeLikeOperator(left)
		default:
			left, err = p.parseBetweenInLike(left)
		}
		if err != nil {
			return nil, err
		}
		chained = sqlexpr.PrecedenceNone
		if o.level.IsNonAssociative() && operatorExprEndsInOperand(left) {
			chained = o.level
		}
	}
}

// operatorExprEndsInOperand reports whether the text of an operator ends in an operand and not in its own
// word or parenthesis.
func operatorExprEndsInOperand(e Expr) bool {
	switch e.(type) {
	case *IsNull, *IsTruth, *In, *InArray, *InQuery, *QuantifiedComparison:
		return false
	}
	return true
}

func (p *parser) parseBinaryOperator(left Expr, o infixOperatorInfo) (Expr, error) {
	p.advanceToken()
	if o.level == sqlexpr.PrecedenceComparison && p.ahead.kind == tokLParen {
		switch p.tok.kw {
		case kwAny, kwSome, kwAll:
			return p.parseAnyOrAll(left, o.op)
		}
	}
	right, err := p.parseBinary(o.level + 1)
	if err != nil {
		return nil, err
	}
	return &Binary{Position: sqlexpr.Position(left.Pos()), Op: o.op, L: left, R: right}, nil
}

// parseIsTest reads IS and what follows it, ISNULL and NOTNULL.
func (p *parser) parseIsTest(x Expr) (Expr, error) {
	at := sqlexpr.Position(x.Pos())
	p.advanceToken()
	switch p.prev.kw {
	case kwIsnull:
		return &IsNull{Position: at, X: x}, nil
	case kwNotnull:
		return &IsNull{Position: at, Not: true, X: x}, nil
	}
	not := p.acceptKeyword(kwNot)
	switch {
	case p.acceptKeyword(kwNull), p.acceptKeyword(kwUnknown):
		return &IsNull{Position: at, Not: not, X: x}, nil
	case p.acceptKeyword(kwTrue):
		return &IsTruth{Position: at, Not: not, Want: true, X: x}, nil
	case p.acceptKeyword(kwFalse):
		return &IsTruth{Position: at, Not: not, X: x}, nil
	case p.acceptKeyword(kwDistinct):
		return p.parseDistinctFrom(x, not)
	case p.isUnsupportedIsTest():
		return nil, p.unsupportedError("IS "+p.tokenText(p.tok), "")
	}
	return nil, p.expectedError("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS")
}

// isUnsupportedIsTest recognises what else PostgreSQL has after IS.
func (p *parser) isUnsupportedIsTest() bool {
	others := []string{"document", "normalized", "json", "nfc", "nfd", "nfkc", "nfkd", "of"}
	return slices.ContainsFunc(others, func(word string) bool { return p.isWord(p.tok, word) })
}

func (p *parser) parseDistinctFrom(x Expr, not bool) (Expr, error) {
	if err := p.expectKeyword(kwFrom, "FROM after DISTINCT"); err != nil {
		return nil, err
	}
	y, err := p.parseBinary(sqlexpr.PrecedenceIs + 1)
	if err != nil {
		return nil, err
	}
	op := OpIsDistinctFrom
	if not {
		op = OpIsNotDistinctFrom
	}
	return &Binary{Position: sqlexpr.Position(x.Pos()), Op: op, L: x, R: y}, nil
}

// parsePrefixOperators reads NOT and signs, and then an operand.
func (p *parser) parsePrefixOperators() (Expr, error) {
	switch {
	case p.isKeyword(kwNot):
		return p.parseUnary(OpNot)
	case p.tok.kind == tokMinus:
		return p.parseUnary(OpNeg)
	case p.tok.kind == tokPlus:
		return p.parseUnary(OpPlus)
	case p.tok.kind == tokOtherOperator:
		return nil, p.unsupportedError("the operator "+p.describeToken(p.tok), "")
	}
	return p.parseOperand()
}

func (p *parser) parseUnary(op sqlexpr.UnaryOp) (Expr, error) {
	at := p.tok.at
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	p.advanceToken()
	var x Expr
	var err error
	if op == OpNot {
		x, err = p.parseBinary(sqlexpr.PrecedenceNot)
	} else {
		x, err = p.parsePrefixOperators()
	}
	if err != nil {
		return nil, err
	}
	return &Unary{Position: at, Op: op, X: x}, nil
}
