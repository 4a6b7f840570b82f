package sqlexpr

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// The functions whose arguments are not a plain list. Each ends as the same
// Call (or Extract) for all of its forms.

// parseExtract reads EXTRACT(part FROM x), and DATE_PART(part, x), which is the same.
func (p *parser) parseExtract() (Expr, error) {
	e := &Extract{Position: Position(p.tok.pos)}
	isDatePart, name := p.tok.kw == kwDatePart, strings.ToUpper(p.tokenText(p.tok))
	p.advanceToken()
	p.advanceToken()
	var err error
	if e.Part, err = p.parseDatePart(name); err != nil {
		return nil, err
	}
	if isDatePart {
		err = p.expectToken(tokComma, "a comma after the part in DATE_PART")
	} else {
		err = p.expectKeyword(kwFrom, "FROM after the part in EXTRACT")
	}
	if err != nil {
		return nil, err
	}
	if e.X, err = p.parseExpr(); err != nil {
		return nil, err
	}
	return e, p.expectToken(tokRParen, "an operator or ) in "+name)
}

// parseDatePart consumes a calendar part, written as a word or as text. A part
// that is not known has at least the shape of a word.
func (p *parser) parseDatePart(fn string) (string, error) {
	text := p.tokenText(p.tok)
	switch p.tok.kind {
	case tokWord:
	case tokString:
		text = lexical.Unquote(text)
	default:
		return "", p.expectedError("a part of a date in " + fn)
	}
	part, ok := normalizeDatePartName(text)
	if _, known := datePartOfSpelling(part); !ok || !known && p.lim.Portable {
		return "", p.expectedErrorWithHint("a part of a date in "+fn, "the parts are "+datePartNamesText)
	}
	p.advanceToken()
	return part, nil
}

const (
	intervalUnitsText = "second, minute, hour, day, week, month, quarter and year"
	datePartNamesText = "second, minute, hour, day, week, month, quarter, year, dayofyear, dayofweek and isodow"
)

// normalizeDatePartName names a part that is known, or has the shape of a word.
func normalizeDatePartName(text string) (string, bool) {
	part, known := datePartOfSpelling(text)
	if known {
		return part, true
	}
	part = strings.ToLower(part)
	for i := range len(part) {
		if c := part[i]; !lexical.IsWordPart(c) || c == '$' {
			return "", false
		}
	}
	return part, part != "" && !lexical.IsDigit(part[0])
}

// parseDateTrunc reads DATE_TRUNC(part, x), and DATE_TRUNC(x, part) where the part
// can be nothing else.
func (p *parser) parseDateTrunc() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	part, leads := p.parseLeadingDatePart()
	if leads {
		c.Args = append(c.Args, part)
	}
	if err := p.parseRemainingArgs(c); err != nil {
		return nil, err
	}
	if !leads && len(c.Args) == 2 {
		col, ok := c.Args[1].(*Column)
		if !ok || len(col.Path) != 1 || col.Path[0].Quoted || !isIntervalUnit(col.Path[0].Text) {
			return nil, p.datePartError(c)
		}
		unit, _ := intervalUnitOfSpelling(col.Path[0].Text)
		c.Args[0], c.Args[1] = &String{Position: col.Position, Value: unit}, c.Args[0]
	}
	return p.parseCallEnd(c)
}

// parseDateAddOrDateDiff reads DATEADD(part, n, x) and DATEDIFF(part, a, b).
func (p *parser) parseDateAddOrDateDiff() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	part, ok := p.parseLeadingDatePart()
	if !ok {
		return nil, p.datePartError(c)
	}
	c.Args = append(c.Args, part)
	if err := p.parseRemainingArgs(c); err != nil {
		return nil, err
	}
	return p.parseCallEnd(c)
}

func (p *parser) datePartError(c *Call) error { return p.problemError(c.unitProblem()) }

func (c *Call) unitProblem() *problem {
	return &problem{at: c.Pos(), text: InfoOfFunction(c.Fn).Name + " does not begin with a unit of time; the call", hint: "the units are " + intervalUnitsText}
}

// parseLeadingDatePart consumes a first argument that is a calendar part: a bare word or
// a text of one, and not the start of a longer expression.
func (p *parser) parseLeadingDatePart() (*String, bool) {
	if p.ahead.kind != tokComma && p.ahead.kind != tokRParen {
		return nil, false
	}
	text := p.tokenText(p.tok)
	switch p.tok.kind {
	case tokWord:
	case tokString:
		text = lexical.Unquote(text)
	default:
		return nil, false
	}
	part, known := datePartOfSpelling(text)
	if p.lim.Portable && !isIntervalUnit(text) {
		return nil, false
	}
	if !known {
		// An unknown word is more likely a column in BigQuery's order of
		// arguments; an unknown text can only be a part.
		var ok bool
		if part, ok = normalizeDatePartName(text); !ok || p.tok.kind == tokWord && p.tok.kw.isReserved() {
			return nil, false
		}
		if p.tok.kind == tokWord && p.isDatePartSecondArg() {
			return nil, false
		}
	}
	s := &String{Position: Position(p.tok.pos), Value: part}
	p.advanceToken()
	return s, true
}

// isDatePartSecondArg looks ahead for «, unit )» after the current word.
func (p *parser) isDatePartSecondArg() bool {
	sc := p.sc
	unit, end := sc.nextToken(), sc.nextToken()
	return unit.kind == tokWord && isIntervalUnit(p.tokenText(unit)) && end.kind == tokRParen
}

// parseRemainingArgs reads further arguments up to the closing parenthesis, after a
// comma when there are some already.
func (p *parser) parseRemainingArgs(c *Call) error {
	if p.tok.kind == tokRParen {
		return nil
	}
	if len(c.Args) > 0 {
		if err := p.expectToken(tokComma, "a comma after the part"); err != nil {
			return err
		}
	}
	args, err := p.parseExprList()
	c.Args = append(c.Args, args...)
	return err
}

// parsePositionCall reads POSITION(needle IN haystack) and POSITION(needle, haystack).
func (p *parser) parsePositionCall() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	needle, err := p.parseNestedFromPrecedence(PrecedenceBetweenInLike + 1)
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, needle)
	if !p.acceptKeyword(kwIn) && p.tok.kind != tokComma {
		return nil, p.expectedError("IN and the text to search in POSITION")
	}
	if p.tok.kind == tokComma {
		p.advanceToken()
	}
	haystack, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, haystack)
	return p.parseCallEnd(c)
}

// parseTrim reads TRIM(x), TRIM(x, chars), TRIM([BOTH|LEADING|TRAILING] [chars] FROM x).
func (p *parser) parseTrim() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	side := notKeyword
	if p.isKeyword(kwBoth) || p.isKeyword(kwLeading) || p.isKeyword(kwTrailing) {
		switch p.ahead.kind {
		case tokWord, tokString, tokQuotedName, tokParam, tokLParen:
			side = p.tok.kw
			p.advanceToken()
		}
	}
	switch side {
	case kwLeading:
		c.Fn = FnLTrim
	case kwTrailing:
		c.Fn = FnRTrim
	}
	c.Name = Name{Text: InfoOfFunction(c.Fn).Name}
	if side != notKeyword && p.acceptKeyword(kwFrom) {
		return p.parseTrimFrom(c, nil)
	}
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if p.acceptKeyword(kwFrom) {
		return p.parseTrimFrom(c, x)
	}
	if side != notKeyword {
		return nil, p.expectedError("FROM in TRIM")
	}
	c.Args = append(c.Args, x)
	if err := p.parseRemainingArgs(c); err != nil {
		return nil, err
	}
	return p.parseCallEnd(c)
}

func (p *parser) parseTrimFrom(c *Call, chars Expr) (Expr, error) {
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, x)
	if chars != nil {
		c.Args = append(c.Args, chars)
	}
	return p.parseCallEnd(c)
}

// parseSubstring reads SUBSTRING(x, from[, length]) and SUBSTRING(x [FROM n] [FOR n]).
func (p *parser) parseSubstring() (Expr, error) {
	c := p.parseCallNameAndParenthesis()
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, x)
	switch {
	case p.acceptKeyword(kwFrom):
		if err := p.parseAndAppendArgument(c); err != nil {
			return nil, err
		}
		if p.acceptKeyword(kwFor) {
			err = p.parseAndAppendArgument(c)
		}
	case p.acceptKeyword(kwFor):
		c.Args = append(c.Args, &Number{Position: Position(p.prev.pos), Text: "1"})
		err = p.parseAndAppendArgument(c)
	default:
		err = p.parseRemainingArgs(c)
	}
	if err != nil {
		return nil, err
	}
	return p.parseCallEnd(c)
}

// parseAndAppendArgument reads one argument after a word.
func (p *parser) parseAndAppendArgument(c *Call) error {
	x, err := p.parseExpr()
	c.Args = append(c.Args, x)
	return err
}
