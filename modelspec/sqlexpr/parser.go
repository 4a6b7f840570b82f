package sqlexpr

import (
	"fmt"
	"strings"
	"unicode/utf8"
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
		return nil, newSyntaxError("", 0, fmt.Sprintf("the text of %d bytes is longer than %d bytes, beginning", len(text), limits.MaxText), "")
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, newSyntaxError(text, i, "a NUL byte is not allowed", "")
	}
	if !utf8.ValidString(text) {
		return nil, newSyntaxError(text, invalidUTF8(text), "the text is not valid UTF-8", "")
	}
	p := &parser{sc: scanner{src: text, native: limits.Dialect != ""}, lim: limits}
	p.tok, p.ahead = p.sc.next(), p.sc.next()
	e, err := p.binary(levelOr)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokEOF {
		return nil, p.trailingError()
	}
	if err := p.checkDepth(e); err != nil {
		return nil, err
	}
	if t := CheckTexts(e, limits); t != nil {
		return nil, p.problem(t.At.Pos(), t.Problem, t.Hint)
	}
	return e, nil
}

func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
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

func (p *parser) text(t token) string { return p.sc.src[t.pos:t.end] }

func (p *parser) advance() {
	p.prev, p.tok = p.tok, p.ahead
	if p.tok.kind != tokEOF && p.tok.kind != tokBad {
		p.ahead = p.sc.next()
	}
}

// secondToken returns the token after p.ahead.
func (p *parser) secondToken() token {
	if p.ahead.kind == tokEOF || p.ahead.kind == tokBad {
		return p.ahead
	}
	sc := p.sc
	return sc.next()
}

// isKeyword reports whether the current token is the word k, and not a name in that
// word's clothes: a word before a dot is always a qualifier.
func (p *parser) isKeyword(k keyword) bool { return p.tok.kw == k && p.ahead.kind != tokDot }

// accept consumes the word k if it is next.
func (p *parser) accept(k keyword) bool {
	if !p.isKeyword(k) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expectWord(k keyword, want string) error {
	if !p.accept(k) {
		return p.expected(want)
	}
	return nil
}

func (p *parser) expect(k tokenKind, want string) error {
	if p.tok.kind != k {
		return p.expected(want)
	}
	p.advance()
	return nil
}

// enter goes one level of nesting down; leave comes back.
func (p *parser) enter() error {
	if p.depth++; p.depth > p.lim.MaxDepth {
		return p.problem(p.tok.pos, fmt.Sprintf("the expression is nested more than %d levels deep", p.lim.MaxDepth), "")
	}
	return nil
}

func (p *parser) leaveNesting() { p.depth-- }

// resolveExpr reads a whole expression one level down.
func (p *parser) expr() (Expr, error) { return p.nested(levelOr) }

// nested reads operators of at least the given level, one level down.
func (p *parser) nested(level precedence) (Expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	return p.binary(level)
}

// exprs reads expressions separated by commas, at least one.
func (p *parser) exprs() ([]Expr, error) {
	var list []Expr
	for {
		e, err := p.expr()
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if p.tok.kind != tokComma {
			return list, nil
		}
		p.advance()
	}
}

// trailingError explains text after a complete expression.
func (p *parser) trailingError() error {
	switch {
	case p.tok.kind == tokRParen:
		return p.problem(p.tok.pos, "a closing parenthesis has no opening one", "")
	case p.isKeyword(kwAt):
		return p.expectedHint(wantEnd, "AT TIME ZONE is not part of the expression language; sessions run in UTC")
	case p.isKeyword(kwCollate):
		return p.expectedHint(wantEnd, "COLLATE is not part of the expression language")
	case p.tok.kind == tokWord && p.prev.kind == tokNumber && isIntervalUnit(p.text(p.tok)):
		return p.expectedHint(wantEnd, "an interval is written INTERVAL '3' MONTH")
	}
	return p.expected(wantEnd)
}

const wantEnd = "an operator or the end of the text"
