package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// callTemplatesByFunc holds the spellings of each function. A function may have one per
// number of arguments; none at all means that the dialect lacks it.
type callTemplatesByFunc [sqlexpr.FnIf + 1][]callTemplate

// callTemplate is one spelling: a template, or code where a template does not suffice.
type callTemplate struct {
	args     int // number of arguments; -1: any
	template template
	emit     func(w *writer, c *sqlexpr.Call, min precedence)
}

// newCallTemplates reads templates of functions, each for its own number of arguments.
func newCallTemplates(forms ...template) []callTemplate {
	out := make([]callTemplate, len(forms))
	for i, f := range forms {
		out[i] = callTemplate{args: f.argumentCount(), template: f}
	}
	return out
}

func (f *template) argumentCount() int {
	n := 0
	for _, s := range f.segs {
		n = max(n, int(s.arg))
	}
	return n
}

// callTemplatesOfPrintFunc makes a spelling of a function that prints itself.
func callTemplatesOfPrintFunc(args int, emit func(w *writer, c *sqlexpr.Call, min precedence)) []callTemplate {
	return []callTemplate{{args: args, emit: emit}}
}

// withChangedCalls returns a copy of the table in which some functions are spelled
// otherwise.
func (t *callTemplatesByFunc) withChangedCalls(changes map[sqlexpr.Func][]callTemplate) *callTemplatesByFunc {
	c := *t
	for fn, f := range changes {
		c[fn] = f
	}
	return &c
}

func (t *callTemplatesByFunc) findCallTemplate(c *sqlexpr.Call) *callTemplate {
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
