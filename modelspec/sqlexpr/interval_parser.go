package sqlexpr

import "strings"

// interval reads INTERVAL '3' MONTH, INTERVAL '3 months' and INTERVAL 3 MONTH.
// It returns nothing, and consumes nothing, where the word is a name.
func (p *parser) interval() (Expr, error) {
	at := At(p.tok.pos)
	sign := ""
	switch {
	case p.ahead.kind == tokString, p.ahead.kind == tokNumber:
	case p.ahead.kind == tokMinus && p.signedInterval():
		sign = "-"
		p.advance()
	default:
		return nil, nil
	}
	p.advance()
	if p.tok.kind == tokNumber {
		count, ok := normalCount(sign + p.text(p.tok))
		if !ok {
			return nil, p.intervalError()
		}
		p.advance()
		return p.intervalUnit(at, count)
	}
	number, unit := splitInterval(unquote(p.text(p.tok)))
	count, ok := normalCount(number)
	if !ok {
		return nil, p.intervalError()
	}
	if unit == "" {
		p.advance()
		return p.intervalUnit(at, count)
	}
	if unit, ok = unitOf(unit); !ok {
		return nil, p.intervalError()
	}
	p.advance()
	return &Interval{At: at, Count: count, Unit: unit}, nil
}

// signedInterval distinguishes INTERVAL -3 MONTH from a name minus a number.
func (p *parser) signedInterval() bool {
	sc := p.sc
	number, unit := sc.next(), sc.next()
	return number.kind == tokNumber && unit.kind == tokWord && isIntervalUnit(p.text(unit))
}

func (p *parser) intervalUnit(at At, count string) (Expr, error) {
	if p.tok.kind == tokWord {
		if unit, ok := unitOf(p.text(p.tok)); ok {
			p.advance()
			return &Interval{At: at, Count: count, Unit: unit}, nil
		}
	}
	return nil, p.expectedHint("a unit such as day or month after the number of the interval", "the units are "+unitList)
}

func (p *parser) intervalError() error {
	return p.problem(p.tok.pos, shorten(p.text(p.tok))+" is not an interval of one integer and one unit", "write INTERVAL '3' MONTH")
}

// splitInterval cuts "3 months" into its number and its unit.
func splitInterval(s string) (number, unit string) {
	s = strings.TrimSpace(s)
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '-' || s[i] == '+') {
		i++
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// normalCount writes an integer without plus sign and leading zeros. Nine
// digits are more than any calendar holds and fit every engine's integer.
func normalCount(s string) (string, bool) {
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
