package sqlexpr

import (
	"fmt"
	"strings"
)

// operand reads a primary expression, and the casts and accesses behind it.
func (p *parser) operand() (Expr, error) {
	start := At(p.tok.pos)
	x, err := p.primary()
	if err != nil {
		return nil, err
	}
	if x, err = p.accessSuffixes(start, x, false); err != nil {
		return nil, err
	}
	for p.tok.kind == tokCast {
		p.advance()
		to, err := p.typeName()
		if err != nil {
			return nil, err
		}
		if x, err = p.accessSuffixes(start, &Cast{At: start, X: x, To: to}, true); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (p *parser) primary() (Expr, error) {
	at, text := At(p.tok.pos), p.text(p.tok)
	switch p.tok.kind {
	case tokNumber:
		p.advance()
		return &Number{At: at, Text: text}, nil
	case tokString:
		p.advance()
		return &String{At: at, Value: unquote(text)}, nil
	case tokParam:
		p.advance()
		return &Param{At: at, Name: text[1:]}, nil
	case tokLParen:
		return p.parenthesized()
	case tokQuoted, tokWord:
		return p.wordOperand()
	}
	return nil, p.expectedExpression()
}

// expectedExpression reports a missing operand.
func (p *parser) expectedExpression() error { return p.expected(p.tokenBeforeOperand()) }

// tokenBeforeOperand names the token after which an operand is expected.
func (p *parser) tokenBeforeOperand() string {
	if p.prev.end == 0 {
		return "an expression"
	}
	after := p.text(p.prev)
	if p.prev.kw != kwNone {
		after = strings.ToUpper(after)
	}
	return "an expression after " + shorten(after)
}

// unquote removes the quotes of a literal and halves the doubled ones inside.
func unquote(text string) string {
	quote, body := text[:1], text[1:len(text)-1]
	if strings.Contains(body, quote) {
		return strings.ReplaceAll(body, quote+quote, quote)
	}
	return body
}

func (p *parser) parenthesized() (Expr, error) {
	if p.startsQuery() {
		return p.subquery(p.tok.pos)
	}
	p.advance()
	x, err := p.expr()
	if err != nil {
		return nil, err
	}
	if p.tok.kind == tokComma {
		return nil, p.problem(p.tok.pos, "a list of values in parentheses is not allowed here", "it may only follow IN")
	}
	if err := p.expect(tokRParen, "an operator or )"); err != nil {
		return nil, err
	}
	return x, nil
}

// startsQuery reports whether the current parenthesis opens a subquery.
func (p *parser) startsQuery() bool {
	if p.tok.kind != tokLParen {
		return false
	}
	switch p.ahead.kw {
	case kwSelect:
		return p.secondToken().kind != tokDot
	case kwWith:
		k := p.secondToken().kind
		return k == tokWord || k == tokQuoted
	}
	return false
}

// subquery skips a query in parentheses; its text begins at start.
func (p *parser) subquery(start int) (Expr, error) {
	open := 0
	for {
		switch p.tok.kind {
		case tokLParen:
			open++
		case tokRParen:
			open--
		case tokEOF, tokBad:
			return nil, p.expected(") at the end of the subquery")
		}
		p.advance()
		if open == 0 {
			return &Subquery{At: At(start), Text: p.sc.src[start:p.prev.end]}, nil
		}
	}
}

// wordOperand reads what begins with a word or a quoted name: a construct of
// its own, a call, or a reference.
func (p *parser) wordOperand() (Expr, error) {
	at := At(p.tok.pos)
	if p.ahead.kind == tokDot {
		return p.column()
	}
	switch p.tok.kw {
	case kwTrue, kwFalse:
		p.advance()
		return &Bool{At: at, Value: p.prev.kw == kwTrue}, nil
	case kwNull:
		p.advance()
		return &Null{At: at}, nil
	case kwCase:
		return p.caseOf()
	case kwCurrentDate, kwCurrentTimestamp:
		return p.currentTime()
	case kwInterval:
		if x, err := p.interval(); x != nil || err != nil {
			return x, err
		}
	case kwDate, kwTime, kwTimestamp, kwTimestampTZ, kwDateTime:
		if x, err := p.typedLiteral(); x != nil || err != nil {
			return x, err
		}
	}
	if p.ahead.kind == tokLParen {
		return p.callOrSpecial()
	}
	if p.ahead.kind == tokString && p.ahead.pos == p.tok.end {
		return nil, p.problem(p.tok.pos, "a text literal may not have a prefix; "+p.text(p.tok), "text literals are written 'text', with '' for a quote inside")
	}
	if p.tok.kw.reserved() {
		return nil, p.reservedWord()
	}
	return p.column()
}

func (p *parser) reservedWord() error {
	word := p.text(p.tok)
	switch p.tok.kw {
	case kwSelect, kwFrom, kwWhere, kwJoin, kwUnion, kwHaving, kwIntersect, kwExcept:
		return p.expectedHint(p.tokenBeforeOperand(), strings.ToUpper(word)+" is not part of the expression language")
	case kwCast, kwExists:
		p.advance()
		return p.expected("( after " + strings.ToUpper(word))
	case kwAnd, kwOr, kwIs, kwIn, kwLike, kwILike, kwBetween, kwWhen, kwThen, kwElse:
		return p.expectedExpression()
	}
	return p.expectedHint(p.tokenBeforeOperand(), fmt.Sprintf(`a name that is a reserved word is written "%s" or after its dataset`, word))
}

// column reads a reference of one or more parts; after a dot every word is a
// name.
func (p *parser) column() (Expr, error) {
	at := At(p.tok.pos)
	path := make([]Name, 0, p.pathLength())
	for {
		path = append(path, p.name())
		if p.tok.kind != tokDot {
			break
		}
		p.advance()
		switch p.tok.kind {
		case tokWord, tokQuoted:
		case tokStar:
			return nil, p.problem(p.tok.pos, "a star after a dot is not allowed", "name one column")
		default:
			return nil, p.expected("a name after the dot")
		}
	}
	if p.tok.kind == tokLParen {
		return nil, p.problem(int(at), "a function name may not be qualified", "")
	}
	return &Column{At: at, Path: path}, nil
}

// pathLength guesses the number of parts, so that most paths allocate once.
func (p *parser) pathLength() int {
	if p.ahead.kind == tokDot {
		return 2
	}
	return 1
}

// name consumes a word or a quoted name.
func (p *parser) name() Name {
	t := p.tok
	p.advance()
	if t.kind == tokQuoted {
		return Name{Text: unquote(p.text(t)), Quoted: true}
	}
	return Name{Text: p.text(t)}
}

func (p *parser) caseOf() (Expr, error) {
	c := &Case{At: At(p.tok.pos)}
	p.advance()
	var err error
	if !p.isKeyword(kwWhen) {
		if c.Operand, err = p.expr(); err != nil {
			return nil, err
		}
	}
	for p.accept(kwWhen) {
		var w When
		if w.Cond, err = p.expr(); err != nil {
			return nil, err
		}
		if err = p.expectWord(kwThen, "THEN"); err != nil {
			return nil, err
		}
		if w.Then, err = p.expr(); err != nil {
			return nil, err
		}
		c.Whens = append(c.Whens, w)
	}
	if len(c.Whens) == 0 {
		return nil, p.expected("WHEN in CASE")
	}
	if p.accept(kwElse) {
		if c.Else, err = p.expr(); err != nil {
			return nil, err
		}
	}
	if err := p.expectWord(kwEnd, "WHEN, ELSE or END in CASE"); err != nil {
		return nil, err
	}
	return c, nil
}

// currentTime reads CURRENT_DATE and CURRENT_TIMESTAMP, with or without
// parentheses.
func (p *parser) currentTime() (Expr, error) {
	fn := FnCurrentDate
	if p.tok.kw == kwCurrentTimestamp {
		fn = FnCurrentTimestamp
	}
	c := &Call{At: At(p.tok.pos), Fn: fn, Name: p.name()}
	if p.tok.kind == tokLParen {
		p.advance()
		if err := p.expect(tokRParen, ") after "+InfoOf(fn).Name+"("); err != nil {
			return nil, err
		}
	}
	return c, nil
}
