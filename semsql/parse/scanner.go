package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// scanner cuts a text into tokens, by the rules of PostgreSQL and with names in backticks. It
// is a small value, so that a copy of it can look ahead.
type scanner struct {
	src string
	pos int
	err *Error // why the first tokBad is bad

	mostName, mostConstant int // bytes; 0 for any length

	catalogue bool // a colon and a bit string are tokens

	// Characters are counted from the last token on.
	countedTo  int
	characters sqlexpr.Position
}

// nextToken returns the next token. White space and comments separate tokens.
func (s *scanner) nextToken() token {
	if !s.skipSpace() {
		return token{kind: tokBad, start: s.pos, end: s.pos, at: s.positionOfOffset(s.pos)}
	}
	start := s.pos
	t := token{start: start, at: s.positionOfOffset(start)}
	if start == len(s.src) {
		t.end = start
		return t
	}
	t.kind = s.checkTokenLength(t, s.scanToken(t.at))
	if t.kind == tokWord {
		t.kw = lookupKeyword(s.src[start:s.pos])
	}
	t.end = s.pos
	return t
}

// checkTokenLength returns the kind of a token that ends here, or rejects one that is too long.
func (s *scanner) checkTokenLength(t token, kind tokenKind) tokenKind {
	what, most := "", 0
	switch kind {
	case tokWord, tokQuotedName:
		what, most = "the bytes of the name are", s.mostName
	case tokString, tokEscapedString, tokDollarString, tokBitString, tokNumber:
		what, most = "the bytes of the constant are", s.mostConstant
	}
	if most == 0 || s.pos-t.start <= most {
		return kind
	}
	if s.err == nil {
		s.err = newTooManyError(t.at, what, most)
	}
	return tokBad
}

// positionOfOffset returns the position of an offset that is not before the last one requested.
func (s *scanner) positionOfOffset(offset int) sqlexpr.Position {
	s.characters += sqlexpr.Position(utf8.RuneCountInString(s.src[s.countedTo:offset]))
	s.countedTo = offset
	return s.characters + 1
}

// scanToken moves after the token that begins here and returns its kind.
func (s *scanner) scanToken(at sqlexpr.Position) tokenKind {
	switch c := s.src[s.pos]; {
	case lexical.IsWordStart(c):
		return s.scanWord(at)
	case lexical.IsDigit(c), c == '.' && lexical.IsDigit(s.byteAhead(1)):
		return s.scanNumber(at)
	case c == '\'':
		return s.scanQuoted(at, tokString, "text literal")
	case c == '"', c == '`':
		return s.scanQuotedName(at)
	case c == '$':
		return s.scanParameterOrDollarText(at)
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(s.src[s.pos:])
		if unicode.IsLetter(r) {
			return s.scanWord(at)
		}
		return s.refuseToken(at, "the character "+s.src[s.pos:s.pos+n]+" is not allowed", "")
	default:
		return s.scanSymbol(at)
	}
}

func (s *scanner) byteAhead(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

func (s *scanner) refuseToken(at sqlexpr.Position, message, hint string) tokenKind {
	if s.err == nil {
		s.err = newSyntaxError(at, message, hint)
	}
	return tokBad
}

// skipSpace moves past white space and comments, which nest; false when a comment has no end.
func (s *scanner) skipSpace() bool {
	for {
		s.pos = lexical.SpaceEnd(s.src, s.pos)
		if s.byteAhead(0) != '/' || s.byteAhead(1) != '*' {
			return true
		}
		if !s.skipComment() {
			return false
		}
	}
}

func (s *scanner) skipComment() bool {
	start, depth := s.pos, 0
	for i := start; i+1 < len(s.src); i++ {
		switch s.src[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			s.pos = i + 1
			return true
		}
	}
	s.refuseToken(s.positionOfOffset(start), "the comment that begins here has no end", "")
	return false
}

// scanWord reads a word, or the text literal that it is the prefix of.
func (s *scanner) scanWord(at sqlexpr.Position) tokenKind {
	start := s.pos
	s.pos = lexical.WordEnd(s.src, start)
	if s.byteAhead(0) == '&' && s.pos-start == 1 && s.src[start]|0x20 == 'u' && (s.byteAhead(1) == '\'' || s.byteAhead(1) == '"') {
		return s.refuseToken(at, `a text or name may not have the prefix U&`, "write the characters themselves")
	}
	if s.byteAhead(0) != '\'' {
		return tokWord
	}
	switch prefix := s.src[start:s.pos]; strings.ToLower(prefix) {
	case "e":
		return s.scanEscapedString(at)
	case "b":
		if s.catalogue {
			return s.scanBitString(at)
		}
		fallthrough
	case "x", "n":
		return s.refuseToken(at, "a text literal may not have the prefix "+prefix, "text literals are written 'text', with '' for a quote inside")
	}
	return tokWord
}

// scanBitString reads b'0100'.
func (s *scanner) scanBitString(at sqlexpr.Position) tokenKind {
	start := s.pos
	kind := s.scanQuoted(at, tokBitString, "bit string")
	if kind == tokBitString && strings.Trim(s.src[start+1:s.pos-1], "01") != "" {
		return s.refuseToken(at, "a bit string holds other characters than 0 and 1", "")
	}
	return kind
}

func (s *scanner) scanNumber(at sqlexpr.Position) tokenKind {
	start := s.pos
	end := lexical.NumberEnd(s.src, start)
	if s.pos = lexical.WordEnd(s.src, end); s.pos > end {
		return s.refuseToken(at, lexical.ShortenForMessage(s.src[start:s.pos])+" is neither a number nor a name", "")
	}
	return tokNumber
}

func (s *scanner) scanQuoted(at sqlexpr.Position, kind tokenKind, what string) tokenKind {
	end := lexical.QuotedEnd(s.src, s.pos)
	if end < 0 {
		s.pos = len(s.src)
		return s.refuseToken(at, "the "+what+" that begins here has no end", "")
	}
	s.pos = end
	return kind
}

func (s *scanner) scanQuotedName(at sqlexpr.Position) tokenKind {
	start := s.pos
	kind := s.scanQuoted(at, tokQuotedName, "quoted name")
	if kind == tokQuotedName && s.pos-start == 2 {
		return s.refuseToken(at, "a quoted name may not be empty", "text literals have single quotes")
	}
	return kind
}

// scanEscapedString reads the quoted part of E'…'. A backslash takes the next byte along.
func (s *scanner) scanEscapedString(at sqlexpr.Position) tokenKind {
	for i := s.pos + 1; i < len(s.src); i++ {
		switch {
		case s.src[i] == '\\':
			i++
		case s.src[i] != '\'':
		case i+1 < len(s.src) && s.src[i+1] == '\'':
			i++
		default:
			s.pos = i + 1
			return tokEscapedString
		}
	}
	s.pos = len(s.src)
	return s.refuseToken(at, "the text literal that begins here has no end", "")
}

// scanParameterOrDollarText reads $1, $$text$$ and $tag$text$tag$.
func (s *scanner) scanParameterOrDollarText(at sqlexpr.Position) tokenKind {
	start := s.pos
	if lexical.IsDigit(s.byteAhead(1)) {
		end := s.pos + 1
		for end < len(s.src) && lexical.IsDigit(s.src[end]) {
			end++
		}
		if s.pos = lexical.WordEnd(s.src, end); s.pos > end {
			return s.refuseToken(at, lexical.ShortenForMessage(s.src[start:s.pos])+" is not a parameter", "a parameter is written $1")
		}
		return tokParameter
	}
	tagEnd := start + 1
	for tagEnd < len(s.src) && s.src[tagEnd] != '$' && lexical.WordEnd(s.src[tagEnd:tagEnd+1], 0) == 1 {
		tagEnd++
	}
	if tagEnd == len(s.src) || s.src[tagEnd] != '$' {
		s.pos++
		return s.refuseToken(at, "a dollar sign begins neither a parameter nor a text", "a parameter is written $1")
	}
	tag := s.src[start : tagEnd+1]
	length := strings.Index(s.src[tagEnd+1:], tag)
	if length < 0 {
		s.pos = len(s.src)
		return s.refuseToken(at, "the text literal that begins here has no end", "")
	}
	s.pos = tagEnd + 1 + length + len(tag)
	return tokDollarString
}
