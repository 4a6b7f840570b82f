package sqlexpr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// SyntaxError reports why a text is not an expression of the language. Either
// Expected and Found are set, or Problem is.
type SyntaxError struct {
	Offset   int    // byte offset in the text, from 0
	Position int    // the same place counted in characters from 1, for people
	Expected string // "an expression after AND"
	Found    string // "end of text", or the source of the token
	Problem  string // "a semicolon is not allowed"
	Hint     string // what to write instead; may be empty
	// Unsupported: the text is an expression, and beyond what its Limits allow.
	Unsupported bool
}

// Error returns one sentence in plain words.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	if e.Problem != "" {
		fmt.Fprintf(&b, "%s at position %d", e.Problem, e.Position)
	} else {
		fmt.Fprintf(&b, "expected %s at position %d, found %s", e.Expected, e.Position, e.Found)
	}
	if e.Hint != "" {
		b.WriteString(": ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

func newSyntaxError(src string, offset int, problem, hint string) *SyntaxError {
	return &SyntaxError{
		Offset: offset, Position: utf8.RuneCountInString(src[:offset]) + 1,
		Problem: problem, Hint: hint,
	}
}

// problem is what is wrong with a part of an expression, whether a text or operands make it.
type problem struct {
	at         int // as the positions of nodes
	text, hint string
}

// problemError returns the error of a problem in the text; nil for no problem.
func (p *parser) problemError(x *problem) error {
	if x == nil {
		return nil
	}
	return p.problemAtOffsetError(x.at, x.text, x.hint)
}

// problemAtOffsetError reports something other than an unexpected token.
func (p *parser) problemAtOffsetError(offset int, problem, hint string) error {
	return newSyntaxError(p.sc.src, offset, problem, hint)
}

// unsupportedError reports what the limits of the text do not allow.
func (p *parser) unsupportedError(offset int, problem, hint string) error {
	e := newSyntaxError(p.sc.src, offset, problem, hint)
	e.Unsupported = true
	return e
}

// expectedError reports the current token where want should be. A token that the
// scanner could not read has its own, more specific error.
func (p *parser) expectedError(want string) error { return p.expectedErrorWithHint(want, "") }

func (p *parser) expectedErrorWithHint(want, hint string) error {
	if p.tok.kind == tokUnreadable {
		return p.sc.err
	}
	e := newSyntaxError(p.sc.src, p.tok.pos, "", hint)
	e.Expected, e.Found = want, p.describeToken(p.tok)
	return e
}

// describeToken shows a token to a person, shortened.
func (p *parser) describeToken(t token) string {
	if t.kind == tokEOF {
		return "end of text"
	}
	return lexical.ShortenForMessage(p.tokenText(t))
}
