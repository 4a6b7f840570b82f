package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// scanSymbol reads punctuation and operators.
func (s *scanner) scanSymbol(at sqlexpr.Position) tokenKind {
	c := s.src[s.pos]
	s.pos++
	switch c {
	case '(':
		return tokLParen
	case ')':
		return tokRParen
	case '[':
		return tokLBracket
	case ']':
		return tokRBracket
	case ',':
		return tokComma
	case '.':
		return tokDot
	case ';':
		return tokSemicolon
	case ':':
		switch s.byteAhead(0) {
		case ':':
			s.pos++
			return tokCast
		case '=':
			s.pos++
			return tokAssign
		}
		if s.catalogue {
			return tokColon
		}
	}
	s.pos--
	if n := s.operatorLength(); n > 0 {
		text := s.src[s.pos : s.pos+n]
		s.pos += n
		if kind, ok := tokenKindsBySign[text]; ok {
			return kind
		}
		if _, ok := sqlexpr.BinaryOpOfSign(text); ok {
			return tokSign
		}
		return tokOtherOperator
	}
	s.pos++
	return s.refuseToken(at, "the character "+string(rune(c))+" is not allowed", "")
}

const (
	operatorCharacters = "+-*/<>=~!@#%^&|?"
	// An operator of several characters ends in + or - only if it has one of these too.
	charactersAllowingPlusMinusEnd = "~!@#%^&|?"
)

// operatorLength returns the length of the longest operator here, by the rules of PostgreSQL.
func (s *scanner) operatorLength() int {
	n, unusual := 0, false
	for strings.IndexByte(operatorCharacters, s.byteAhead(n)) >= 0 {
		if two := s.src[s.pos+n:]; n > 0 && (strings.HasPrefix(two, "--") || strings.HasPrefix(two, "/*")) {
			break
		}
		unusual = unusual || strings.IndexByte(charactersAllowingPlusMinusEnd, s.byteAhead(n)) >= 0
		n++
	}
	for !unusual && n > 1 && (s.byteAhead(n-1) == '+' || s.byteAhead(n-1) == '-') {
		n--
	}
	return n
}
