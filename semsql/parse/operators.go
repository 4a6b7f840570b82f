package parse

// precedence is the binding strength of an operator, as in PostgreSQL.
type precedence uint8

const (
	levelNone precedence = iota
	levelOr
	levelAnd
	levelNot
	levelIs
	levelComparison
	levelMatch    // BETWEEN, IN, LIKE
	levelOperator // || and ~~
	levelAdd
	levelMultiply
	levelUnary
	levelPrimary
)

// isNonAssociative reports whether two operators of the level need parentheses between them.
func (l precedence) isNonAssociative() bool {
	return l == levelIs || l == levelComparison || l == levelMatch
}

var binaryOperators = [...]struct {
	text  string
	level precedence
}{
	OpOr: {"OR", levelOr}, OpAnd: {"AND", levelAnd},
	OpEqual: {"=", levelComparison}, OpNotEqual: {"<>", levelComparison},
	OpLess: {"<", levelComparison}, OpLessEqual: {"<=", levelComparison},
	OpGreater: {">", levelComparison}, OpGreaterEqual: {">=", levelComparison},
	OpDistinct: {"IS DISTINCT FROM", levelIs}, OpNotDistinct: {"IS NOT DISTINCT FROM", levelIs},
	OpConcat: {"||", levelOperator}, OpAdd: {"+", levelAdd}, OpSubtract: {"-", levelAdd},
	OpMultiply: {"*", levelMultiply}, OpDivide: {"/", levelMultiply}, OpModulo: {"%", levelMultiply},
}

// String is the operator in SQL.
func (o BinaryOperator) String() string { return binaryOperators[o].text }

var unaryOperatorTexts = [...]string{OpNot: "NOT", OpNegate: "-", OpPlus: "+"}

// String is the operator in SQL.
func (o UnaryOperator) String() string { return unaryOperatorTexts[o] }

// infixOperatorInfo is an operator behind an operand. symbol is false for those with their own nodes.
type infixOperatorInfo struct {
	level  precedence
	op     BinaryOperator
	symbol bool
}

var infixByToken = [...]infixOperatorInfo{
	tokPlus: {levelAdd, OpAdd, true}, tokMinus: {levelAdd, OpSubtract, true}, tokStar: {levelMultiply, OpMultiply, true},
	tokSlash: {levelMultiply, OpDivide, true}, tokPercent: {levelMultiply, OpModulo, true}, tokConcat: {levelOperator, OpConcat, true},
	tokEqual: {levelComparison, OpEqual, true}, tokNotEqual: {levelComparison, OpNotEqual, true},
	tokLess: {levelComparison, OpLess, true}, tokLessEqual: {levelComparison, OpLessEqual, true},
	tokGreater: {levelComparison, OpGreater, true}, tokGreaterEqual: {levelComparison, OpGreaterEqual, true},
	tokMatch: {level: levelOperator}, tokFoldMatch: {level: levelOperator}, tokNotMatch: {level: levelOperator}, tokNotFoldMatch: {level: levelOperator},
	tokOperator: {},
}

// currentInfixOperator classifies the current token as an operator behind an operand.
func (p *parser) currentInfixOperator() infixOperatorInfo {
	if p.tok.kind != tokWord {
		if p.currentGenericOperator() != "" {
			return infixOperatorInfo{level: levelOperator}
		}
		return infixByToken[p.tok.kind]
	}
	if p.isSpelledOperator() {
		return infixOperatorInfo{level: levelOperator}
	}
	if p.isSimilarTo() {
		return infixOperatorInfo{level: levelMatch}
	}
	switch p.tok.kw {
	case kwOr:
		return infixOperatorInfo{levelOr, OpOr, true}
	case kwAnd:
		return infixOperatorInfo{levelAnd, OpAnd, true}
	case kwIs, kwIsnull, kwNotnull:
		return infixOperatorInfo{level: levelIs}
	case kwBetween, kwIn, kwLike, kwIlike:
		return infixOperatorInfo{level: levelMatch}
	case kwNot:
		switch p.ahead.kw {
		case kwBetween, kwIn, kwLike, kwIlike:
			return infixOperatorInfo{level: levelMatch}
		}
	}
	return infixOperatorInfo{}
}

// unsupportedOperatorError names the operator of PostgreSQL at the current token that the language lacks;
// nil where there is none.
func (p *parser) unsupportedOperatorError() error {
	switch p.tok.kind {
	case tokOperator:
		if p.currentGenericOperator() != "" {
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
	case p.isKeywordCall(kwOperator) && !p.catalogue:
		return p.unsupportedError("OPERATOR (…)", "write the operator alone")
	}
	return nil
}
