package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// printCall prints a function or aggregate call.
func (w *writer) printCall(c *sqlexpr.Call, min precedence) {
	if c.Fn == sqlexpr.FnUnknown || c.Fn == sqlexpr.FnOtherAggregate {
		w.printUnknownCall(c)
		return
	}
	if w.isMinMaxOrAnyValueOfConditions(c) && w.printBoolAggregate(c, min) {
		return
	}
	if c.Star {
		w.appendText("COUNT(*)")
		return
	}
	f := w.d.calls.findCallTemplate(c)
	switch {
	case f == nil && len(w.d.calls[c.Fn]) == 0 && sqlexpr.InfoOfFunction(c.Fn).Class == sqlexpr.ClassScalar:
		w.recordUnsupportedFunction(c.Fn)
	case f == nil:
		w.recordNotImplemented(callNameForError(c))
	case f.emit != nil:
		f.emit(w, c, min)
	default:
		w.printTemplate(&f.template, min, c.Args...)
	}
}

// isMinMaxOrAnyValueOfConditions reports whether c is MIN, MAX or ANY_VALUE of conditions.
func (w *writer) isMinMaxOrAnyValueOfConditions(c *sqlexpr.Call) bool {
	return isMinMaxOrAnyValue(c) && w.typeOf(c.Args[0]) == sqlexpr.TypeBool
}

// isMinMaxOrAnyValue reports whether c is MIN, MAX or ANY_VALUE, which is the least value.
func isMinMaxOrAnyValue(c *sqlexpr.Call) bool {
	return (c.Fn == sqlexpr.FnMin || c.Fn == sqlexpr.FnMax || c.Fn == sqlexpr.FnAnyValue) && len(c.Args) == 1
}

// printBoolAggregate prints MIN, MAX or ANY_VALUE over a condition where the engine has other
// functions for that. It reports false for any other call.
func (w *writer) printBoolAggregate(c *sqlexpr.Call, min precedence) bool {
	f := &w.d.ops.boolMax
	switch c.Fn {
	case sqlexpr.FnMin, sqlexpr.FnAnyValue:
		f = &w.d.ops.boolMin
	case sqlexpr.FnMax:
	default:
		return false
	}
	if f.isEmpty() {
		return false
	}
	w.printTemplate(f, min, c.Args[0])
	return true
}

// printUnknownCall prints a function outside the table by the model's own name for
// it: the author of the model chose the engine.
func (w *writer) printUnknownCall(c *sqlexpr.Call) {
	if c.Dialect != "" && w.refuseOtherDialectText(c.Dialect, "the function "+c.Name.Text) {
		return
	}
	if c.Name.Quoted || !canAlwaysBeUnquoted(c.Name.Text) {
		w.printQuotedName(c.Name.Text)
	} else {
		w.appendText(c.Name.Text)
	}
	w.appendByte('(')
	if c.Distinct {
		w.appendText("DISTINCT ")
	}
	if c.Star {
		w.appendByte('*')
	}
	w.printExprList(c.Args)
	w.appendByte(')')
}

func callNameForError(c *sqlexpr.Call) string {
	if name := sqlexpr.InfoOfFunction(c.Fn).Name; name != "" {
		return name
	}
	return "a function"
}
