// Package resolve finds what the names of a statement mean in the model, and turns expressions of
// the syntax tree into expressions of the model's language over those meanings.
//
//	parse.Relation ──NewScope──► Scope
//	parse.Expr ──Scope.LowerExpr──► sqlexpr.Expr over Ref{index of References}
//
// Derived tables and common tables that only project and filter disappear here: a name of theirs is
// the expression that they give it. No text of the statement is in the result: literals are read and
// printed again, and a function is one of the expression language.
package resolve
