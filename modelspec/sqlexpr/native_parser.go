package sqlexpr

import "strings"

// What only a text of a dialect's own may hold: its casts, subscripts and
// operators of JSON, members of structures and the DATEDIFF of two arguments.

// nativeOperator reads a sign of a dialect's own spelling.
func (s *scanner) nativeOperator() (t token, ok bool) {
	start, kind, n := s.pos, tokArrow, 1
	switch rest := s.src[start:]; {
	case rest[0] == '[':
		kind = tokLBracket
	case rest[0] == ']':
		kind = tokRBracket
	case strings.HasPrefix(rest, "->>"), strings.HasPrefix(rest, "#>>"):
		n = 3
	case strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, "#>"):
		n = 2
	default:
		return token{}, false
	}
	s.pos += n
	return token{kind: kind, pos: start, end: s.pos}, true
}

// accessSuffixes reads the subscripts, members and operators of JSON behind x.
// afterCast is true if the text of x ends in a type.
func (p *parser) accessSuffixes(start At, x Expr, afterCast bool) (Expr, error) {
	arrow := false
	for {
		var err error
		switch {
		case p.tok.kind == tokArrow:
			x, err = p.jsonAccess(start, x)
			arrow = true
		case (arrow || afterCast) && (p.tok.kind == tokLBracket || p.tok.kind == tokDot || p.tok.kind == tokCast && arrow):
			return nil, p.ambiguousError()
		case p.tok.kind == tokLBracket:
			x, err = p.subscript(start, x)
		case p.tok.kind == tokDot && p.lim.Dialect != "":
			x, err = p.member(start, x)
		default:
			if arrow {
				p.arrowEnd = p.prev.end
			}
			return x, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// ambiguousError refuses an operator beside one of JSON, or a subscript behind a type:
// engines disagree on which binds first.
func (p *parser) ambiguousError() error {
	return p.problem(p.tok.pos, "engines do not agree on what "+p.describe(p.tok)+" applies to", "put parentheses around its operands, as in (data ->> 'k') || 'x'")
}

// endsInJSONArrow reports whether the last operand ends in an operator of JSON that has
// no parentheses around it.
func (p *parser) endsInJSONArrow() bool { return p.arrowEnd > 0 && p.arrowEnd == p.prev.end }

func (p *parser) subscript(start At, x Expr) (Expr, error) {
	p.advance()
	index, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.expect(tokRBracket, "an operator or ]"); err != nil {
		return nil, err
	}
	return &Subscript{At: start, Dialect: p.lim.Dialect, X: x, Index: index}, nil
}

func (p *parser) jsonAccess(start At, x Expr) (Expr, error) {
	e := &JSONAccess{At: start, Dialect: p.lim.Dialect, Op: p.text(p.tok), X: x}
	p.advance()
	switch at, text := At(p.tok.pos), p.text(p.tok); p.tok.kind {
	case tokString:
		e.Path = &String{At: at, Value: unquote(text)}
	case tokNumber:
		e.Path = &Number{At: at, Text: text}
	default:
		return nil, p.expected("a text literal or a number after " + e.Op)
	}
	p.advance()
	return e, nil
}

func (p *parser) member(start At, x Expr) (Expr, error) {
	p.advance()
	if p.tok.kind != tokWord && p.tok.kind != tokQuoted {
		return nil, p.expected("a name after the dot")
	}
	e := &Member{At: start, Dialect: p.lim.Dialect, X: x, Field: p.name()}
	if p.tok.kind == tokLParen {
		return nil, p.problem(int(start), "a function name may not be qualified", "")
	}
	return e, nil
}

// nativeCall reads a call that only a dialect's own text may hold; nil is any other.
func (p *parser) nativeCall() (Expr, error) {
	if p.lim.Dialect == "" || p.tok.kind != tokWord {
		return nil, nil
	}
	switch name := strings.ToUpper(p.text(p.tok)); {
	case name == "TRY_CAST", name == "SAFE_CAST":
		return p.nativeCast(name)
	case p.tok.kw == kwDateDiff && p.hasTwoArgs():
		return p.nativeDateDiff()
	}
	return nil, nil
}

func (p *parser) nativeCast(name string) (Expr, error) {
	e := &NativeCast{At: At(p.tok.pos), Dialect: p.lim.Dialect, Func: name}
	p.advance()
	p.advance()
	var err error
	if e.X, err = p.expr(); err != nil {
		return nil, err
	}
	if err := p.expectWord(kwAs, "AS and a type in "+name); err != nil {
		return nil, err
	}
	if e.To, err = p.nativeType(); err != nil {
		return nil, err
	}
	if err := p.expect(tokRParen, ") after the type of "+name); err != nil {
		return nil, err
	}
	return e, nil
}

// nativeType reads a type of words, numbers, parentheses, commas and angle
// brackets, up to a parenthesis that it does not open.
func (p *parser) nativeType() (string, error) {
	var b strings.Builder
	var open []tokenKind
	if p.tok.kind != tokWord {
		return "", p.expected("a type name")
	}
	for {
		text := p.text(p.tok)
		switch p.tok.kind {
		case tokWord, tokNumber:
			if !isTypeWord(text) {
				return "", p.expected("a type name")
			}
			if p.prev.kind == tokWord && b.Len() > 0 || p.prev.kind == tokNumber {
				b.WriteByte(' ')
			}
		case tokComma:
			if len(open) == 0 {
				return "", p.expected(") after the type")
			}
			text = ", "
		case tokLParen:
			open = append(open, tokRParen)
		case tokLt:
			open = append(open, tokGt)
		case tokRParen, tokGt:
			if len(open) == 0 && p.tok.kind == tokRParen {
				return b.String(), nil
			}
			if len(open) == 0 || open[len(open)-1] != p.tok.kind {
				return "", p.expected("a type name")
			}
			open = open[:len(open)-1]
		default:
			return "", p.expected("a type name")
		}
		b.WriteString(text)
		p.advance()
	}
}

// isTypeWord reports whether s is made of ASCII letters, digits and underscores.
func isTypeWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isWordStart(c) && !isDigit(c) {
			return false
		}
	}
	return true
}

// nativeDateDiff reads DATEDIFF(a, b), which is the function of the dialect.
func (p *parser) nativeDateDiff() (Expr, error) {
	c := p.callHead()
	c.Fn, c.Dialect = FnUnknown, p.lim.Dialect
	var err error
	if c.Args, err = p.exprs(); err != nil {
		return nil, err
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

// hasTwoArgs looks ahead whether the call that begins has two arguments.
func (p *parser) hasTwoArgs() bool {
	sc, open, commas := p.sc, 0, 0
	for {
		switch sc.next().kind {
		case tokLParen, tokLBracket:
			open++
		case tokRBracket:
			open--
		case tokRParen:
			if open == 0 {
				return commas == 1
			}
			open--
		case tokComma:
			if open == 0 {
				commas++
			}
		case tokEOF, tokBad:
			return false
		}
	}
}
