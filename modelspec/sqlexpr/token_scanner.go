package sqlexpr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

type tokenKind uint8

const (
	tokEOF        tokenKind = iota
	tokUnreadable           // unreadable; scanner.err is the reason
	tokWord
	tokQuotedName
	tokString
	tokNumber
	tokParam
	tokLParen
	tokRParen
	tokComma
	tokDot
	tokDoubleColon
	tokPlus // the operators of one token, as in operatorsByToken
	tokMinus
	tokStar
	tokSlash
	tokPercent
	tokConcat
	tokEq
	tokNe
	tokLt
	tokLe
	tokGt
	tokGe
	tokNativeString // a text literal of a dialect, as it is written
	tokColon        // before a path that begins with a quote, in a dialect's own text
	tokJSONArrow    // -> ->> #> #>>, in a dialect's own text
	tokLBracket     // [ there
	tokRBracket
)

// token is a span of the text; its content is read only when needed.
type token struct {
	kind     tokenKind
	kw       keyword // of a tokWord
	pos, end int
}

// scanner cuts a text into tokens. It is a small value, so that a copy of it
// can look ahead.
type scanner struct {
	src string
	pos int
	err *SyntaxError // why the first tokUnreadable is bad
	// native is what a text of one dialect may hold beside the portable language, nil for any other text.
	native *nativeSpelling
	// attributes: a parameter may be an attribute of the reader.
	attributes bool
}

// nextToken returns the next token. White space and comments separate tokens.
func (s *scanner) nextToken() token {
	if !s.skipSpace() {
		return token{kind: tokUnreadable, pos: s.pos, end: s.pos}
	}
	if s.pos == len(s.src) {
		return token{kind: tokEOF, pos: s.pos, end: s.pos}
	}
	start := s.pos
	if s.native != nil {
		if t, ok := s.scanNativeLiteral(); ok {
			return t
		}
	}
	switch c := s.src[start]; {
	case lexical.IsWordStart(c):
		return s.scanWord()
	case lexical.IsDigit(c), c == '.' && lexical.IsDigit(s.byteAhead(1)):
		return s.scanNumber()
	case c == '\'':
		return s.scanQuoted(tokString, "text literal")
	case c == '"':
		return s.scanQuoted(tokQuotedName, "quoted name")
	case c == ':' && s.isColonPath():
		s.pos++
		return token{kind: tokColon, pos: start, end: s.pos}
	case c == ':' && s.byteAhead(1) != ':':
		return s.scanParam()
	case c >= utf8.RuneSelf:
		if r, _ := utf8.DecodeRuneInString(s.src[start:]); unicode.IsLetter(r) {
			return s.scanWord()
		}
		return s.errorToken(start, "the character "+lexical.ShortenForMessage(s.src[start:start+firstRuneLength(s.src[start:])])+" is not allowed", "")
	default:
		return s.scanOperator()
	}
}

func (s *scanner) byteAhead(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

func (s *scanner) errorToken(offset int, problem, hint string) token {
	if s.err == nil {
		s.err = newSyntaxError(s.src, offset, problem, hint)
	}
	return token{kind: tokUnreadable, pos: offset, end: offset}
}

// skipSpace moves past white space and comments; false when a comment has no
// end.
func (s *scanner) skipSpace() bool {
	for {
		s.pos = lexical.SpaceEnd(s.src, s.pos)
		if s.byteAhead(0) != '/' || s.byteAhead(1) != '*' {
			return true
		}
		i := strings.Index(s.src[s.pos+2:], "*/")
		if i < 0 {
			s.errorToken(s.pos, "the comment that begins has no end", "")
			return false
		}
		// Engines disagree on whether comments nest, so the end of
		// such a comment is ambiguous.
		if j := strings.Index(s.src[s.pos+2:s.pos+2+i], "/*"); j >= 0 {
			s.errorToken(s.pos+2+j, "a comment inside a comment is not allowed", "")
			return false
		}
		s.pos += i + 4
	}
}

func (s *scanner) scanWord() token {
	start := s.pos
	s.pos = lexical.WordEnd(s.src, start)
	return token{kind: tokWord, kw: lookupKeyword(s.src[start:s.pos]), pos: start, end: s.pos}
}

func (s *scanner) scanNumber() token {
	start := s.pos
	end := lexical.NumberEnd(s.src, start)
	if s.pos = lexical.WordEnd(s.src, end); s.pos > end {
		return s.errorToken(start, lexical.ShortenForMessage(s.src[start:s.pos])+" is neither a number nor a name", "")
	}
	return token{kind: tokNumber, pos: start, end: end}
}

// scanQuoted reads a literal in quotes.
func (s *scanner) scanQuoted(kind tokenKind, what string) token {
	start := s.pos
	end := lexical.QuotedEnd(s.src, start)
	if end < 0 {
		return s.errorToken(start, "the "+what+" that begins has no end", "")
	}
	s.pos = end
	if kind == tokQuotedName && s.pos-start == 2 {
		return s.errorToken(start, "a quoted name may not be empty", "text literals stand in single quotes")
	}
	return token{kind: kind, pos: start, end: s.pos}
}

func (s *scanner) scanParam() token {
	start := s.pos
	if s.pos++; !lexical.IsWordStart(s.byteAhead(0)) {
		return s.errorToken(start, "a colon is not followed by a parameter name", "a parameter is written :name")
	}
	s.skipParamName()
	if s.attributes && s.src[start:s.pos] == ":"+userAttributeQualifier && s.byteAhead(0) == '.' && lexical.IsWordStart(s.byteAhead(1)) {
		s.pos++
		s.skipParamName()
	}
	return token{kind: tokParam, pos: start, end: s.pos}
}

func (s *scanner) skipParamName() {
	for c := s.byteAhead(0); c == '_' || lexical.IsDigit(c) || lexical.IsLetter(c); c = s.byteAhead(0) {
		s.pos++
	}
}

func firstRuneLength(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
