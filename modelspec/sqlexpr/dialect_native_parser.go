package sqlexpr

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// What only a text of a dialect's own may hold: its casts, subscripts, paths and
// operators of JSON, members of structures and the DATEDIFF of two arguments.

// scanNativeOperator reads a sign of a dialect's own spelling.
func (s *scanner) scanNativeOperator() (t token, ok bool) {
	start, kind, n := s.pos, tokJSONArrow, 1
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

// parseAccessSuffixes reads the subscripts, members and operators of JSON after x.
// afterCast is true if the text of x ends in a type.
func (p *parser) parseAccessSuffixes(start Position, x Expr, afterCast bool) (Expr, error) {
	arrow := false
	for {
		var err error
		switch {
		case p.tok.kind == tokJSONArrow:
			x, err = p.parseJSONAccess(start, x)
			arrow = true
		case p.beginsColonPath() && (arrow || afterCast):
			return nil, p.jsonPrecedenceError()
		case p.beginsColonPath():
			x, err = p.parseSemiStructuredPath(start, x)
		case (arrow || afterCast) && (p.tok.kind == tokLBracket || p.tok.kind == tokDot || p.tok.kind == tokDoubleColon && arrow):
			return nil, p.jsonPrecedenceError()
		case p.tok.kind == tokLBracket:
			x, err = p.parseSubscript(start, x)
		case p.tok.kind == tokDot && p.lim.Dialect != "":
			x, err = p.parseStructMemberAccess(start, x)
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

// beginsColonPath reports whether the current token, which follows a value, begins the path of a semi-structured value.
func (p *parser) beginsColonPath() bool {
	return p.tok.kind == tokColon || p.tok.kind == tokParam && p.sc.native != nil && p.sc.native.colonPaths
}

// jsonPrecedenceError rejects an operator beside one of JSON, or a subscript after a type:
// engines disagree on which binds first.
func (p *parser) jsonPrecedenceError() error {
	return p.problemAtOffsetError(p.tok.pos, "engines do not agree on what "+p.describeToken(p.tok)+" applies to", "put parentheses around its operands, as in (data ->> 'k') || 'x'")
}

// lastOperandEndsInJSONArrow reports whether the last operand ends in an operator of JSON that has
// no parentheses around it.
func (p *parser) lastOperandEndsInJSONArrow() bool { return p.arrowEnd > 0 && p.arrowEnd == p.prev.end }

func (p *parser) parseSubscript(start Position, x Expr) (Expr, error) {
	p.advanceToken()
	index, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if err := p.expectToken(tokRBracket, "an operator or ]"); err != nil {
		return nil, err
	}
	return &Subscript{Position: start, Dialect: p.lim.Dialect, X: x, Index: index}, nil
}

func (p *parser) parseJSONAccess(start Position, x Expr) (Expr, error) {
	e := &JSONAccess{Position: start, Dialect: p.lim.Dialect, Op: p.tokenText(p.tok), X: x}
	p.advanceToken()
	switch at, text := Position(p.tok.pos), p.tokenText(p.tok); p.tok.kind {
	case tokString:
		e.Path = &String{Position: at, Value: lexical.Unquote(text)}
	case tokNumber:
		e.Path = &Number{Position: at, Text: text}
	default:
		return nil, p.expectedError("a text literal or a number after " + e.Op)
	}
	p.advanceToken()
	return e, nil
}

func (p *parser) parseStructMemberAccess(start Position, x Expr) (Expr, error) {
	p.advanceToken()
	if p.tok.kind != tokWord && p.tok.kind != tokQuotedName {
		return nil, p.expectedError("a name after the dot")
	}
	e := &StructMemberAccess{Position: start, Dialect: p.lim.Dialect, X: x, Field: p.parseIdentifier()}
	if p.tok.kind == tokLParen {
		return nil, p.problemAtOffsetError(int(start), "a function name may not be qualified", "")
	}
	return e, nil
}

// parseNativeCall reads a call that only a dialect's own text may hold; nil is any other.
func (p *parser) parseNativeCall() (Expr, error) {
	if p.lim.Dialect == "" || p.tok.kind != tokWord {
		return nil, nil
	}
	switch name := strings.ToUpper(p.tokenText(p.tok)); {
	case name == "TRY_CAST", name == "SAFE_CAST":
		return p.parseNativeCastCall(name)
	case p.tok.kw == kwDateDiff && p.callHasTwoArgs():
		return p.parseNativeDateDiff()
	}
	return nil, nil
}

func (p *parser) parseNativeCastCall(name string) (Expr, error) {
	e := &NativeCast{Position: Position(p.tok.pos), Dialect: p.lim.Dialect, Func: name}
	p.advanceToken()
	p.advanceToken()
	var err error
	if e.X, err = p.parseExpr(); err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAs, "AS and a type in "+name); err != nil {
		return nil, err
	}
	if e.To, err = p.parseNativeType(); err != nil {
		return nil, err
	}
	if err := p.expectToken(tokRParen, ") after the type of "+name); err != nil {
		return nil, err
	}
	return e, nil
}

// parseNativeType reads a type of words, numbers, parentheses, commas and angle
// brackets, up to a parenthesis that it does not open.
func (p *parser) parseNativeType() (string, error) {
	var b strings.Builder
	var open []tokenKind
	if p.tok.kind != tokWord {
		return "", p.expectedError("a type name")
	}
	for {
		text := p.tokenText(p.tok)
		switch p.tok.kind {
		case tokWord, tokNumber:
			if !isTypeWord(text) {
				return "", p.expectedError("a type name")
			}
			if p.prev.kind == tokWord && b.Len() > 0 || p.prev.kind == tokNumber {
				b.WriteByte(' ')
			}
		case tokComma:
			if len(open) == 0 {
				return "", p.expectedError(") after the type")
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
				return "", p.expectedError("a type name")
			}
			open = open[:len(open)-1]
		default:
			return "", p.expectedError("a type name")
		}
		b.WriteString(text)
		p.advanceToken()
	}
}

// isTypeWord reports whether s is made of ASCII letters, digits and underscores.
func isTypeWord(s string) bool {
	for i := range len(s) {
		if c := s[i]; !lexical.IsWordStart(c) && !lexical.IsDigit(c) {
			return false
		}
	}
	return true
}

// parseNativeDateDiff reads DATEDIFF(a, b), which is the function of the dialect.
func (p *parser) parseNativeDateDiff() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	c.Fn, c.Dialect = FnUnknown, p.lim.Dialect
	var err error
	if c.Args, err = p.parseExprList(); err != nil {
		return nil, err
	}
	return p.parseCallEnd(c)
}

// callHasTwoArgs looks ahead whether the call that begins has two arguments.
func (p *parser) callHasTwoArgs() bool {
	sc, open, commas := p.sc, 0, 0
	for {
		switch sc.nextToken().kind {
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
		case tokEOF, tokUnreadable:
			return false
		}
	}
}
