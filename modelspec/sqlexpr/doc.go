// Package sqlexpr is the expression language of models and queries: scalar SQL
// expressions, and nothing more. Text goes one way through it:
//
//	text ──Parse──► Expr (sealed tree) ──Rewrite/Walk──► Expr ──Format──► canonical text
//
// There is no SELECT here. A subquery or a window call in a text is recognised,
// so that a caller can reject it by name instead of by "syntax error",
// but the language has no way to use one.
//
// The tree is the only thing that leaves the package. Dialects print it (module
// sqlemit); they never see source text, which is why nothing a user typed can
// reach a warehouse unparsed. Format prints the canonical form: it parses back
// to an equal tree, which the tests and a fuzz target hold.
//
// Some nodes have no source syntax (Ref, Bucket, Ordinal, Decode, Divide, Known):
// compiler passes put them in place of what they resolved. They print in angle
// brackets, for people who read plans; a Known prints as what it holds.
//
// Operators bind as in PostgreSQL, and comparisons do not chain. A text has one
// meaning for every engine: INTERVAL '3 months', INTERVAL 3 MONTH and INTERVAL
// '3' MONTH are one node, NVL and COALESCE are one node, and a literal such as
// TIMESTAMP '2024-01-31T13:05' is checked and written in one form. What only
// some engine has (a function, a type name, a calendar part) parses too, because
// the author of a model may want it; a query's text is read with QueryLimits and
// may not have it.
//
// A text with NativeLimits is in the spelling of one dialect and may hold some of what
// only that dialect has: NativeCast, Subscript, JSONAccess, Member and calls that
// keep the name of the dialect. They are printed for it and for nothing else.
//
// Two questions about sameness have two answers. Equal compares form and ignores
// spelling. Normalize gives expressions that mean the same one tree, by a fixed
// list of rules that keep three-valued logic.
package sqlexpr
