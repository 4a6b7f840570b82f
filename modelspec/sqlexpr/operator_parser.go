package sqlexpr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// precedence is the binding strength of an operator, as in PostgreSQL.
type precedence uint8

const (
	levelNone precedence = iota
	levelOr
	levelAnd
	levelNot
	levelIs
	levelComparison
	levelMatch // BETWEEN, IN, LIKE
	levelConcat
	levelAdd
	levelMul
	levelUnary
	levelPrimary
)

// nonAssociative reports whether two operators of the level need
// parentheses between them.
func (l precedence) nonAssociative() bool {
	return l == levelIs || l == levelComparison || l == levelMatch
}

var binaryLevels = [...]precedence{
	OpOr: levelOr, OpAnd: levelAnd,
	OpEq: levelComparison, OpNe: levelComparison, OpLt: levelComparison, OpLe: levelComparison, OpGt: levelComparison, OpGe: levelComparison,
	OpDistinct: levelIs, OpNotDistinct: levelIs,
	OpAdd: levelAdd, OpSub: levelAdd, OpMul: levelMul, OpDiv: levelMul, OpMod: levelMul,
	OpConcat: levelConcat,
}

// infixOperator classifies the current token as an operator after an operand. symbol
// is false for the operators made of words that have their own nodes.
func (p *parser) infixOperator() (l precedence, op BinaryOp, symbol bool) {
	switch p.tok.kind {
	case tokPlus:
		op = OpAdd
	case tokMinus:
		op = OpSub
	case tokStar:
		op = OpMul
	case tokSlash:
		op = OpDiv
	case tokPercent:
		op = OpMod
	case tokConcat:
		op = OpConcat
	case tokEq:
		op = OpEq
	case tokNe:
		op = OpNe
	case tokLt:
		op = OpLt
	case tokLe:
		op = OpLe
	case tokGt:
		op = OpGt
	case tokGe:
		op = OpGe
	case tokWord:
		return p.infixWord()
	default:
		return levelNone, 0, false
	}
	return binaryLevels[op], op, true
}

func (p *parser) infixWord() (l precedence, op BinaryOp, symbol bool) {
	switch p.tok.kw {
	case kwOr:
		return levelOr, OpOr, true
	case kwAnd:
		return levelAnd, OpAnd, true
	case kwIs:
		return levelIs, 0, false
	case kwBetween, kwIn, kwLike, kwILike:
		return levelMatch, 0, false
	case kwNot:
		switch p.ahead.kw {
		case kwBetween, kwIn, kwLike, kwILike:
			return levelMatch, 0, false
		}
	}
	return levelNone, 0, false
}

// binary reads an operand and every operator of at least the level lowest that
// follows it.
func (p *parser) binary(lowest precedence) (Expr, error) {
	start := At(p.tok.pos)
	left, err := p.prefix()
	if err != nil {
		return nil, err
	}
	chained := levelNone // the level of the last operator, when it may not repeat
	for {
		l, op, symbol := p.infixOperator()
		if l == levelNone || l < lowest {
			return left, nil
		}
		if l == chained {
			return nil, p.expectedHint("AND, OR or the end of the expression", "comparisons do not chain without parentheses")
		}
		chained = levelNone
		if symbol {
			left, err = p.binaryOperator(start, left, l, op)
		} else if p.tok.kw == kwIs {
			left, err = p.isTest(start, left)
		} else {
			left, err = p.match(start, left)
		}
		if err != nil {
			return nil, err
		}
		if l.nonAssociative() && endsInOperand(left) {
			chained = l
		}
	}
}

// endsInOperand reports whether an operator's text ends in an operand rather than
// in its own word or parenthesis.
func endsInOperand(e Expr) bool {
	switch e.(type) {
	case *IsNull, *IsTruth, *In:
		return false
	}
	return true
}

func (p *parser) binaryOperator(start At, left Expr, l precedence, op BinaryOp) (Expr, error) {
	if l >= levelConcat && p.endsInJSONArrow() {
		return nil, p.ambiguousError()
	}
	sign := p.tok
	p.advance()
	if l == levelComparison && p.ahead.kind == tokLParen {
		if err := p.rejectQuantifier(); err != nil {
			return nil, err
		}
	}
	right, err := p.binary(l + 1)
	if err != nil {
		return nil, err
	}
	if l >= levelConcat && p.endsInJSONArrow() {
		p.tok = sign
		return nil, p.ambiguousError()
	}
	return &Binary{At: start, Op: op, L: left, R: right}, nil
}

func (p *parser) rejectQuantifier() error {
	switch p.tok.kw {
	case kwAny, kwAll, kwSome:
		return p.problem(p.tok.pos, p.text(p.tok)+" (…) is not part of the expression language", "use IN (…) with a list of values")
	}
	return nil
}

// isTest reads what follows IS.
func (p *parser) isTest(start At, x Expr) (Expr, error) {
	p.advance()
	not := p.accept(kwNot)
	switch {
	case p.accept(kwNull), p.accept(kwUnknown):
		return &IsNull{At: start, Not: not, X: x}, nil
	case p.accept(kwTrue):
		return &IsTruth{At: start, Not: not, Want: true, X: x}, nil
	case p.accept(kwFalse):
		return &IsTruth{At: start, Not: not, Want: false, X: x}, nil
	case p.accept(kwDistinct):
		if err := p.expectWord(kwFrom, "FROM after DISTINCT"); err != nil {
			return nil, err
		}
		y, err := p.binary(levelIs + 1)
		if err != nil {
			return nil, err
		}
		op := OpDistinct
		if not {
			op = OpNotDistinct
		}
		return &Binary{At: start, Op: op, L: x, R: y}, nil
	}
	if not {
		return nil, p.expected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS NOT")
	}
	return nil, p.expected("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS")
}

// match reads [NOT] BETWEEN, IN and LIKE.
func (p *parser) match(start At, x Expr) (Expr, error) {
	not := p.tok.kw == kwNot
	if not {
		p.advance()
	}
	switch kw := p.tok.kw; kw {
	case kwBetween:
		p.advance()
		return p.between(start, not, x)
	case kwIn:
		p.advance()
		return p.in(start, not, x)
	default:
		p.advance()
		return p.like(start, not, kw == kwILike, x)
	}
}

func (p *parser) between(start At, not bool, x Expr) (Expr, error) {
	lo, err := p.binary(levelMatch + 1)
	if err != nil {
		return nil, err
	}
	if err := p.expectWord(kwAnd, "AND and the upper bound of BETWEEN"); err != nil {
		return nil, err
	}
	hi, err := p.binary(levelMatch + 1)
	if err != nil {
		return nil, err
	}
	return &Between{At: start, Not: not, X: x, Lo: lo, Hi: hi}, nil
}

func (p *parser) in(start At, not bool, x Expr) (Expr, error) {
	if p.tok.kind != tokLParen {
		return nil, p.expected("( and a list of values after IN")
	}
	if p.startsQuery() {
		q, err := p.subquery(p.tok.pos)
		if err != nil {
			return nil, err
		}
		return &In{At: start, Not: not, X: x, Items: []Expr{q}}, nil
	}
	p.advance()
	var items []Expr
	for {
		item, err := p.expr()
		if err != nil {
			return nil, err
		}
		if len(items) == p.lim.MaxItems {
			return nil, p.problem(item.Pos(), "the IN list has more than "+strconv.Itoa(p.lim.MaxItems)+" values, the next one", "")
		}
		items = append(items, item)
		if p.tok.kind != tokComma {
			break
		}
		p.advance()
	}
	if err := p.expect(tokRParen, ") or a comma in the IN list"); err != nil {
		return nil, err
	}
	return &In{At: start, Not: not, X: x, Items: items}, nil
}

func (p *parser) like(start At, not, fold bool, x Expr) (Expr, error) {
	if p.ahead.kind == tokLParen {
		if err := p.rejectQuantifier(); err != nil {
			return nil, err
		}
	}
	pattern, err := p.binary(levelMatch + 1)
	if err != nil {
		return nil, err
	}
	like := &Like{At: start, Not: not, Fold: fold, X: x, Pattern: pattern}
	if p.accept(kwEscape) {
		if like.Escape, err = p.binary(levelMatch + 1); err != nil {
			return nil, err
		}
		if err := p.checkEscape(like); err != nil {
			return nil, err
		}
	}
	return like, nil
}

// checkEscape rejects an invalid escape character, and one that escapes nothing:
// engines reject it too, when the statement runs, or disagree on its meaning.
func (p *parser) checkEscape(e *Like) error {
	escape, ok := e.Escape.(*String)
	if !ok && !p.lim.Portable {
		return nil // what some engine may do
	}
	if !ok || len(escape.Value) != 1 || escape.Value[0] >= utf8.RuneSelf {
		return p.problem(e.Escape.Pos(), "what ESCAPE names is not one ASCII character", "write one that does not occur otherwise, as in ESCAPE '!'")
	}
	pattern, ok := e.Pattern.(*String)
	if !ok {
		return nil
	}
	run := len(pattern.Value) - len(strings.TrimRight(pattern.Value, escape.Value))
	if run%2 != 0 {
		return p.problem(pattern.Pos(), "the pattern ends in its escape character", "double it where it stands for itself")
	}
	return nil
}

// prefix reads NOT, signs and then an operand.
func (p *parser) prefix() (Expr, error) {
	switch {
	case p.isKeyword(kwNot):
		return p.unary(OpNot)
	case p.tok.kind == tokMinus:
		return p.unary(OpNeg)
	case p.tok.kind == tokPlus:
		return p.unary(OpPlus)
	}
	return p.operand()
}

func (p *parser) unary(op UnaryOp) (Expr, error) {
	start, sign := At(p.tok.pos), p.tok
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	p.advance()
	var x Expr
	var err error
	if op == OpNot {
		x, err = p.binary(levelNot)
	} else {
		x, err = p.prefix()
	}
	if err != nil {
		return nil, err
	}
	if op != OpNot && p.endsInJSONArrow() {
		p.tok = sign
		return nil, p.ambiguousError()
	}
	return &Unary{At: start, Op: op, X: x}, nil
}
