package sqlexpr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// Parse reads one expression within ModelLimits. Text that comes with a query
// goes through ParseLimited with QueryLimits. An error is a *SyntaxError.
func Parse(text string) (Expr, error) { return ParseLimited(text, ModelLimits()) }

// ParseLimited reads one expression within the given limits. An error is a
// *SyntaxError.
//
// A subquery or a window call parses into Subquery or Over, and a call to a
// function outside the table into a Call of FnUnknown, for the caller to judge.
func ParseLimited(text string, limits Limits) (Expr, error) {
	if len(text) > limits.MaxText {
		tooLong := newSyntaxError("", 0, fmt.Sprintf("the text of %d bytes is longer than %d bytes, beginning", len(text), limits.MaxText), "")
		tooLong.Unsupported = true
		return nil, tooLong
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, newSyntaxError(text, i, "a NUL byte is not allowed", "")
	}
	if !utf8.ValidString(text) {
		return nil, newSyntaxError(text, lexical.InvalidUTF8Offset(text), "the text is not valid UTF-8", "")
	}
	p := &parser{sc: scanner{src: text, native: spellingOf(limits.Dialect), attributes: limits.UserAttributes}, lim: limits}
	p.tok, p.ahead = p.sc.nextToken(), p.sc.nextToken()
	e, err := p.parseBinary(PrecedenceOr)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokEOF {
		return nil, p.trailingTextError()
	}
	if err := p.checkTreeDepth(e); err != nil {
		return nil, err
	}
	if t := CheckTextFunctionCost(e, limits); t != nil {
		return nil, p.unsupportedError(t.At.Pos(), t.Problem, t.Hint)
	}
	return e, nil
}

// parser reads operators by precedence and everything else by recursive
// descent, with one token of lookahead.
type parser struct {
	sc    scanner
	lim   Limits
	prev  token // the last one consumed
	tok   token // the current one
	ahead token // the one after
	depth int
	// arrowEnd is where the last operator of JSON without parentheses ends.
	arrowEnd int
}

func (p *parser) tokenText(t token) string { return p.sc.src[t.pos:t.end] }

func (p *parser) advanceToken() {
	p.prev, p.tok = p.tok, p.ahead
	if p.tok.kind != tokEOF && p.tok.kind != tokUnreadable {
		p.ahead = p.sc.nextToken()
	}
}

// tokenAfterNext returns the token after p.ahead.
func (p *parser) tokenAfterNext() token {
	if p.ahead.kind == tokEOF || p.ahead.kind == tokUnreadable {
		return p.ahead
	}
	sc := p.sc
	return sc.nextToken()
}

// isKeyword reports whether the current token is the word k, and not a name in that
// word's clothes: a word before a dot is always a qualifier.
func (p *parser) isKeyword(k keyword) bool { return p.tok.kw == k && p.ahead.kind != tokDot }

// acceptKeyword consumes the word k if it is next.
func (p *parser) acceptKeyword(k keyword) bool {
	if !p.isKeyword(k) {
		return false
	}
	p.advanceToken()
	return true
}

func (p *parser) expectKeyword(k keyword, want string) error {
	if !p.acceptKeyword(k) {
		return p.expectedError(want)
	}
	return nil
}

func (p *parser) expectToken(k tokenKind, want string) error {
	if p.tok.kind != k {
		return p.expectedError(want)
	}
	p.advanceToken()
	return nil
}

// enterNesting goes one level of nesting down; leave comes back.
func (p *parser) enterNesting() error {
	if p.depth++; p.depth > p.lim.MaxDepth {
		return p.unsupportedError(p.tok.pos, fmt.Sprintf("the expression is nested more than %d levels deep", p.lim.MaxDepth), "")
	}
	return nil
}

func (p *parser) leaveNesting() { p.depth-- }

// parseExpr reads a whole expression one level down.
func (p *parser) parseExpr() (Expr, error) { return p.parseNestedFromPrecedence(PrecedenceOr) }

// parseNestedFromPrecedence reads operators of at least the given level, one level down.
func (p *parser) parseNestedFromPrecedence(level Precedence) (Expr, error) {
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	return p.parseBinary(level)
}

// parseExprList reads expressions separated by commas, at least one.
func (p *parser) parseExprList() ([]Expr, error) {
	var list []Expr
	for {
		e, err := p.parseExpr()
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if p.tok.kind != tokComma {
			return list, nil
		}
		p.advanceToken()
	}
}

// trailingTextError explains text after a complete expression.
func (p *parser) trailingTextError() error {
	switch {
	case p.tok.kind == tokRParen:
		return p.problemAtOffsetError(p.tok.pos, "a closing parenthesis has no opening one", "")
	case p.isKeyword(kwAt):
		return p.expectedErrorWithHint(expectedEndText, "AT TIME ZONE is not part of the expression language; sessions run in UTC")
	case p.isKeyword(kwCollate):
		return p.expectedErrorWithHint(expectedEndText, "COLLATE is not part of the expression language")
	case p.tok.kind == tokWord && p.prev.kind == tokNumber && isIntervalUnit(p.tokenText(p.tok)):
		return p.expectedErrorWithHint(expectedEndText, "an interval is written INTERVAL '3' MONTH")
	}
	return p.expectedError(expectedEndText)
}

const expectedEndText = "an operator or the end of the text"
