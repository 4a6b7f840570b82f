package sqlexpr

import "strings"

// The functions whose arguments are not a plain list. Each ends as the same
// Call (or Extract) for all of its forms.

// extract reads EXTRACT(part FROM x).
func (p *parser) extract() (Expr, error) {
	e := &Extract{At: At(p.tok.pos)}
	p.advance()
	p.advance()
	part, err := p.datePart("EXTRACT")
	if err != nil {
		return nil, err
	}
	e.Part = part
	if err := p.expectWord(kwFrom, "FROM after the part in EXTRACT"); err != nil {
		return nil, err
	}
	return p.extractEnd(e, "EXTRACT")
}

// datePartCall reads DATE_PART(part, x), which is EXTRACT.
func (p *parser) datePartCall() (Expr, error) {
	e := &Extract{At: At(p.tok.pos)}
	p.advance()
	p.advance()
	part, err := p.datePart("DATE_PART")
	if err != nil {
		return nil, err
	}
	e.Part = part
	if err := p.expect(tokComma, "a comma after the part in DATE_PART"); err != nil {
		return nil, err
	}
	return p.extractEnd(e, "DATE_PART")
}

func (p *parser) extractEnd(e *Extract, name string) (Expr, error) {
	var err error
	if e.X, err = p.expr(); err != nil {
		return nil, err
	}
	if err := p.expect(tokRParen, "an operator or ) in "+name); err != nil {
		return nil, err
	}
	return e, nil
}

// datePart consumes a calendar part, written as a word or as text. A part
// that is not known has at least the shape of a word.
func (p *parser) datePart(fn string) (string, error) {
	text := p.text(p.tok)
	switch p.tok.kind {
	case tokWord:
	case tokString:
		text = unquote(text)
	default:
		return "", p.expected("a part of a date in " + fn)
	}
	part, ok := datePartName(text)
	if _, known := datePart(part); !ok || !known && p.lim.Portable {
		return "", p.expectedHint("a part of a date in "+fn, "the parts are "+partList)
	}
	p.advance()
	return part, nil
}

const (
	unitList = "second, minute, hour, day, week, month, quarter and year"
	partList = "second, minute, hour, day, week, month, quarter, year, dayofyear and dayofweek"
)

// datePartName names a part that is known, or has the shape of a word.
func datePartName(text string) (string, bool) {
	part, known := datePart(text)
	if known {
		return part, true
	}
	part = strings.ToLower(part)
	for i := range len(part) {
		if c := part[i]; !isWordPart(c) || c == '$' {
			return "", false
		}
	}
	return part, part != "" && !isDigit(part[0])
}

// dateTrunc reads DATE_TRUNC(part, x), and DATE_TRUNC(x, part) where the part
// can be nothing else.
func (p *parser) dateTrunc() (Expr, error) {
	c := p.callHead()
	part, leads := p.leadingDatePart()
	if leads {
		c.Args = append(c.Args, part)
	}
	if err := p.remainingArgs(c); err != nil {
		return nil, err
	}
	if !leads && len(c.Args) == 2 {
		col, ok := c.Args[1].(*Column)
		if !ok || len(col.Path) != 1 || col.Path[0].Quoted || !isIntervalUnit(col.Path[0].Text) {
			return nil, p.datePartError(c)
		}
		unit, _ := unitOf(col.Path[0].Text)
		c.Args[0], c.Args[1] = &String{At: col.At, Value: unit}, c.Args[0]
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

// dateArith reads DATEADD(part, n, x) and DATEDIFF(part, a, b).
func (p *parser) dateArith() (Expr, error) {
	c := p.callHead()
	part, ok := p.leadingDatePart()
	if !ok {
		return nil, p.datePartError(c)
	}
	c.Args = append(c.Args, part)
	if err := p.remainingArgs(c); err != nil {
		return nil, err
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

func (p *parser) datePartError(c *Call) error {
	return p.problem(c.Pos(), InfoOf(c.Fn).Name+" does not begin with a unit of time; the call", "the units are "+unitList)
}

// leadingDatePart consumes a first argument that is a calendar part: a bare word or
// a text of one, and not the start of a longer expression.
func (p *parser) leadingDatePart() (*String, bool) {
	if p.ahead.kind != tokComma && p.ahead.kind != tokRParen {
		return nil, false
	}
	text := p.text(p.tok)
	switch p.tok.kind {
	case tokWord:
	case tokString:
		text = unquote(text)
	default:
		return nil, false
	}
	part, known := datePart(text)
	if p.lim.Portable && !isIntervalUnit(text) {
		return nil, false
	}
	if !known {
		// An unknown word is more likely a column in BigQuery's order of
		// arguments; an unknown text can only be a part.
		var ok bool
		if part, ok = datePartName(text); !ok || p.tok.kind == tokWord && p.tok.kw.reserved() {
			return nil, false
		}
		if p.tok.kind == tokWord && p.isPartSecondArg() {
			return nil, false
		}
	}
	s := &String{At: At(p.tok.pos), Value: part}
	p.advance()
	return s, true
}

// isPartSecondArg looks ahead for «, unit )» behind the current word.
func (p *parser) isPartSecondArg() bool {
	sc := p.sc
	unit, end := sc.next(), sc.next()
	return unit.kind == tokWord && isIntervalUnit(p.text(unit)) && end.kind == tokRParen
}

// remainingArgs reads further arguments up to the closing parenthesis, behind a
// comma when there are some already.
func (p *parser) remainingArgs(c *Call) error {
	if p.tok.kind == tokRParen {
		return nil
	}
	if len(c.Args) > 0 {
		if err := p.expect(tokComma, "a comma after the part"); err != nil {
			return err
		}
	}
	args, err := p.exprs()
	c.Args = append(c.Args, args...)
	return err
}

// position reads POSITION(needle IN haystack) and POSITION(needle, haystack).
func (p *parser) position() (Expr, error) {
	c := p.callHead()
	needle, err := p.nested(levelMatch + 1)
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, needle)
	if !p.accept(kwIn) && p.tok.kind != tokComma {
		return nil, p.expected("IN and the text to search in POSITION")
	}
	if p.tok.kind == tokComma {
		p.advance()
	}
	haystack, err := p.expr()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, haystack)
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

// trim reads TRIM(x), TRIM(x, chars), TRIM([BOTH|LEADING|TRAILING] [chars] FROM x).
func (p *parser) trim() (Expr, error) {
	c := p.callHead()
	side := kwNone
	if p.isKeyword(kwBoth) || p.isKeyword(kwLeading) || p.isKeyword(kwTrailing) {
		switch p.ahead.kind {
		case tokWord, tokString, tokQuoted, tokParam, tokLParen:
			side = p.tok.kw
			p.advance()
		}
	}
	switch side {
	case kwLeading:
		c.Fn = FnLTrim
	case kwTrailing:
		c.Fn = FnRTrim
	}
	c.Name = Name{Text: InfoOf(c.Fn).Name}
	if side != kwNone && p.accept(kwFrom) {
		return p.trimFrom(c, nil)
	}
	x, err := p.expr()
	if err != nil {
		return nil, err
	}
	if p.accept(kwFrom) {
		return p.trimFrom(c, x)
	}
	if side != kwNone {
		return nil, p.expected("FROM in TRIM")
	}
	c.Args = append(c.Args, x)
	if err := p.remainingArgs(c); err != nil {
		return nil, err
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

func (p *parser) trimFrom(c *Call, chars Expr) (Expr, error) {
	x, err := p.expr()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, x)
	if chars != nil {
		c.Args = append(c.Args, chars)
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

// substring reads SUBSTRING(x, from[, length]) and SUBSTRING(x [FROM n] [FOR n]).
func (p *parser) substring() (Expr, error) {
	c := p.callHead()
	x, err := p.expr()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, x)
	switch {
	case p.accept(kwFrom):
		if err := p.appendArg(c); err != nil {
			return nil, err
		}
		if p.accept(kwFor) {
			err = p.appendArg(c)
		}
	case p.accept(kwFor):
		c.Args = append(c.Args, &Number{At: At(p.prev.pos), Text: "1"})
		err = p.appendArg(c)
	default:
		err = p.remainingArgs(c)
	}
	if err != nil {
		return nil, err
	}
	if err := p.closeCall(c); err != nil {
		return nil, err
	}
	return c, nil
}

// appendArg reads one argument behind a word.
func (p *parser) appendArg(c *Call) error {
	x, err := p.expr()
	c.Args = append(c.Args, x)
	return err
}
