package sqlexpr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// operatorsByToken are the operators that one token writes.
var operatorsByToken = [...]BinaryOp{
	tokPlus: OpAdd, tokMinus: OpSub, tokStar: OpMul, tokSlash: OpDiv, tokPercent: OpMod, tokConcat: OpConcat,
	tokEq: OpEq, tokNe: OpNe, tokLt: OpLt, tokLe: OpLe, tokGt: OpGt, tokGe: OpGe,
}

// classifyInfixOperator classifies the current token as an operator after an operand. symbol
// is false for the operators made of words that have their own nodes.
func (p *parser) classifyInfixOperator() (l Precedence, op BinaryOp, symbol bool) {
	switch kind := p.tok.kind; {
	case kind == tokWord:
		return p.classifyInfixWord()
	case kind >= tokPlus && kind <= tokGe:
		op = operatorsByToken[kind]
		return op.Precedence(), op, true
	}
	return PrecedenceNone, 0, false
}

func (p *parser) classifyInfixWord() (l Precedence, op BinaryOp, symbol bool) {
	switch p.tok.kw {
	case kwOr:
		return PrecedenceOr, OpOr, true
	case kwAnd:
		return PrecedenceAnd, OpAnd, true
	case kwIs:
		return PrecedenceIs, 0, false
	case kwBetween, kwIn, kwLike, kwILike:
		return PrecedenceBetweenInLike, 0, false
	case kwNot:
		switch p.ahead.kw {
		case kwBetween, kwIn, kwLike, kwILike:
			return PrecedenceBetweenInLike, 0, false
		}
	}
	return PrecedenceNone, 0, false
}

// parseBinary reads an operand and every operator of at least the level lowest that
// follows it.
func (p *parser) parseBinary(lowest Precedence) (Expr, error) {
	start := Position(p.tok.pos)
	left, err := p.parsePrefixOperators()
	if err != nil {
		return nil, err
	}
	chained := PrecedenceNone // the level of the last operator, when it may not repeat
	for {
		l, op, symbol := p.classifyInfixOperator()
		if l == PrecedenceNone || l < lowest {
			return left, nil
		}
		if l == chained {
			return nil, p.expectedErrorWithHint("AND, OR or the end of the expression", "comparisons do not chain without parentheses")
		}
		chained = PrecedenceNone
		if symbol {
			left, err = p.parseBinaryOperator(start, left, l, op)
		} else if p.tok.kw == kwIs {
			left, err = p.parseIsTest(start, left)
		} else {
			left, err = p.parseBetweenInLike(start, left)
		}
		if err != nil {
			return nil, err
		}
		if l.IsNonAssociative() && isOperatorEndingInOperand(left) {
			chained = l
		}
	}
}

// isOperatorEndingInOperand reports whether an operator's text ends in an operand rather than
// in its own word or parenthesis.
func isOperatorEndingInOperand(e Expr) bool {
	switch e.(type) {
	case *IsNull, *IsTruth, *In:
		return false
	}
	return true
}

func (p *parser) parseBinaryOperator(start Position, left Expr, l Precedence, op BinaryOp) (Expr, error) {
	if l >= PrecedenceConcat && p.lastOperandEndsInJSONArrow() {
		return nil, p.jsonPrecedenceError()
	}
	sign := p.tok
	p.advanceToken()
	if l == PrecedenceComparison && p.ahead.kind == tokLParen {
		if err := p.rejectQuantifier(); err != nil {
			return nil, err
		}
	}
	right, err := p.parseBinary(l + 1)
	if err != nil {
		return nil, err
	}
	if l >= PrecedenceConcat && p.lastOperandEndsInJSONArrow() {
		p.tok = sign
		return nil, p.jsonPrecedenceError()
	}
	return &Binary{Position: start, Op: op, L: left, R: right}, nil
}

func (p *parser) rejectQuantifier() error {
	switch p.tok.kw {
	case kwAny, kwAll, kwSome:
		return p.problemAtOffsetError(p.tok.pos, p.tokenText(p.tok)+" (…) is not part of the expression language", "use IN (…) with a list of values")
	}
	return nil
}

// parseIsTest reads what follows IS.
func (p *parser) parseIsTest(start Position, x Expr) (Expr, error) {
	p.advanceToken()
	not := p.acceptKeyword(kwNot)
	switch {
	case p.acceptKeyword(kwNull), p.acceptKeyword(kwUnknown):
		return &IsNull{Position: start, Not: not, X: x}, nil
	case p.acceptKeyword(kwTrue):
		return &IsTruth{Position: start, Not: not, Want: true, X: x}, nil
	case p.acceptKeyword(kwFalse):
		return &IsTruth{Position: start, Not: not, Want: false, X: x}, nil
	case p.acceptKeyword(kwDistinct):
		if err := p.expectKeyword(kwFrom, "FROM after DISTINCT"); err != nil {
			return nil, err
		}
		y, err := p.parseBinary(PrecedenceIs + 1)
		if err != nil {
			return nil, err
		}
		op := OpIsDistinctFrom
		if not {
			op = OpIsNotDistinctFrom
		}
		return &Binary{Position: start, Op: op, L: x, R: y}, nil
	}
	if not {
		return nil, p.expectedError("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS NOT")
	}
	return nil, p.expectedError("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS")
}

// parseBetweenInLike reads [NOT] BETWEEN, IN and LIKE.
func (p *parser) parseBetweenInLike(start Position, x Expr) (Expr, error) {
	not := p.tok.kw == kwNot
	if not {
		p.advanceToken()
	}
	switch kw := p.tok.kw; kw {
	case kwBetween:
		p.advanceToken()
		return p.parseBetween(start, not, x)
	case kwIn:
		p.advanceToken()
		return p.parseInOperator(start, not, x)
	default:
		p.advanceToken()
		return p.parseLike(start, not, kw == kwILike, x)
	}
}

func (p *parser) parseBetween(start Position, not bool, x Expr) (Expr, error) {
	lo, err := p.parseBinary(PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAnd, "AND and the upper bound of BETWEEN"); err != nil {
		return nil, err
	}
	hi, err := p.parseBinary(PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	return &Between{Position: start, Not: not, X: x, Lo: lo, Hi: hi}, nil
}

func (p *parser) parseInOperator(start Position, not bool, x Expr) (Expr, error) {
	if p.tok.kind != tokLParen {
		return nil, p.expectedError("( and a list of values after IN")
	}
	if p.isSubqueryStart() {
		q, err := p.parseSubqueryAsText(p.tok.pos)
		if err != nil {
			return nil, err
		}
		return &In{Position: start, Not: not, X: x, Items: []Expr{q}}, nil
	}
	p.advanceToken()
	var items []Expr
	for {
		item, err := p.parseExpr()
		if err != nil {
			return nil, err
		}
		if len(items) == p.lim.MaxItems {
			return nil, p.unsupportedError(item.Pos(), "the IN list has more than "+strconv.Itoa(p.lim.MaxItems)+" values, the next one", "")
		}
		items = append(items, item)
		if p.tok.kind != tokComma {
			break
		}
		p.advanceToken()
	}
	if err := p.expectToken(tokRParen, ") or a comma in the IN list"); err != nil {
		return nil, err
	}
	return &In{Position: start, Not: not, X: x, Items: items}, nil
}

func (p *parser) parseLike(start Position, not, fold bool, x Expr) (Expr, error) {
	if p.ahead.kind == tokLParen {
		if err := p.rejectQuantifier(); err != nil {
			return nil, err
		}
	}
	pattern, err := p.parseBinary(PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	like := &Like{Position: start, Not: not, Fold: fold, X: x, Pattern: pattern}
	if p.acceptKeyword(kwEscape) {
		if like.Escape, err = p.parseBinary(PrecedenceBetweenInLike + 1); err != nil {
			return nil, err
		}
		if err := p.checkLikeEscape(like); err != nil {
			return nil, err
		}
	}
	return like, nil
}

// checkLikeEscape rejects an invalid escape character, and one that escapes nothing:
// engines reject it too, when the statement runs, or disagree on its meaning.
func (p *parser) checkLikeEscape(e *Like) error {
	escape, ok := e.Escape.(*String)
	if !ok && !p.lim.Portable {
		return nil // what some engine may do
	}
	if !ok || len(escape.Value) != 1 || escape.Value[0] >= utf8.RuneSelf {
		return p.problemAtOffsetError(e.Escape.Pos(), "what ESCAPE names is not one ASCII character", "write one that does not occur otherwise, as in ESCAPE '!'")
	}
	pattern, ok := e.Pattern.(*String)
	if !ok {
		return nil
	}
	run := len(pattern.Value) - len(strings.TrimRight(pattern.Value, escape.Value))
	if run%2 != 0 {
		return p.problemAtOffsetError(pattern.Pos(), "the pattern ends in its escape character", "double it where it stands for itself")
	}
	return nil
}

// parsePrefixOperators reads NOT, signs and then an operand.
func (p *parser) parsePrefixOperators() (Expr, error) {
	switch {
	case p.isKeyword(kwNot):
		return p.parseUnary(OpNot)
	case p.tok.kind == tokMinus:
		return p.parseUnary(OpNeg)
	case p.tok.kind == tokPlus:
		return p.parseUnary(OpPlus)
	}
	return p.parseOperand()
}

func (p *parser) parseUnary(op UnaryOp) (Expr, error) {
	start, sign := Position(p.tok.pos), p.tok
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	p.advanceToken()
	var x Expr
	var err error
	if op == OpNot {
		x, err = p.parseBinary(PrecedenceNot)
	} else {
		x, err = p.parsePrefixOperators()
	}
	if err != nil {
		return nil, err
	}
	if op != OpNot && p.lastOperandEndsInJSONArrow() {
		p.tok = sign
		return nil, p.jsonPrecedenceError()
	}
	return &Unary{Position: start, Op: op, X: x}, nil
}
