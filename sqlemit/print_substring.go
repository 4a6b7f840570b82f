package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// standardSubstringTemplates prints SUBSTRING with the semantics of the standard: positions before the
// first exist and are empty, so that SUBSTRING('Hello', 0, 3) is 'He'. Engines count
// them from the end, reject them or give nothing, so none is left in the call.
func standardSubstringTemplates(name string) []callTemplate {
	from, part := parseTemplate(name+"($1, $2)"), parseTemplate(name+"($1, $2, $3)")
	return []callTemplate{
		{args: 2, emit: func(w *writer, c *sqlexpr.Call, min precedence) {
			w.printTemplate(&from, min, c.Args[0], clampedSubstringStart(c.Args[1]))
		}},
		{args: 3, emit: func(w *writer, c *sqlexpr.Call, min precedence) {
			w.printTemplate(&part, min, c.Args[0], clampedSubstringStart(c.Args[1]), substringLengthFromFirstPosition(c.Args[1], c.Args[2]))
		}},
	}
}

// clampedSubstringStart returns the position at which a substring that starts at a position really starts.
func clampedSubstringStart(start sqlexpr.Expr) sqlexpr.Expr {
	n, known := parseIntegerLiteral(start)
	switch {
	case known && n < 1:
		return newIntegerConstant(1)
	case known || isPositivePosition(start):
		return start
	}
	return &sqlexpr.Case{
		Whens: []sqlexpr.When{{Cond: newBinary(sqlexpr.OpLt, start, newIntegerConstant(1)), Then: newIntegerConstant(1)}},
		Else:  start,
	}
}

// substringLengthFromFirstPosition is how much of the length lies after the positions before the
// first.
func substringLengthFromFirstPosition(start, length sqlexpr.Expr) sqlexpr.Expr {
	n, known := parseIntegerLiteral(start)
	if known && n >= 1 || isPositivePosition(start) {
		return length
	}
	if l, ok := parseIntegerLiteral(length); ok && known {
		return newIntegerConstant(max(n+l-1, 0))
	}
	// The position after the substring. A NULL stays one: it is neither.
	var end sqlexpr.Expr
	if known {
		end = newBinary(sqlexpr.OpSub, length, newIntegerConstant(1-n))
	} else {
		end = newBinary(sqlexpr.OpSub, newBinary(sqlexpr.OpAdd, start, length), newIntegerConstant(1))
	}
	whens := []sqlexpr.When{
		{Cond: newBinary(sqlexpr.OpGt, end, newIntegerConstant(0)), Then: end},
		{Cond: newBinary(sqlexpr.OpLe, end, newIntegerConstant(0)), Then: newIntegerConstant(0)},
	}
	if !known {
		whens = append([]sqlexpr.When{{Cond: newBinary(sqlexpr.OpGe, start, newIntegerConstant(1)), Then: length}}, whens...)
	}
	return &sqlexpr.Case{Whens: whens}
}

// isPositivePosition reports whether a position is certainly at least one, such as the position
// after a match.
func isPositivePosition(e sqlexpr.Expr) bool {
	b, ok := e.(*sqlexpr.Binary)
	if !ok || b.Op != sqlexpr.OpAdd {
		return false
	}
	c, ok := b.L.(*sqlexpr.Call)
	n, known := parseIntegerLiteral(b.R)
	return ok && (c.Fn == sqlexpr.FnPosition || c.Fn == sqlexpr.FnLength) && known && n >= 1
}
