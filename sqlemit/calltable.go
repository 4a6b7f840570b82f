package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// callTable holds the spellings of each function. A function may have one per
// number of arguments; none at all means that the dialect lacks it.
type callTable [sqlexpr.FnIf + 1][]callForm

// callForm is one spelling: a form, or code where a form cannot say it.
type callForm struct {
	args int // number of arguments; -1: any
	form form
	emit func(w *writer, c *sqlexpr.Call, min prec)
}

// spelled reads templates of functions, each for its own number of arguments.
func spelled(forms ...form) []callForm {
	out := make([]callForm, len(forms))
	for i, f := range forms {
		out[i] = callForm{args: f.arity(), form: f}
	}
	return out
}

func (f *form) arity() int {
	n := 0
	for _, s := range f.segs {
		n = max(n, int(s.arg))
	}
	return n
}

// code makes a spelling of a function that prints itself.
func code(args int, emit func(w *writer, c *sqlexpr.Call, min prec)) []callForm {
	return []callForm{{args: args, emit: emit}}
}

// with returns a copy of the table in which some functions are spelled
// otherwise.
func (t *callTable) with(changes map[sqlexpr.Func][]callForm) *callTable {
	c := *t
	for fn, f := range changes {
		c[fn] = f
	}
	return &c
}

func (t *callTable) find(c *sqlexpr.Call) *callForm {
	if int(c.Fn) >= len(t) {
		return nil
	}
	alternatives := t[c.Fn]
	for i := range alternatives {
		if a := &alternatives[i]; a.args == len(c.Args) || a.args < 0 {
			return a
		}
	}
	return nil
}

// call prints a function or aggregate call.
func (w *writer) call(c *sqlexpr.Call, min prec) {
	if c.Fn == sqlexpr.FnUnknown || c.Fn == sqlexpr.FnOtherAggregate {
		w.passThrough(c)
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
		w.fill(&f.form, min, c.Args...)
	}
}

// overConditions reports whether c is MIN or MAX of conditions.
func (w *writer) overConditions(c *sqlexpr.Call) bool {
	return (c.Fn == sqlexpr.FnMin || c.Fn == sqlexpr.FnMax) && len(c.Args) == 1 && w.typeOf(c.Args[0]) == sqlexpr.TypeBool
}

// conditionsByNumber prints MIN or MAX over 1 and 0 in the place of conditions.
func (w *writer) conditionsByNumber(c *sqlexpr.Call) {
	w.text(sqlexpr.InfoOf(c.Fn).Name)
	w.byte('(')
	w.fill(&numberOfBool, precAny, c.Args[0])
	w.byte(')')
}

// boolAggregate prints MIN or MAX over a condition where the engine has other
// functions for that.
func (w *writer) boolAggregate(c *sqlexpr.Call, min prec) bool {
	f := &w.d.ops.boolMax
	if c.Fn == sqlexpr.FnMin {
		f = &w.d.ops.boolMin
	}
	if f.absent() {
		return false
	}
	w.fill(f, min, c.Args[0])
	return true
}

// passThrough prints a function outside the table by the model's own name for
// it: the author of the model chose the engine.
func (w *writer) passThrough(c *sqlexpr.Call) {
	if c.Dialect != "" && w.foreign(c.Dialect, "the function "+c.Name.Text) {
		return
	}
	if c.Name.Quoted || !isPlain(c.Name.Text) {
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

// aggregate prints NAME([DISTINCT ]args).
func aggregate(name string, args int) []callForm {
	return code(args, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.text(name)
		w.byte('(')
		if c.Distinct {
			w.text("DISTINCT ")
		}
		w.list(c.Args)
		w.byte(')')
	})
}

// aggregateOfDouble is aggregate over arguments cast to double: AVG and its kin
// are doubles, whatever they are taken of.
func aggregateOfDouble(name string, args int) []callForm {
	return code(args, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.text(name)
		w.byte('(')
		if c.Distinct {
			w.text("DISTINCT ")
		}
		for i, x := range c.Args {
			if i > 0 {
				w.text(", ")
			}
			w.double(x)
		}
		w.byte(')')
	})
}

// double prints x as a double.
func (w *writer) double(x sqlexpr.Expr) {
	if w.typeOf(x) == sqlexpr.TypeFloat {
		w.expr(x, precAny)
		return
	}
	c := sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeFloat}}
	w.d.types.cast(w, &c, precAny)
}

// variadic prints NAME(args…).
func variadic(name string) []callForm { return aggregate(name, -1) }
