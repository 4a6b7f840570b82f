package sqlexpr

// normalOperator reads punctuation. The error for a character that
// has a meaning in other languages names it, so that the user sees what to change.
func (s *scanner) operator() token {
	if s.native {
		if t, ok := s.nativeOperator(); ok {
			return t
		}
	}
	start := s.pos
	kind, n := tokBad, 1
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
		if s.byteAt(1) == '>' {
			return s.fail(start, "the operator -> is not part of the expression language", "")
		}
		kind = tokMinus
	case '*':
		kind = tokStar
	case '/':
		kind = tokSlash
	case '%':
		kind = tokPercent
	case '|':
		if s.byteAt(1) == '|' {
			kind, n = tokConcat, 2
		}
	case ':':
		kind, n = tokCast, 2
	case '=':
		switch s.byteAt(1) {
		case '=':
			return s.fail(start, "the operator == is not part of the expression language", "equality is written =")
		case '>':
			return s.fail(start, "the operator => is not part of the expression language", "")
		}
		kind = tokEq
	case '!':
		if s.byteAt(1) == '=' {
			kind, n = tokNe, 2
		}
	case '<':
		switch {
		case s.byteAt(1) == '=' && s.byteAt(2) == '>':
			return s.fail(start, "the operator <=> is not part of the expression language", "write IS NOT DISTINCT FROM")
		case s.byteAt(1) == '=':
			kind, n = tokLe, 2
		case s.byteAt(1) == '>':
			kind, n = tokNe, 2
		default:
			kind = tokLt
		}
	case '>':
		if kind = tokGt; s.byteAt(1) == '=' {
			kind, n = tokGe, 2
		}
	}
	if kind == tokBad {
		return s.rejectOperator(start)
	}
	s.pos += n
	return token{kind: kind, pos: start, end: s.pos}
}

func (s *scanner) rejectOperator(start int) token {
	switch c := s.src[start]; c {
	case ';':
		return s.fail(start, "a semicolon is not allowed", "the text is one expression, not a statement")
	case '`':
		return s.fail(start, "a backtick is not allowed", `a quoted name is written "name"`)
	case '[', ']':
		return s.fail(start, "a square bracket is not allowed", `a quoted name is written "name"`)
	case '$':
		return s.fail(start, "a dollar sign is not allowed", "text literals are written 'text', parameters :name")
	case '?':
		return s.fail(start, "a question mark is not allowed", "parameters are written :name")
	case '^':
		return s.fail(start, "the operator ^ is not part of the expression language", "write POWER(x, y)")
	case '~':
		return s.fail(start, "the operator ~ is not part of the expression language", "text is matched with LIKE")
	case '!':
		return s.fail(start, "the operator ! is not part of the expression language", "write NOT")
	default:
		if c < ' ' || c == 0x7f {
			return s.fail(start, "a control character is not allowed", "")
		}
		return s.fail(start, "the character "+string(rune(c))+" is not allowed", "")
	}
}
