package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// primaryTemplate prints a function or aggregate call.
func (w *writer) call(c *sqlexpr.Call, min precedence) {
	if c.Fn == sqlexpr.FnUnknown || c.Fn == sqlexpr.FnOtherAggregate {
		w.unknownCall(c)
		return
	}
	if w.overConditions(c) && w.boolAggregate(c, min) {
		return
	}
	if c.Star {
		w.text("COUNT(*)")
		return
	}
	f := w.d.calls.find(c)
	switch {
	case f == nil:
		w.unsupported(callName(c))
	case f.emit != nil:
		f.emit(w, c, min)
	default:
		w.render(&f.template, min, c.Args...)
	}
}

// overConditions reports whether c is MIN or MAX of conditions.
func (w *writer) overConditions(c *sqlexpr.Call) bool {
	return (c.Fn == sqlexpr.FnMin || c.Fn == sqlexpr.FnMax) && len(c.Args) == 1 && w.typeOf(c.Args[0]) == sqlexpr.TypeBool
}

// boolAggregate prints MIN or MAX over a condition where the engine has other
// functions for that.
func (w *writer) boolAggregate(c *sqlexpr.Call, min precedence) bool {
	f := &w.d.ops.boolMax
	if c.Fn == sqlexpr.FnMin {
		f = &w.d.ops.boolMin
	}
	if f.isAbsent() {
		return false
	}
	w.render(f, min, c.Args[0])
	return true
}

// unknownCall prints a function outside the table by the model's own name for
// it: the author of the model chose the engine.
func (w *writer) unknownCall(c *sqlexpr.Call) {
	if c.Dialect != "" && w.rejectOtherDialect(c.Dialect, "the function "+c.Name.Text) {
		return
	}
	if c.Name.Quoted || !isUnquotedName(c.Name.Text) {
		w.quoted(c.Name.Text)
	} else {
		w.text(c.Name.Text)
	}
	w.byte('(')
	if c.Distinct {
		w.text("DISTINCT ")
	}
	if c.Star {
		w.byte('*')
	}
	w.list(c.Args)
	w.byte(')')
}

func callName(c *sqlexpr.Call) string {
	if name := sqlexpr.InfoOf(c.Fn).Name; name != "" {
		return name
	}
	return "a function"
}
