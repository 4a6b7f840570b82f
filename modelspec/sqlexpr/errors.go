package sqlexpr

import (
	"fmt"
	"strings"
	"unicode/utf8"
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
}

// Error is one sentence in plain words.
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

// problem reports something other than an unexpected token.
func (p *parser) problem(offset int, problem, hint string) error {
	return newSyntaxError(p.sc.src, offset, problem, hint)
}

// expected reports the current token where want should be. A token that the
// scanner could not read has its own, more specific error.
func (p *parser) expected(want string) error { return p.expectedHint(want, "") }

func (p *parser) expectedHint(want, hint string) error {
	if p.tok.kind == tokBad {
		return p.sc.err
	}
	e := newSyntaxError(p.sc.src, p.tok.pos, "", hint)
	e.Expected, e.Found = want, p.describe(p.tok)
	return e
}

// describe shows a token to a person, shortened.
func (p *parser) describe(t token) string {
	if t.kind == tokEOF {
		return "end of text"
	}
	return shorten(p.text(t))
}

func shorten(s string) string {
	const most = 30
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
