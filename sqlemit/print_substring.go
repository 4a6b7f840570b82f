package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// substring prints SUBSTRING with the semantics of the standard: positions before the
// first exist and are empty, so that SUBSTRING('Hello', 0, 3) is 'He'. Engines count
// them from the end, refuse them or give nothing, so none is left in the call.
func substring(name string) []callTemplate {
	from, part := call(name+"($1, $2)"), call(name+"($1, $2, $3)")
	return []callTemplate{
		{args: 2, emit: func(w *writer, c *sqlexpr.Call, min prec) {
			w.render(&from, min, c.Args[0], firstPosition(c.Args[1]))
		}},
		{args: 3, emit: func(w *writer, c *sqlexpr.Call, min prec) {
			w.render(&part, min, c.Args[0], firstPosition(c.Args[1]), lengthFrom(c.Args[1], c.Args[2]))
		}},
	}
}

// firstPosition is where a substring that starts at a position really starts.
func firstPosition(start sqlexpr.Expr) sqlexpr.Expr {
	n, known := wholeNumber(start)
	switch {
	case known && n < 1:
		return whole(1)
	case known || isPositive(start):
		return start
	}
	return &sqlexpr.Case{
		Whens: []sqlexpr.When{{Cond: binary(sqlexpr.OpLt, start, whole(1)), Then: whole(1)}},
		Else:  start,
	}
}

// lengthFrom is how much of the length lies behind the positions before the
// first.
func lengthFrom(start, length sqlexpr.Expr) sqlexpr.Expr {
	n, known := wholeNumber(start)
	if known && n >= 1 || isPositive(start) {
		return length
	}
	if l, ok := wholeNumber(length); ok && known {
		return whole(max(n+l-1, 0))
	}
	// The position behind the substring. A NULL stays one: it is neither.
	var end sqlexpr.Expr
	if known {
		end = binary(sqlexpr.OpSub, length, whole(1-n))
	} else {
		end = binary(sqlexpr.OpSub, binary(sqlexpr.OpAdd, start, length), whole(1))
	}
	whens := []sqlexpr.When{
		{Cond: binary(sqlexpr.OpGt, end, whole(0)), Then: end},
		{Cond: binary(sqlexpr.OpLe, end, whole(0)), Then: whole(0)},
	}
	if !known {
		whens = append([]sqlexpr.When{{Cond: binary(sqlexpr.OpGe, start, whole(1)), Then: length}}, whens...)
	}
	return &sqlexpr.Case{Whens: whens}
}

// isPositive reports whether a position is certainly at least one, such as the position
// after a match.
func isPositive(e sqlexpr.Expr) bool {
	b, ok := e.(*sqlexpr.Binary)
	if !ok || b.Op != sqlexpr.OpAdd {
		return false
	}
	c, ok := b.L.(*sqlexpr.Call)
	n, known := wholeNumber(b.R)
	return ok && (c.Fn == sqlexpr.FnPosition || c.Fn == sqlexpr.FnLength) && known && n >= 1
}
