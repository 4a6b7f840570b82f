package sqlexpr

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// spellingOf returns the spelling of a dialect; nil is that of the portable language.
func spellingOf(dialect string) *nativeSpelling {
	if dialect == "" {
		return nil
	}
	if d := findDialect(CanonicalDialect(dialect)); d != nil {
		return &d.native
	}
	return &nativeSpelling{}
}

// scanNativeLiteral reads a text literal that the portable language does not have, with its prefix and its quotes.
func (s *scanner) scanNativeLiteral() (t token, ok bool) {
	start := s.pos
	switch rest := s.src[start:]; rest[0] {
	case '\'':
		if !s.native.backslashEscapes {
			return token{}, false
		}
		end := escapedQuoteEnd(s.src, start, 1)
		if end > 0 && !strings.Contains(s.src[start:end], `\`) {
			return token{}, false // one of the portable language
		}
		return s.endNativeLiteral(start, end), true
	case '$':
		if !s.native.dollarQuotes || !strings.HasPrefix(rest, "$$") {
			return token{}, false
		}
		end := strings.Index(rest[2:], "$$")
		if end >= 0 {
			end += start + 4
		}
		return s.endNativeLiteral(start, end), true
	}
	return s.scanPrefixedLiteral()
}

// scanPrefixedLiteral reads a literal with a word before its quote.
func (s *scanner) scanPrefixedLiteral() (t token, ok bool) {
	start := s.pos
	quote := lexical.WordEnd(s.src, start)
	prefix := strings.ToLower(s.src[start:quote])
	if quote >= len(s.src) || !slices.Contains(s.native.prefixes, prefix) {
		return token{}, false
	}
	c := s.src[quote]
	if c != '\'' && (c != '"' || !s.native.doubleQuotes) {
		return token{}, false
	}
	quotes := 1
	if triple := strings.Repeat(string(c), 3); s.native.doubleQuotes && strings.HasPrefix(s.src[quote:], triple) {
		quotes = 3
	}
	isRaw := strings.Contains(prefix, "r")
	if isRaw && s.native.rawBackslashes || !isRaw && s.native.backslashEscapes || prefix == "e" {
		return s.endNativeLiteral(start, escapedQuoteEnd(s.src, quote, quotes)), true
	}
	end := lexical.QuotedEnd(s.src, quote)
	if isRaw || quotes == 3 {
		closing := strings.Repeat(string(c), quotes)
		if end = strings.Index(s.src[quote+quotes:], closing); end >= 0 {
			end += quote + 2*quotes
		}
	}
	return s.endNativeLiteral(start, end), true
}

// escapedQuoteEnd returns the offset behind the literal whose first quote is at pos, and in which a backslash keeps the character
// behind it from ending it; -1 where it has no end. It has one or three quotes at each end.
func escapedQuoteEnd(src string, pos, quotes int) int {
	closing := strings.Repeat(src[pos:pos+1], quotes)
	for i := pos + quotes; i < len(src); i++ {
		switch {
		case src[i] == '\\':
			i++
		case !strings.HasPrefix(src[i:], closing):
		case quotes == 1 && strings.HasPrefix(src[i+1:], closing): // a quote that is doubled
			i++
		default:
			return i + quotes
		}
	}
	return -1
}

func (s *scanner) endNativeLiteral(start, end int) token {
	if end < 0 {
		return s.errorToken(start, "the text literal that begins has no end", "")
	}
	s.pos = end
	return token{kind: tokNativeString, pos: start, end: end}
}

// isColonPath reports whether the colon at the current place begins a path whose first part is in quotes. A path that begins
// with a word is scanned as a parameter, which has no place behind a value.
func (s *scanner) isColonPath() bool {
	return s.native != nil && s.native.colonPaths && s.byteAhead(1) == '"'
}

// parseSemiStructuredPath reads the path behind x: names with dots between them and subscripts of numbers and texts.
func (p *parser) parseSemiStructuredPath(start Position, x Expr) (Expr, error) {
	switch x.(type) {
	case *Column, *Call, *Subscript, *StructMemberAccess:
	default:
		return nil, p.problemAtOffsetError(p.tok.pos, "a path follows a column or a call; "+p.tokenText(p.tok), "")
	}
	e := &SemiStructuredPath{Position: start, Dialect: p.lim.Dialect, X: x}
	if p.tok.kind == tokParam {
		e.Path = p.tokenText(p.tok)[1:]
		p.advanceToken()
	} else {
		p.advanceToken()
		e.Path = p.tokenText(p.tok)
		p.advanceToken()
	}
	for {
		switch p.tok.kind {
		case tokDot:
			p.advanceToken()
			if p.tok.kind != tokWord && p.tok.kind != tokQuotedName {
				return nil, p.expectedError("a name after the dot of a path")
			}
			e.Path += "." + p.tokenText(p.tok)
		case tokLBracket:
			p.advanceToken()
			if p.tok.kind != tokNumber && p.tok.kind != tokString {
				return nil, p.expectedError("a number or a text literal in the subscript of a path")
			}
			e.Path += "[" + p.tokenText(p.tok) + "]"
			p.advanceToken()
			if p.tok.kind != tokRBracket {
				return nil, p.expectedError("]")
			}
		default:
			return e, nil
		}
		p.advanceToken()
	}
}
