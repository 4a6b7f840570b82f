package parse

import (
	"slices"
	"strings"
)

// The language lacks three functions of PostgreSQL about times. The statement that has another expression in the place of one is the retry
// of its error.

// makeIntervalUnits are the arguments of make_interval in their order.
var makeIntervalUnits = [...]string{"years", "months", "weeks", "days", "hours", "mins", "secs"}

// parseMakeInterval reads make_interval with one number that is not 0, which is INTERVAL 'n unit'.
func (p *parser) parseMakeInterval() (Expr, error) {
	const hint = "write INTERVAL '3 days'"
	c := p.parseCallStart()
	p.noteRewriteAt(c.Position, "the function make_interval", hint)
	refused := newUnsupportedError(c.Position, "the function make_interval is not supported", hint)
	var out *Interval
	for place := 0; ; place++ {
		unit := ""
		switch {
		case p.tok.isName() && (p.ahead.kind == tokNamedArgumentArrow || p.ahead.kind == tokAssign):
			unit = lowerASCII(p.tokenText(p.tok))
			p.advanceToken()
			p.advanceToken()
		case place < len(makeIntervalUnits):
			unit = makeIntervalUnits[place]
		}
		number := p.tokenText(p.tok)
		if p.tok.kind != tokNumber || !slices.Contains(makeIntervalUnits[:], unit) || strings.Trim(number, "0123456789") != "" {
			return nil, refused
		}
		p.advanceToken()
		if strings.Trim(number, "0") != "" {
			if out != nil {
				return nil, refused // of several units
			}
			out = &Interval{Position: c.Position, Value: number + " " + longUnit(unit)}
		}
		if p.tok.kind != tokComma {
			break
		}
		p.advanceToken()
	}
	if p.tok.kind != tokRParen || out == nil {
		return nil, refused
	}
	p.advanceToken()
	return out, nil
}

// longUnit returns the name of a unit of make_interval in an interval.
func longUnit(unit string) string {
	switch unit {
	case "mins":
		return "minutes"
	case "secs":
		return "seconds"
	}
	return unit
}

// rewriteTimeCall returns what replaces a call of age or date_bin; any other expression is returned as it is.
func (p *parser) rewriteTimeCall(x Expr) Expr {
	c, ok := x.(*Call)
	if !ok || c.Function.Quoted || c.Distinct || c.Filter != nil || c.Over != nil || len(c.OrderBy)+len(c.WithinGroup) > 0 {
		return x
	}
	day := &String{Position: c.Position, Value: "day"}
	hint, out := "DATEDIFF counts days between two times", (*Call)(nil)
	switch {
	case c.Function.Text == "age" && len(c.Arguments) == 1:
		out = newRewrittenCall(c, "datediff", day, c.Arguments[0], &SessionValue{Position: c.Position, Word: "current_date"})
	case c.Function.Text == "age" && len(c.Arguments) == 2:
		out = newRewrittenCall(c, "datediff", day, c.Arguments[1], c.Arguments[0])
	case c.Function.Text == "date_bin" && len(c.Arguments) == 3:
		if unit := strideUnit(c.Arguments[0]); unit != "" && isMidnight(c.Arguments[2]) {
			hint, out = "DATE_TRUNC makes buckets of a unit", newRewrittenCall(c, "date_trunc", &String{Position: c.Position, Value: unit}, c.Arguments[1])
		}
	}
	if out == nil || p.takesCatalogueOnly() {
		return x
	}
	p.noteRewriteAt(c.Position, "the function "+c.Function.Text, hint)
	return out
}

func newRewrittenCall(c *Call, name string, arguments ...Expr) *Call {
	return &Call{Position: c.Position, Function: Name{Text: name}, Arguments: arguments}
}

// strideUnit returns the unit of a stride of one second, minute, hour or day; "" for any other, which DATE_TRUNC has not.
func strideUnit(x Expr) string {
	text, unit := "", ""
	switch x := x.(type) {
	case *String:
		text = x.Value
	case *Interval:
		text, unit = x.Value, x.Unit
	}
	words := strings.Fields(text + " " + unit)
	if len(words) != 2 || words[0] != "1" {
		return ""
	}
	switch unit = strings.TrimSuffix(lowerASCII(words[1]), "s"); unit {
	case "second", "minute", "hour", "day":
		return unit
	}
	return ""
}

// isMidnight reports whether an expression is a constant that begins a day.
func isMidnight(x Expr) bool {
	text := ""
	switch x := x.(type) {
	case *String:
		text = x.Value
	case *TimeLiteral:
		text = x.Value
	case *Cast:
		return isMidnight(x.X)
	}
	day, clock, timed := strings.Cut(text, " ")
	return len(day) == len("2024-01-05") && (!timed || strings.Trim(clock, "0:") == "")
}
