package parse

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseTimeLiteral reads DATE '…' and the like; nothing where the word begins something else.
func (p *parser) parseTimeLiteral() (Expr, error) {
	x := &TimeLiteral{Position: p.tok.at}
	switch p.tok.kw {
	case kwDate, kwTime, kwTimestamp, kwTimestamptz:
		x.Type = lowerASCII(p.tokenText(p.tok))
	default:
		if x.Type = p.timestampTypeWithOtherName(); x.Type == "" {
			return nil, nil
		}
	}
	switch {
	case p.ahead.isTextLiteral():
		p.advanceToken()
	case (p.isKeyword(kwTimestamp) || p.isKeyword(kwTime)) && (p.ahead.kw == kwWith || p.ahead.kw == kwWithout):
		t, err := p.parseTypeName()
		if err != nil {
			return nil, err
		}
		if x.Type = t.Name; x.Type == "timetz" {
			return nil, newUnsupportedError(x.Position, "a time with a zone is not supported", "")
		}
		if !p.tok.isTextLiteral() {
			return nil, p.expectedError("a text literal after the type")
		}
	default:
		return nil, nil
	}
	value, err := p.parseTextLiteral()
	if err != nil {
		return nil, err
	}
	x.Value = value.(*String).Value
	return x, nil
}

// timestampTypeWithOtherName returns the type of the current word where that is TIMESTAMP_NTZ or the like; "" for any other.
func (p *parser) timestampTypeWithOtherName() string {
	if p.tok.kind != tokWord || !p.ahead.isTextLiteral() {
		return ""
	}
	if name := typeNamesByAlias[lowerASCII(p.tokenText(p.tok))]; name == "timestamp" || name == "timestamptz" {
		return name
	}
	return ""
}

// parseInterval reads INTERVAL '3 months', INTERVAL '3' MONTH and INTERVAL 3 MONTH.
func (p *parser) parseInterval() (Expr, error) {
	x := &Interval{Position: p.tok.at}
	p.advanceToken()
	switch p.tok.kind {
	case tokLParen:
		return nil, p.unsupportedError("the precision of an interval", "")
	case tokNumber:
		x.Value = p.tokenText(p.tok)
		p.advanceToken()
		if x.Unit = p.currentIntervalUnit(); x.Unit == "" {
			return nil, p.expectedError("a unit of time after the number")
		}
		p.advanceToken()
		return x, nil
	}
	value, err := p.parseTextLiteral()
	if err != nil {
		return nil, err
	}
	x.Value = value.(*String).Value
	if x.Unit = p.currentIntervalUnit(); x.Unit == "" || !p.isIntervalUnitOf(x.Value) {
		x.Unit = ""
		return x, nil
	}
	p.advanceToken()
	switch {
	case p.isKeyword(kwTo):
		return nil, p.unsupportedError("an interval of several units", "write one unit")
	case p.tok.kind == tokLParen:
		return nil, p.unsupportedError("the precision of an interval", "")
	}
	return x, nil
}

// currentIntervalUnit returns the unit that the current word names; "" where it names none.
func (p *parser) currentIntervalUnit() string {
	if p.tok.kind != tokWord {
		return ""
	}
	word := lowerASCII(p.tokenText(p.tok))
	unit, _ := sqlexpr.ParseGrain(strings.TrimSuffix(word, "s"))
	return unit.String()
}

// isIntervalUnitOf reports whether the current word, a unit, belongs to the value before it. A word that
// PostgreSQL does not reserve for this is an alias where the value has its own unit.
func (p *parser) isIntervalUnitOf(value string) bool {
	if _, err := strconv.Atoi(value); err == nil {
		return true
	}
	switch p.tok.kw {
	case kwSecond, kwMinute, kwHour, kwDay, kwMonth, kwYear:
		return true
	}
	return false
}
