package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// writer appends the text of one statement. The first error sticks and turns
// everything after it into a no-op, so callers check once, at the end.
type writer struct {
	d      *Dialect
	pretty bool
	buf    []byte
	depth  int
	// scope gives sqlexpr.Ref its meaning at the place being printed.
	scope *columnScope
	types chainTypes
	// names are the table aliases taken so far, and renamed those that are printed
	// otherwise.
	names   *nameSet
	renamed map[string]string
	// derived are the blocks of the plan's derived tables.
	derived map[*plan.Derived]*selectBlock
	err     *Error
	// contextErr returns the error of the context of printing, which is checked every
	// contextCheckInterval expressions; endErr holds that error once the context has
	// ended, and err is then set too.
	contextErr    func() error
	endErr        error
	contextChecks int
}

// contextCheckInterval is the number of expressions printed between two checks of the context.
const contextCheckInterval = 64

func (w *writer) text(s string) { w.buf = append(w.buf, s...) }

func (w *writer) byte(c byte) { w.buf = append(w.buf, c) }

// fail records the first error.
func (w *writer) fail(code, message string) {
	if w.err == nil {
		w.err = &Error{Code: code, Dialect: w.d.name, Message: message}
	}
}

func (w *writer) unsupported(what string) {
	w.fail(CodeNotImplemented, what+" cannot be expressed in this dialect")
}

func (w *writer) invalid(what string) { w.fail(CodeInternal, what) }

// shouldStop reports whether printing ends: after an error, beyond the longest text, or
// after the end of the context.
func (w *writer) shouldStop() bool {
	if w.err == nil && len(w.buf) > maxText {
		w.fail(CodeNotImplemented, "the statement grows beyond 8 MiB")
	}
	if w.contextChecks++; w.err == nil && w.contextChecks%contextCheckInterval == 0 {
		if w.endErr = w.contextErr(); w.endErr != nil {
			w.fail(CodeInternal, "the context of printing ended")
		}
	}
	return w.err != nil
}

// space separates two clauses: a line break in pretty text.
func (w *writer) space() {
	if !w.pretty {
		w.byte(' ')
		return
	}
	w.newLine()
}

// newLine breaks the line in pretty text and does nothing otherwise.
func (w *writer) newLine() {
	if !w.pretty {
		return
	}
	w.byte('\n')
	for range w.depth {
		w.text("  ")
	}
}

// startItem starts the i-th of a list that has a line for each item in pretty text.
func (w *writer) startItem(i int) {
	if i > 0 {
		w.byte(',')
	}
	w.space()
}

// openSubquery and closeSubquery bracket a subquery.
func (w *writer) openSubquery() {
	w.byte('(')
	w.depth++
	w.newLine()
}

func (w *writer) closeSubquery() {
	w.depth--
	w.newLine()
	w.byte(')')
}

// openParen opens a parenthesis where an expression of precedence p is in a
// place that needs at least min; closeParen closes it.
func (w *writer) openParen(p, min precedence) (opened bool) {
	if p < min {
		w.byte('(')
		return true
	}
	return false
}

func (w *writer) closeParen(opened bool) {
	if opened {
		w.byte(')')
	}
}

// list prints expressions separated by commas.
func (w *writer) list(xs []sqlexpr.Expr) {
	for i, x := range xs {
		if i > 0 {
			w.text(", ")
		}
		w.expr(x, precAny)
	}
}
