package sqlexpr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokBad           // unreadable; scanner.err is the reason
	tokWord
	tokQuoted
	tokString
	tokNumber
	tokParam
	tokLParen
	tokRParen
	tokComma
	tokDot
	tokPlus
	tokMinus
	tokStar
	tokSlash
	tokPercent
	tokConcat
	tokCast
	tokEq
	tokNe
	tokLt
	tokLe
	tokGt
	tokGe
	tokArrow    // -> ->> #> #>>, in a dialect's own text
	tokLBracket // [ there
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
	err *SyntaxError // why the first tokBad is bad
	// native: the text is a dialect's own and may hold its signs.
	native bool
}

// next returns the next token. White space and comments separate tokens.
func (s *scanner) next() token {
	if !s.skipSpace() {
		return token{kind: tokBad, pos: s.pos, end: s.pos}
	}
	if s.pos == len(s.src) {
		return token{kind: tokEOF, pos: s.pos, end: s.pos}
	}
	start := s.pos
	switch c := s.src[start]; {
	case isWordStart(c):
		return s.word()
	case isDigit(c), c == '.' && isDigit(s.byteAt(1)):
		return s.number()
	case c == '\'':
		return s.quoted('\'', tokString, "text literal")
	case c == '"':
		return s.quoted('"', tokQuoted, "quoted name")
	case c == ':' && s.byteAt(1) != ':':
		return s.param()
	case c >= utf8.RuneSelf:
		if r, _ := utf8.DecodeRuneInString(s.src[start:]); unicode.IsLetter(r) {
			return s.word()
		}
		return s.fail(start, "the character "+shorten(s.src[start:start+runeLen(s.src[start:])])+" is not allowed", "")
	default:
		return s.operator()
	}
}

func (s *scanner) byteAt(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

func (s *scanner) fail(offset int, problem, hint string) token {
	if s.err == nil {
		s.err = newSyntaxError(s.src, offset, problem, hint)
	}
	return token{kind: tokBad, pos: offset, end: offset}
}

// skipSpace moves past white space and comments; false when a comment has no
// end.
func (s *scanner) skipSpace() bool {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			s.pos++
		case c == '-' && s.byteAt(1) == '-':
			if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
				s.pos += i + 1
			} else {
				s.pos = len(s.src)
			}
		case c == '/' && s.byteAt(1) == '*':
			i := strings.Index(s.src[s.pos+2:], "*/")
			if i < 0 {
				s.fail(s.pos, "the comment that begins has no end", "")
				return false
			}
			// Engines disagree on whether comments nest, so the end of
			// such a comment is ambiguous.
			if j := strings.Index(s.src[s.pos+2:s.pos+2+i], "/*"); j >= 0 {
				s.fail(s.pos+2+j, "a comment inside a comment is not allowed", "")
				return false
			}
			s.pos += i + 4
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s.src[s.pos:])
			if !unicode.IsSpace(r) && r != '\uFEFF' {
				return true
			}
			s.pos += n
		default:
			return true
		}
	}
	return true
}

func (s *scanner) word() token {
	start := s.pos
	s.skipWord()
	return token{kind: tokWord, kw: lookupKeyword(s.src[start:s.pos]), pos: start, end: s.pos}
}

func (s *scanner) skipWord() {
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if c < utf8.RuneSelf {
			if !isWordPart(c) {
				return
			}
			s.pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.src[s.pos:])
		if !isWordRune(r) {
			return
		}
		s.pos += n
	}
}

func (s *scanner) number() token {
	start := s.pos
	s.digits()
	if s.byteAt(0) == '.' {
		s.pos++
		s.digits()
	}
	if c := s.byteAt(0); c == 'e' || c == 'E' {
		n := 1
		if d := s.byteAt(1); d == '+' || d == '-' {
			n = 2
		}
		if isDigit(s.byteAt(n)) {
			s.pos += n
			s.digits()
		}
	}
	end := s.pos
	if s.skipWord(); s.pos > end {
		return s.fail(start, shorten(s.src[start:s.pos])+" is neither a number nor a name", "")
	}
	return token{kind: tokNumber, pos: start, end: end}
}

func (s *scanner) digits() {
	for isDigit(s.byteAt(0)) {
		s.pos++
	}
}

// quoted reads a literal in quotes; a doubled quote stands for one.
func (s *scanner) quoted(quote byte, kind tokenKind, what string) token {
	start := s.pos
	for s.pos++; ; s.pos++ {
		i := strings.IndexByte(s.src[s.pos:], quote)
		if i < 0 {
			return s.fail(start, "the "+what+" that begins has no end", "")
		}
		if s.pos += i + 1; s.byteAt(0) != quote {
			break
		}
	}
	if kind == tokQuoted && s.pos-start == 2 {
		return s.fail(start, "a quoted name may not be empty", "text literals stand in single quotes")
	}
	return token{kind: kind, pos: start, end: s.pos}
}

func (s *scanner) param() token {
	start := s.pos
	if s.pos++; !isWordStart(s.byteAt(0)) {
		return s.fail(start, "a colon is not followed by a parameter name", "a parameter is written :name")
	}
	for c := s.byteAt(0); c == '_' || isDigit(c) || isLetter(c); c = s.byteAt(0) {
		s.pos++
	}
	return token{kind: tokParam, pos: start, end: s.pos}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool { return c == '_' || isLetter(c) }
func isWordPart(c byte) bool  { return isWordStart(c) || isDigit(c) || c == '$' }

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// isUnquotedWord reports whether s scans as one unquoted word.
func isUnquotedWord(s string) bool {
	if s == "" {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(s); !isWordStart(s[0]) && (r == utf8.RuneError || !unicode.IsLetter(r)) {
		return false
	}
	sc := scanner{src: s}
	sc.skipWord()
	return sc.pos == len(s)
}
