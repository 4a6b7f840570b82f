package sqlexpr

import (
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// parseOperand reads a primary expression, and the casts and accesses after it.
func (p *parser) parseOperand() (Expr, error) {
	start := Position(p.tok.pos)
	x, err := p.parsePrimary()
	if err != nil {
		return nil, err
	}
	if x, err = p.parseAccessSuffixes(start, x, false); err != nil {
		return nil, err
	}
	for p.tok.kind == tokDoubleColon {
		p.advanceToken()
		to, err := p.parseTypeName()
		if err != nil {
			return nil, err
		}
		if x, err = p.parseAccessSuffixes(start, &Cast{Position: start, X: x, To: to}, true); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (p *parser) parsePrimary() (Expr, error) {
	at, text := Position(p.tok.pos), p.tokenText(p.tok)
	switch p.tok.kind {
	case tokNumber:
		p.advanceToken()
		return &Number{Position: at, Text: text}, nil
	case tokNativeString:
		p.advanceToken()
		return &NativeString{Position: at, Dialect: p.lim.Dialect, Text: text}, nil
	case tokString:
		p.advanceToken()
		return &String{Position: at, Value: lexical.Unquote(text)}, nil
	case tokParam:
		p.advanceToken()
		return &Param{Position: at, Name: text[1:]}, nil
	case tokLParen:
		return p.parseParenthesized()
	case tokQuotedName, tokWord:
		return p.parseWordOperand()
	}
	return nil, p.expectedExpressionError()
}

// expectedExpressionError reports a missing operand.
func (p *parser) expectedExpressionError() error {
	return p.expectedError(p.describeExpectedOperand())
}

// describeExpectedOperand names the token after which an operand is expected.
func (p *parser) describeExpectedOperand() string {
	if p.prev.end == 0 {
		return "an expression"
	}
	after := p.tokenText(p.prev)
	if p.prev.kw != notKeyword {
		after = strings.ToUpper(after)
	}
	return "an expression after " + lexical.ShortenForMessage(after)
}

func (p *parser) parseParenthesized() (Expr, error) {
	if p.isSubqueryStart() {
		return p.parseSubqueryAsText(p.tok.pos)
	}
	p.advanceToken()
	x, err := p.parseExpr()
	if err != nil {
		return nil, err
	}
	if p.tok.kind == tokComma {
		return nil, p.problemAtOffsetError(p.tok.pos, "a list of values in parentheses is not allowed here", "it may only follow IN")
	}
	if err := p.expectToken(tokRParen, "an operator or )"); err != nil {
		return nil, err
	}
	return x, nil
}

// isSubqueryStart reports whether the current parenthesis opens a subquery.
func (p *parser) isSubqueryStart() bool {
	if p.tok.kind != tokLParen {
		return false
	}
	switch p.ahead.kw {
	case kwSelect:
		return p.tokenAfterNext().kind != tokDot
	case kwWith:
		k := p.tokenAfterNext().kind
		return k == tokWord || k == tokQuotedName
	}
	return false
}

// parseSubqueryAsText skips a query in parentheses; its text begins at start.
func (p *parser) parseSubqueryAsText(start int) (Expr, error) {
	open := 0
	for {
		switch p.tok.kind {
		case tokLParen:
			open++
		case tokRParen:
			open--
		case tokEOF, tokUnreadable:
			return nil, p.expectedError(") at the end of the subquery")
		}
		p.advanceToken()
		if open == 0 {
			return &Subquery{Position: Position(start), Text: p.sc.src[start:p.prev.end]}, nil
		}
	}
}

// parseWordOperand reads what begins with a word or a quoted name: a construct of
// its own, a call, or a reference.
func (p *parser) parseWordOperand() (Expr, error) {
	at := Position(p.tok.pos)
	if p.ahead.kind == tokDot {
		return p.parseColumn()
	}
	switch p.tok.kw {
	case kwTrue, kwFalse:
		p.advanceToken()
		return &Bool{Position: at, Value: p.prev.kw == kwTrue}, nil
	case kwNull:
		p.advanceToken()
		return &Null{Position: at}, nil
	case kwCase:
		return p.parseCase()
	case kwCurrentDate, kwCurrentTime, kwCurrentTimestamp:
		return p.parseCurrentTime()
	case kwInterval:
		if x, err := p.parseInterval(); x != nil || err != nil {
			return x, err
		}
	case kwDate, kwTime, kwTimestamp, kwTimestampTZ, kwDateTime:
		if x, err := p.parseTypedLiteral(); x != nil || err != nil {
			return x, err
		}
	}
	if p.ahead.kind == tokLParen {
		return p.parseCallOrSpecialForm()
	}
	if p.ahead.kind == tokString && p.ahead.pos == p.tok.end {
		return nil, p.problemAtOffsetError(p.tok.pos, "a text literal may not have a prefix; "+p.tokenText(p.tok), "text literals are written 'text', with '' for a quote inside")
	}
	if p.tok.kw.isReserved() {
		return nil, p.rejectReservedWord()
	}
	return p.parseColumn()
}

func (p *parser) rejectReservedWord() error {
	word := p.tokenText(p.tok)
	switch p.tok.kw {
	case kwSelect, kwFrom, kwWhere, kwJoin, kwUnion, kwHaving, kwIntersect, kwExcept:
		return p.expectedErrorWithHint(p.describeExpectedOperand(), strings.ToUpper(word)+" is not part of the expression language")
	case kwCast, kwExists:
		p.advanceToken()
		return p.expectedError("( after " + strings.ToUpper(word))
	case kwAnd, kwOr, kwIs, kwIn, kwLike, kwILike, kwBetween, kwWhen, kwThen, kwElse:
		return p.expectedExpressionError()
	}
	return p.expectedErrorWithHint(p.describeExpectedOperand(), fmt.Sprintf(`a name that is a reserved word is written "%s" or after its dataset`, word))
}

// parseColumn reads a reference of one or more parts; after a dot every word is a
// name.
func (p *parser) parseColumn() (Expr, error) {
	at := Position(p.tok.pos)
	path := make([]Name, 0, p.pathCapacityHint())
	for {
		path = append(path, p.parseIdentifier())
		if p.tok.kind != tokDot {
			break
		}
		p.advanceToken()
		switch p.tok.kind {
		case tokWord, tokQuotedName:
		case tokStar:
			return nil, p.problemAtOffsetError(p.tok.pos, "a star after a dot is not allowed", "name one column")
		default:
			return nil, p.expectedError("a name after the dot")
		}
	}
	if p.tok.kind == tokLParen {
		return nil, p.problemAtOffsetError(int(at), "a function name may not be qualified", "")
	}
	return &Column{Position: at, Path: path}, nil
}

// pathCapacityHint guesses the number of parts, so that most paths allocate once.
func (p *parser) pathCapacityHint() int {
	if p.ahead.kind == tokDot {
		return 2
	}
	return 1
}

// parseIdentifier consumes a word or a quoted name.
func (p *parser) parseIdentifier() Name {
	t := p.tok
	p.advanceToken()
	if t.kind == tokQuotedName {
		return Name{Text: lexical.Unquote(p.tokenText(t)), Quoted: true}
	}
	return Name{Text: p.tokenText(t)}
}

func (p *parser) parseCase() (Expr, error) {
	c := &Case{Position: Position(p.tok.pos)}
	p.advanceToken()
	var err error
	if !p.isKeyword(kwWhen) {
		if c.Operand, err = p.parseExpr(); err != nil {
			return nil, err
		}
	}
	for p.acceptKeyword(kwWhen) {
		var w When
		if w.Cond, err = p.parseExpr(); err != nil {
			return nil, err
		}
		if err = p.expectKeyword(kwThen, "THEN"); err != nil {
			return nil, err
		}
		if w.Then, err = p.parseExpr(); err != nil {
			return nil, err
		}
		c.Whens = append(c.Whens, w)
	}
	if len(c.Whens) == 0 {
		return nil, p.expectedError("WHEN in CASE")
	}
	if p.acceptKeyword(kwElse) {
		if c.Else, err = p.parseExpr(); err != nil {
			return nil, err
		}
	}
	if err := p.expectKeyword(kwEnd, "WHEN, ELSE or END in CASE"); err != nil {
		return nil, err
	}
	return c, nil
}

// parseCurrentTime reads CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP, with or
// without parentheses.
func (p *parser) parseCurrentTime() (Expr, error) {
	fn := FnCurrentDate
	switch p.tok.kw {
	case kwCurrentTime:
		fn = FnCurrentTime
	case kwCurrentTimestamp:
		fn = FnCurrentTimestamp
	}
	c := &Call{Position: Position(p.tok.pos), Fn: fn, Name: p.parseIdentifier()}
	if p.tok.kind == tokLParen {
		p.advanceToken()
		if err := p.expectToken(tokRParen, ") after "+InfoOfFunction(fn).Name+"("); err != nil {
			return nil, err
		}
	}
	return c, nil
}
