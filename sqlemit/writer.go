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
	// lastQuotedAt is where the last quoted name begins.
	lastQuotedAt int
	memory       *reusableStatementBuffers
	depth        int
	// scope gives sqlexpr.Ref its meaning at the place being printed.
	scope *columnScope
	types operatorTypeCache
	// names are the table aliases taken so far, and renamed those that are printed
	// otherwise.
	names   *nameSet
	renamed map[string]string
	// derived are the blocks of the plan's derived tables.
	derived map[*plan.Derived]*selectBlock
	// derivedColumns are those of a dialect that inspects them.
	derivedColumns derivedColumns
	common         []commonTable
	scans          []*plan.Scan // of the plan
	collected      []plan.Node  // inputs of shared derived tables whose tables and aliases are collected
	err            *Error
	// contextErr returns the error of the context of printing, which is checked every
	// contextCheckInterval expressions; endErr holds that error once the context has
	// ended, and err is then set too.
	contextErr    func() error
	endErr        error
	contextChecks int
}

// contextCheckInterval is the number of expressions printed between two checks of the context.
const contextCheckInterval = 64

func (w *writer) appendText(s string) { w.buf = append(w.buf, s...) }

func (w *writer) appendByte(c byte) { w.buf = append(w.buf, c) }

// recordError records the first error.
func (w *writer) recordError(code, message string) {
	if w.err == nil {
		w.err = &Error{Code: code, Dialect: w.d.name, Message: message}
	}
}

func (w *writer) recordNotImplemented(what string) {
	w.recordError(CodeNotImplemented, what+" cannot be expressed in this dialect")
}

// recordUnsupportedFunction records a scalar function that the dialect lacks.
func (w *writer) recordUnsupportedFunction(fn sqlexpr.Func) {
	if w.err == nil {
		w.recordError(CodeUnsupportedFunction, sqlexpr.InfoOfFunction(fn).Name+" does not exist in this dialect")
		w.err.Function = fn
	}
}

func (w *writer) recordInternalError(what string) { w.recordError(CodeInternal, what) }

// shouldStopPrinting reports whether printing ends: after an error, beyond the longest text, or
// after the end of the context.
func (w *writer) shouldStopPrinting() bool {
	w.contextChecks++
	return (w.err != nil || len(w.buf) > maxStatementBytes || w.contextChecks%contextCheckInterval == 0) && w.recordErrorIfTooLongOrCanceled()
}

// recordErrorIfTooLongOrCanceled records the error that ends printing, and reports whether there is one.
func (w *writer) recordErrorIfTooLongOrCanceled() bool {
	if w.err == nil && len(w.buf) > maxStatementBytes {
		w.recordError(CodeNotImplemented, "the statement grows beyond 8 MiB")
	}
	if w.err == nil && w.contextChecks%contextCheckInterval == 0 {
		if w.endErr = w.contextErr(); w.endErr != nil {
			w.recordError(CodeInternal, "the context of printing ended")
		}
	}
	return w.err != nil
}

// printClauseSpace separates two clauses: a line break in pretty text.
func (w *writer) printClauseSpace() {
	if !w.pretty {
		w.appendByte(' ')
		return
	}
	w.breakPrettyLine()
}

// breakPrettyLine breaks the line in pretty text and does nothing otherwise.
func (w *writer) breakPrettyLine() {
	if !w.pretty {
		return
	}
	w.appendByte('\n')
	for range w.depth {
		w.appendText("  ")
	}
}

// startListItem starts the i-th of a list that has a line for each item in pretty text.
func (w *writer) startListItem(i int) {
	if i > 0 {
		w.appendByte(',')
	}
	w.printClauseSpace()
}

// openSubqueryParenthesis and closeSubqueryParenthesis bracket a subquery.
func (w *writer) openSubqueryParenthesis() {
	w.appendByte('(')
	w.depth++
	w.breakPrettyLine()
}

func (w *writer) closeSubqueryParenthesis() {
	w.depth--
	w.breakPrettyLine()
	w.appendByte(')')
}

// openParenIfNeeded opens a parenthesis where an expression of precedence p is in a
// place that needs at least min; closeOpenedParen closes it.
func (w *writer) openParenIfNeeded(p, min precedence) (opened bool) {
	if p < min {
		w.appendByte('(')
		return true
	}
	return false
}

func (w *writer) closeOpenedParen(opened bool) {
	if opened {
		w.appendByte(')')
	}
}

// printExprList prints expressions separated by commas.
func (w *writer) printExprList(xs []sqlexpr.Expr) {
	for i, x := range xs {
		if i > 0 {
			w.appendText(", ")
		}
		w.printExpr(x, precAny)
	}
}
