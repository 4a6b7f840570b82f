package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// refuseOtherDialectText rejects what the model wrote in the spelling of another dialect, where
// the same text may mean something else.
func (w *writer) refuseOtherDialectText(dialect, what string) bool {
	if w.d.name == sqlexpr.CanonicalDialect(dialect) {
		return false
	}
	w.recordNotImplemented(what + ", which the model wrote for " + dialect + ",")
	return true
}

func (w *writer) printSingleDialectCast(e *sqlexpr.NativeCast) {
	if w.refuseOtherDialectText(e.Dialect, e.Func) {
		return
	}
	if !canAlwaysBeUnquoted(e.Func) || !hasOnlyTypeNameCharacters(e.To) {
		w.recordInternalError("the type of a cast is not one")
		return
	}
	w.appendText(e.Func)
	w.appendByte('(')
	w.printExpr(e.X, precAny)
	w.appendText(" AS ")
	w.appendText(e.To)
	w.appendByte(')')
}

// hasOnlyTypeNameCharacters reports whether s holds nothing but words, digits, parentheses,
// commas and angle brackets.
func hasOnlyTypeNameCharacters(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case isWordLetter(c), '0' <= c && c <= '9':
		case c == ' ', c == ',', c == '(', c == ')', c == '<', c == '>':
		default:
			return false
		}
	}
	return s != ""
}

func (w *writer) printSubscript(e *sqlexpr.Subscript) {
	if w.refuseOtherDialectText(e.Dialect, "a subscript") {
		return
	}
	w.printSubscriptBase(e.X)
	w.appendByte('[')
	w.printExpr(e.Index, precAny)
	w.appendByte(']')
}

// printSubscriptBase prints what a subscript applies to: a column as it is, anything else in
// parentheses.
func (w *writer) printSubscriptBase(x sqlexpr.Expr) {
	switch x.(type) {
	case *sqlexpr.Column, *sqlexpr.Subscript:
		w.printExpr(x, precPrimary)
		return
	}
	w.appendByte('(')
	w.printExpr(x, precAny)
	w.appendByte(')')
}

// printSemiStructuredPath prints the path as its author wrote it, behind a column or a call.
func (w *writer) printSemiStructuredPath(e *sqlexpr.SemiStructuredPath) {
	if w.refuseOtherDialectText(e.Dialect, "the path :"+e.Path) {
		return
	}
	if call, ok := e.X.(*sqlexpr.Call); w.isColumn(e.X) || ok && call.Fn == sqlexpr.FnUnknown {
		w.printExpr(e.X, precPrimary)
	} else {
		w.printSubscriptBase(e.X)
	}
	w.appendByte(':')
	w.appendText(e.Path)
}

// isColumn reports whether an expression prints as a column.
func (w *writer) isColumn(e sqlexpr.Expr) bool {
	scope := w.scope
	for {
		ref, ok := e.(*sqlexpr.Ref)
		if !ok || scope == nil || ref.ID < 0 || ref.ID >= len(scope.cols) {
			_, ok = e.(*sqlexpr.Column)
			return ok
		}
		column := &scope.cols[ref.ID]
		e, scope = column.expr, column.scope
	}
}

// printNativeString prints a literal as its author wrote it.
func (w *writer) printNativeString(e *sqlexpr.NativeString) {
	if w.refuseOtherDialectText(e.Dialect, "the text literal "+e.Text) {
		return
	}
	w.appendText(e.Text)
}

// printJSONAccess is in parentheses wherever it is: engines differ in how strongly
// the operators bind.
func (w *writer) printJSONAccess(e *sqlexpr.JSONAccess) {
	if w.refuseOtherDialectText(e.Dialect, "the operator "+e.Op) {
		return
	}
	switch e.Op {
	case "->", "->>", "#>", "#>>":
	default:
		w.recordInternalError("an unknown operator")
		return
	}
	w.appendByte('(')
	w.printExpr(e.X, precPrimary)
	w.appendByte(' ')
	w.appendText(e.Op)
	w.appendByte(' ')
	w.printExpr(e.Path, precPrimary)
	w.appendByte(')')
}

// printStructMemberAccess prints the structure in parentheses: without them some engines take its
// name for a table's.
func (w *writer) printStructMemberAccess(e *sqlexpr.StructMemberAccess) {
	if w.refuseOtherDialectText(e.Dialect, "a member of a structure") {
		return
	}
	w.appendByte('(')
	w.printExpr(e.X, precAny)
	w.appendText(").")
	w.printName(e.Field)
}
