// Package sqlexpr is the expression language of models and queries: scalar SQL
// expressions, and nothing more. Text goes one way through it:
//
//	text ──Parse──► Expr (sealed tree) ──Rewrite/Walk──► Expr ──Format──► canonical text
//
// There is no SELECT here. A subquery or a window call in a text is recognised,
// so that whoever asked can refuse it by name instead of by "syntax error",
// but the language has no way to use one.
//
// The tree is the only thing that leaves the package. Dialects print it (module
// sqlemit); they never see source text, which is why nothing a user typed can
// reach a warehouse unparsed. Format prints the canonical form: it parses back
// to an equal tree, which the tests and a fuzz target hold.
//
// Some nodes have no source syntax (Ref, Bucket, Ordinal, Decode,
// Divide): compiler
// passes put them in place of what they resolved. They print in angle brackets,
// for people who read plans.
package sqlexpr
