package parse

// precedence is the binding strength of an operator, as in PostgreSQL.
type precedence uint8

const (
	precNone precedence = iota
	precOr
	precAnd
	precNot
	precIs
	precComparison
	precBetweenInLike // BETWEEN, IN, LIKE
	precOtherOperator // || and ~~
	precAdd
	precMultiply
	precUnary
	precPrimary
)

// isNonAssociative reports whether two operators of the level need parentheses between them.
func (l precedence) isNonAssociative() bool {
	return l == precIs || l == precComparison || l == precBetweenInLike
}

var binaryOperatorTexts = [...]struct {
	text  string
	level precedence
}{
	OpOr: {"OR", precOr}, OpAnd: {"AND", precAnd},
	OpEqual: {"=", precComparison}, OpNotEqual: {"<>", precComparison},
	OpLess: {"<", precComparison}, OpLessEqual: {"<=", precComparison},
	OpGreater: {">", precComparison}, OpGreaterEqual: {">=", precComparison},
	OpIsDistinctFrom: {"IS DISTINCT FROM", precIs}, OpIsNotDistinctFrom: {"IS NOT DISTINCT FROM", precIs},
	OpConcat: {"||", precOtherOperator}, OpAdd: {"+", precAdd}, OpSubtract: {"-", precAdd},
	OpMultiply: {"*", precMultiply}, OpDivide: {"/", precMultiply}, OpModulo: {"%", precMultiply},
}

// String returns the operator in SQL.
func (o BinaryOperator) String() string { return binaryOperatorTexts[o].text }

var unaryOperatorTexts = [...]string{OpNot: "NOT", OpNegate: "-", OpPlus: "+"}

// String returns the operator in SQL.
func (o UnaryOperator) String() string { return unaryOperatorTexts[o] }

// infixOperatorInfo is an operator after an operand. symbol is false for those with their own nodes.
type infixOperatorInfo struct {
	level  precedence
	op     BinaryOperator
	symbol bool
}

var infixOperatorsByToken = [...]infixOperatorInfo{
	tokPlus: {precAdd, OpAdd, true}, tokMinus: {precAdd, OpSubtract, true}, tokStar: {precMultiply, OpMultiply, true},
	tokSlash: {precMultiply, OpDivide, true}, tokPercent: {precMultiply, OpModulo, true}, tokConcat: {precOtherOperator, OpConcat, true},
	tokEqual: {precComparison, OpEqual, true}, tokNotEqual: {precComparison, OpNotEqual, true},
	tokLess: {precComparison, OpLess, true}, tokLessEqual: {precComparison, OpLessEqual, true},
	tokGreater: {precComparison, OpGreater, true}, tokGreaterEqual: {precComparison, OpGreaterEqual, true},
	tokLike: {level: precOtherOperator}, tokILike: {level: precOtherOperator}, tokNotLike: {level: precOtherOperator}, tokNotILike: {level: precOtherOperator},
	tokOtherOperator: {},
}

// currentInfixOperator classifies the current token as an operator after an operand.
func (p *parser) currentInfixOperator() infixOperatorInfo {
	if p.tok.kind != tokWord {
		if p.currentCatalogueOperator() != "" {
			return infixOperatorInfo{level: precOtherOperator}
		}
		return infixOperatorsByToken[p.tok.kind]
	}
	if p.isQualifiedOperator() {
		return infixOperatorInfo{level: precOtherOperator}
	}
	if p.isSimilarTo() {
		return infixOperatorInfo{level: precBetweenInLike}
	}
	switch p.tok.kw {
	case kwOr:
		return infixOperatorInfo{precOr, OpOr, true}
	case kwAnd:
		return infixOperatorInfo{precAnd, OpAnd, true}
	case kwIs, kwIsnull, kwNotnull:
		return infixOperatorInfo{level: precIs}
	case kwBetween, kwIn, kwLike, kwIlike:
		return infixOperatorInfo{level: precBetweenInLike}
	case kwNot:
		switch p.ahead.kw {
		case kwBetween, kwIn, kwLike, kwIlike:
			return infixOperatorInfo{level: precBetweenInLike}
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
		return p.unsupportedError("the operator "+p.describeToken(p.tok), "")
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
