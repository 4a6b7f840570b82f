// Command prose reports sentences that break the rules of language in CONTRIBUTING.md.
//
//	Markdown, YAML, chart notes, schemas ─► pages ────┐
//	cobra commands, flags                ─► cli ──────┤
//	strings of Go, Python, TypeScript    ─► messages ─┼─► patterns ─► exceptions ─► findings ─► budget.yaml
//	comments, also of scripts            ─► comments ─┘
//
// A pattern has an id, a reason and the plain form to write instead. Code blocks and
// inline code of Markdown are not prose. budget.yaml holds the number of findings that
// each file or module may still have; a file that is not listed may have none. With
// -update the numbers fall to the present ones, and never rise.
package main
