package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// aggregate prints NAME([DISTINCT ]args).
func aggregate(name string, args int) []callTemplate {
	return aggregateOf(name, args, func(w *writer, x sqlexpr.Expr) { w.expr(x, precAny) })
}

// aggregateOfDouble is aggregate over arguments cast to double: AVG and the
// other statistical aggregates are doubles for arguments of every type.
func aggregateOfDouble(name string, args int) []callTemplate {
	return aggregateOf(name, args, (*writer).castToDouble)
}

func aggregateOf(name string, args int, arg func(w *writer, x sqlexpr.Expr)) []callTemplate {
	return customCallTemplates(args, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.text(name)
		w.byte('(')
		if c.Distinct {
			w.text("DISTINCT ")
		}
		for i, x := range c.Args {
			if i > 0 {
				w.text(", ")
			}
			arg(w, x)
		}
		w.byte(')')
	})
}

// castToDouble prints x as a double.
func (w *writer) castToDouble(x sqlexpr.Expr) {
	if w.typeOf(x) == sqlexpr.TypeFloat {
		w.expr(x, precAny)
		return
	}
	w.d.types.cast(w, castTo(x, sqlexpr.TypeFloat), precAny)
}

// variadicCall prints NAME(args…).
func variadicCall(name string) []callTemplate { return aggregate(name, -1) }

// partCall is YEAR(x) and the like.
func partCall(p calendarPart) []callTemplate {
	return customCallTemplates(1, func(w *writer, c *sqlexpr.Call, min precedence) { w.part(p, c.Args[0], min) })
}

// castCall prints a conversion function as the cast it is.
func castCall(t sqlexpr.Type) []callTemplate {
	return customCallTemplates(1, func(w *writer, c *sqlexpr.Call, min precedence) {
		w.d.types.cast(w, castTo(c.Args[0], t), min)
	})
}

// modCall prints MOD(a, b) as a % b.
func (w *writer) modCall(c *sqlexpr.Call, min precedence) {
	w.modulo(c.Args[0], c.Args[1], min)
}

// coalesce prints COALESCE; some engines refuse it for a single argument.
func coalesce(w *writer, c *sqlexpr.Call, min precedence) {
	if len(c.Args) == 1 {
		w.expr(c.Args[0], min)
		return
	}
	w.text("COALESCE(")
	w.list(c.Args)
	w.byte(')')
}

// leftOrRightCall prints LEFT or RIGHT. A negative length means "all but" to some engines
// and nothing to others; here it cuts to nothing.
func leftOrRightCall(name string) []callTemplate {
	return customCallTemplates(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.text(name)
		w.byte('(')
		w.expr(c.Args[0], precAny)
		w.text(", ")
		if _, ok := c.Args[1].(*sqlexpr.Number); ok {
			w.expr(c.Args[1], precAny)
		} else {
			w.text("GREATEST(")
			w.expr(c.Args[1], precAny)
			w.text(", 0)")
		}
		w.byte(')')
	})
}

// singleArgument prints the only argument in place of a function that wants two.
func singleArgument(f []callTemplate) []callTemplate {
	return append(customCallTemplates(1, func(w *writer, c *sqlexpr.Call, min precedence) { w.expr(c.Args[0], min) }), f...)
}

// concatTexts prints CONCAT with || where that is all there is: each argument
// as text, and nothing for a NULL.
var concatTexts = customCallTemplates(-1, func(w *writer, c *sqlexpr.Call, min precedence) {
	p := w.openParen(precConcat, min)
	for i, x := range c.Args {
		if i > 0 {
			w.text(" || ")
		}
		if isLiteral(x) {
			w.castToText(x)
			continue
		}
		w.text("COALESCE(")
		w.castToText(x)
		w.text(", '')")
	}
	w.closeParen(p)
})

// concatWS skips nulls, which CONCAT does not.
func concatWS(w *writer, c *sqlexpr.Call, _ precedence) {
	w.text("CONCAT_WS(''")
	for _, x := range c.Args {
		w.text(", ")
		w.expr(x, precAny)
	}
	w.byte(')')
}

// greatestOrLeastCall prints GREATEST or LEAST so that nulls are skipped: each argument
// that is NULL gives way to another one.
func greatestOrLeastCall(name string) []callTemplate {
	return customCallTemplates(-1, func(w *writer, c *sqlexpr.Call, min precedence) {
		if len(c.Args) == 1 {
			w.expr(c.Args[0], min)
			return
		}
		w.text(name)
		w.byte('(')
		for i, x := range c.Args {
			if i > 0 {
				w.text(", ")
			}
			if isLiteral(x) {
				w.expr(x, precAny)
				continue
			}
			w.text("COALESCE(")
			w.expr(x, precAny)
			for j := range len(c.Args) - 1 {
				w.text(", ")
				w.expr(c.Args[(i+j+1)%len(c.Args)], precAny)
			}
			w.byte(')')
		}
		w.byte(')')
	})
}

// windowOverZeroOne prints MIN and MAX of conditions over 1 and 0, where boolMin and
// boolMax take no frame.
func windowOverZeroOne(w *writer, e *sqlexpr.Over) {
	if !w.overConditions(e.Call) {
		w.plainWindow(e)
		return
	}
	w.byte('(')
	w.windowCall(e, func() {
		w.text(sqlexpr.InfoOf(e.Call.Fn).Name)
		w.byte('(')
		w.render(&numberOfBool, precAny, e.Call.Args[0])
		w.byte(')')
	})
	w.text(" = 1)")
}
