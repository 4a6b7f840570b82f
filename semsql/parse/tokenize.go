package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// TokenKind is what a Token is.
type TokenKind uint8

// The kinds of token.
const (
	WordToken TokenKind = iota
	QuotedNameToken
	TextToken
	NumberToken
	ParameterToken
	SymbolToken // a parenthesis, an operator or another sign
)

// Token is one token of a text, for readers of the statements that are not SELECT.
type Token struct {
	Kind TokenKind
	// Text is a word as written, a name or a text literal without its quotes, else the sign.
	Text       string
	Position   int // in characters from 1
	Start, End int // in bytes
}

// IsWord reports whether the token is a word, in any case.
func (t Token) IsWord(word string) bool {
	return t.Kind == WordToken && strings.EqualFold(t.Text, word)
}

// IsSymbol reports whether the token is a sign.
func (t Token) IsSymbol(sign string) bool { return t.Kind == SymbolToken && t.Text == sign }

// IsName reports whether the token is a word or a quoted name.
func (t Token) IsName() bool { return t.Kind == WordToken || t.Kind == QuotedNameToken }

// Tokenize cuts a text into its tokens, those of statements about the catalogue among them. An error is an *Error.
func Tokenize(text string) ([]Token, error) {
	p, err := newParser(text, Limits{}, true)
	if err != nil {
		return nil, err
	}
	var out []Token
	for ; p.tok.kind != tokEOF; p.advanceToken() {
		t := Token{Kind: SymbolToken, Text: p.tokenText(p.tok), Position: int(p.tok.at), Start: p.tok.start, End: p.tok.end}
		switch p.tok.kind {
		case tokBad:
			return nil, p.sc.err
		case tokWord:
			t.Kind = WordToken
		case tokQuotedName:
			t.Kind, t.Text = QuotedNameToken, lexical.Unquote(t.Text)
		case tokString, tokEscapedString, tokDollarString:
			t.Kind = TextToken
			if t.Text, err = p.textLiteralValue(p.tok); err != nil {
				return nil, err
			}
		case tokNumber:
			t.Kind = NumberToken
		case tokParameter:
			t.Kind = ParameterToken
		}
		out = append(out, t)
	}
	return out, nil
}
