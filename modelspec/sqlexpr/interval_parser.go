package sqlexpr

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// parseInterval reads INTERVAL '3' MONTH, INTERVAL '3 months' and INTERVAL 3 MONTH.
// It returns nothing, and consumes nothing, where the word is a name.
func (p *parser) parseInterval() (Expr, error) {
	at := Position(p.tok.pos)
	sign := ""
	switch {
	case p.ahead.kind == tokString, p.ahead.kind == tokNumber:
	case p.ahead.kind == tokMinus && p.isSignedInterval():
		sign = "-"
		p.advanceToken()
	default:
		return nil, nil
	}
	p.advanceToken()
	if p.tok.kind == tokNumber {
		count, ok := dropPlusSignAndLeadingZeros(sign + p.tokenText(p.tok))
		if !ok {
			return nil, p.intervalError()
		}
		p.advanceToken()
		return p.parseIntervalUnit(at, count)
	}
	count, unit, ok := readIntervalText(lexical.Unquote(p.tokenText(p.tok)))
	if !ok {
		return nil, p.intervalError()
	}
	p.advanceToken()
	if unit == "" {
		return p.parseIntervalUnit(at, count)
	}
	return &Interval{Position: at, Count: count, Unit: unit}, nil
}

const expectedUnitText = "a unit such as day or month after the number of the interval"

// isSignedInterval distinguishes INTERVAL -3 MONTH from a name minus a number.
func (p *parser) isSignedInterval() bool {
	sc := p.sc
	number, unit := sc.nextToken(), sc.nextToken()
	return number.kind == tokNumber && unit.kind == tokWord && isIntervalUnit(p.tokenText(unit))
}

func (p *parser) parseIntervalUnit(at Position, count string) (Expr, error) {
	if p.tok.kind == tokWord {
		if unit, ok := intervalUnitOfSpelling(p.tokenText(p.tok)); ok {
			p.advanceToken()
			return &Interval{Position: at, Count: count, Unit: unit}, nil
		}
	}
	return nil, p.expectedErrorWithHint(expectedUnitText, "the units are "+intervalUnitsText)
}

func (p *parser) intervalError() error {
	return p.problemError(intervalProblem(p.tok.pos, p.tokenText(p.tok)))
}

func intervalProblem(at int, literal string) *problem {
	return &problem{at: at, text: lexical.ShortenForMessage(literal) + " is not an interval of one integer and one unit", hint: "write INTERVAL '3' MONTH"}
}

// readIntervalText reads "3", with the unit "", and "3 months".
func readIntervalText(text string) (count, unit string, ok bool) {
	number, unit := splitNumberAndUnit(text)
	if count, ok = dropPlusSignAndLeadingZeros(number); !ok || unit == "" {
		return count, unit, ok
	}
	unit, ok = intervalUnitOfSpelling(unit)
	return count, unit, ok
}

// splitNumberAndUnit cuts "3 months" into its number and its unit.
func splitNumberAndUnit(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	i := 0
	for i < len(s) && (lexical.IsDigit(s[i]) || s[i] == '-' || s[i] == '+') {
		i++
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// dropPlusSignAndLeadingZeros writes an integer without plus sign and leading zeros. Nine
// digits are more than any calendar holds and fit every engine's integer.
func dropPlusSignAndLeadingZeros(s string) (string, bool) {
	sign := ""
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = "-", s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if !allDigits(s) {
		return "", false
	}
	if s = strings.TrimLeft(s, "0"); s == "" {
		return "0", true
	}
	return sign + s, len(s) <= 9
}
