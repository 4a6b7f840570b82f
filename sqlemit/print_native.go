package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// rejectOtherDialect refuses what the model wrote in the spelling of another dialect, where
// the same text may mean something else.
func (w *writer) rejectOtherDialect(dialect, what string) bool {
	if w.d.isNamed(dialect) {
		return false
	}
	w.unsupported(what + ", which the model wrote for " + dialect + ",")
	return true
}

func (w *writer) nativeCast(e *sqlexpr.NativeCast) {
	if w.rejectOtherDialect(e.Dialect, e.Func) {
		return
	}
	if !isUnquotedName(e.Func) || !isNativeType(e.To) {
		w.invalid("the type of a cast is not one")
		return
	}
	w.text(e.Func)
	w.byte('(')
	w.expr(e.X, precAny)
	w.text(" AS ")
	w.text(e.To)
	w.byte(')')
}

// isNativeType reports whether s holds nothing but words, digits, parentheses,
// commas and angle brackets.
func isNativeType(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c), '0' <= c && c <= '9':
		case c == ' ', c == ',', c == '(', c == ')', c == '<', c == '>':
		default:
			return false
		}
	}
	return s != ""
}

func (w *writer) subscript(e *sqlexpr.Subscript) {
	if w.rejectOtherDialect(e.Dialect, "a subscript") {
		return
	}
	w.subscripted(e.X)
	w.byte('[')
	w.expr(e.Index, precAny)
	w.byte(']')
}

// subscripted prints what a subscript applies to: a column as it is, anything else in
// parentheses.
func (w *writer) subscripted(x sqlexpr.Expr) {
	switch x.(type) {
	case *sqlexpr.Column, *sqlexpr.Subscript:
		w.expr(x, precPrimary)
		return
	}
	w.byte('(')
	w.expr(x, precAny)
	w.byte(')')
}

// jsonAccess is in parentheses wherever it is: engines differ in how strongly
// the operators bind.
func (w *writer) jsonAccess(e *sqlexpr.JSONAccess) {
	if w.rejectOtherDialect(e.Dialect, "the operator "+e.Op) {
		return
	}
	switch e.Op {
	case "->", "->>", "#>", "#>>":
	default:
		w.invalid("an unknown operator")
		return
	}
	w.byte('(')
	w.expr(e.X, precPrimary)
	w.byte(' ')
	w.text(e.Op)
	w.byte(' ')
	w.expr(e.Path, precPrimary)
	w.byte(')')
}

// member prints the structure in parentheses: without them some engines take its
// name for a table's.
func (w *writer) member(e *sqlexpr.Member) {
	if w.rejectOtherDialect(e.Dialect, "a member of a structure") {
		return
	}
	w.byte('(')
	w.expr(e.X, precAny)
	w.text(").")
	w.name(e.Field)
}
