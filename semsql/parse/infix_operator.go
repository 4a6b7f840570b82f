package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// infixOperatorInfo is an operator after an operand. symbol is false for those with their own nodes.
type infixOperatorInfo struct {
	level  sqlexpr.Precedence
	op     sqlexpr.BinaryOp
	symbol bool
}

// currentInfixOperator classifies the current token as an operator after an operand.
func (p *parser) currentInfixOperator() infixOperatorInfo {
	switch p.tok.kind {
	case tokPlus, tokMinus, tokStar, tokSign:
		op, _ := sqlexpr.BinaryOpOfSign(p.tokenText(p.tok))
		return infixOperatorInfo{op.Precedence(), op, true}
	case tokLike:
		return infixOperatorInfo{level: sqlexpr.PrecedenceConcat}
	}
	if _, ok := p.regexAsLike(); ok || p.currentCatalogueOperator() != "" || p.isQualifiedOperator() {
		return infixOperatorInfo{level: sqlexpr.PrecedenceConcat}
	}
	if p.isSimilarTo() {
		return infixOperatorInfo{level: sqlexpr.PrecedenceBetweenInLike}
	}
	switch p.tok.kw {
	case kwOr:
		return infixOperatorInfo{sqlexpr.PrecedenceOr, OpOr, true}
	case kwAnd:
		return infixOperatorInfo{sqlexpr.PrecedenceAnd, OpAnd, true}
	case kwIs, kwIsnull, kwNotnull:
		return infixOperatorInfo{level: sqlexpr.PrecedenceIs}
	case kwBetween, kwIn, kwLike, kwIlike:
		return infixOperatorInfo{level: sqlexpr.PrecedenceBetweenInLike}
	case kwNot:
		switch p.ahead.kw {
		case kwBetween, kwIn, kwLike, kwIlike:
			return infixOperatorInfo{level: sqlexpr.PrecedenceBetweenInLike}
		}
	}
	return infixOperatorInfo{}
}

// unsupportedOperatorError names the operator of PostgreSQL at the current token that the language lacks;
// nil where there is none.
func (p *parser) unsupportedOperatorError() error {
	switch p.tok.kind {
	case tokOtherOperator:
		if p.currentCatalogueOperator() != "" {
			return nil
		}
		if _, ok := p.regexAsLike(); ok {
			return nil
		}
		hint := ""
		switch p.tokenText(p.tok) {
		case "~", "~*", "!~", "!~*":
			hint = "write LIKE or ILIKE: x ~ '^a' is x LIKE 'a%'"
		}
		return p.unsupportedError("the operator "+p.describeToken(p.tok), hint)
	case tokLBracket:
		return p.unsupportedError("a subscript", "")
	case tokWord:
	default:
		return nil
	}
	switch {
	case p.isKeyword(kwAt) && (p.ahead.kw == kwTime || p.ahead.kw == kwLocal):
		return p.unsupportedError("AT TIME ZONE", "every time is in UTC")
	case p.isKeyword(kwCollate):
		return p.unsupportedError("COLLATE", "")
	case p.isSimilarTo():
		return nil
	case p.isKeyword(kwSimilar), p.isKeyword(kwNot) && p.ahead.kw == kwSimilar:
		return p.unsupportedError("SIMILAR TO", "write LIKE")
	case p.isKeyword(kwOverlaps):
		return p.unsupportedError("OVERLAPS", "compare the bounds")
	case p.isKeywordCall(kwOperator) && !p.takesCatalogueOnly():
		return p.unsupportedError("OPERATOR (…)", "write the operator alone")
	}
	return nil
}
