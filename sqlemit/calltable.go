package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// callTable holds the spellings of each function. A function may have one per
// number of arguments; none at all means that the dialect lacks it.
type callTable [sqlexpr.FnIf + 1][]callForm

// callForm is one spelling: a form, or code where a form does not suffice.
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
