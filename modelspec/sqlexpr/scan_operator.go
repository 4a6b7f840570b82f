package sqlexpr

// scanOperator reads punctuation. The error for a character that
// has a meaning in other languages names it, so that the user sees what to change.
func (s *scanner) scanOperator() token {
	if s.native != nil {
		if t, ok := s.scanNativeOperator(); ok {
			return t
		}
	}
	start := s.pos
	kind, n := tokUnreadable, 1
	switch s.src[start] {
	case '(':
		kind = tokLParen
	case ')':
		kind = tokRParen
	case ',':
		kind = tokComma
	case '.':
		kind = tokDot
	case '+':
		kind = tokPlus
	case '-':
		if s.byteAhead(1) == '>' {
			return s.errorToken(start, "the operator -> is not part of the expression language", "")
		}
		kind = tokMinus
	case '*':
		kind = tokStar
	case '/':
		kind = tokSlash
	case '%':
		kind = tokPercent
	case '|':
		if s.byteAhead(1) == '|' {
			kind, n = tokConcat, 2
		}
	case ':':
		kind, n = tokDoubleColon, 2
	case '=':
		switch s.byteAhead(1) {
		case '=':
			return s.errorToken(start, "the operator == is not part of the expression language", "equality is written =")
		case '>':
			return s.errorToken(start, "the operator => is not part of the expression language", "")
		}
		kind = tokEq
	case '!':
		if s.byteAhead(1) == '=' {
			kind, n = tokNe, 2
		}
	case '<':
		switch {
		case s.byteAhead(1) == '=' && s.byteAhead(2) == '>':
			return s.errorToken(start, "the operator <=> is not part of the expression language", "write IS NOT DISTINCT FROM")
		case s.byteAhead(1) == '=':
			kind, n = tokLe, 2
		case s.byteAhead(1) == '>':
			kind, n = tokNe, 2
		default:
			kind = tokLt
		}
	case '>':
		if kind = tokGt; s.byteAhead(1) == '=' {
			kind, n = tokGe, 2
		}
	}
	if kind == tokUnreadable {
		return s.rejectUnsupportedCharacter(start)
	}
	s.pos += n
	return token{kind: kind, pos: start, end: s.pos}
}

func (s *scanner) rejectUnsupportedCharacter(start int) token {
	switch c := s.src[start]; c {
	case ';':
		return s.errorToken(start, "a semicolon is not allowed", "the text is one expression, not a statement")
	case '`':
		return s.errorToken(start, "a backtick is not allowed", `a quoted name is written "name"`)
	case '[', ']':
		return s.errorToken(start, "a square bracket is not allowed", `a quoted name is written "name"`)
	case '$':
		return s.errorToken(start, "a dollar sign is not allowed", "text literals are written 'text', parameters :name")
	case '?':
		return s.errorToken(start, "a question mark is not allowed", "parameters are written :name")
	case '^':
		return s.errorToken(start, "the operator ^ is not part of the expression language", "write POWER(x, y)")
	case '~':
		return s.errorToken(start, "the operator ~ is not part of the expression language", "text is matched with LIKE")
	case '!':
		return s.errorToken(start, "the operator ! is not part of the expression language", "write NOT")
	default:
		if c < ' ' || c == 0x7f {
			return s.errorToken(start, "a control character is not allowed", "")
		}
		return s.errorToken(start, "the character "+string(rune(c))+" is not allowed", "")
	}
}
