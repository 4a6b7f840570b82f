// Package layering tests the structure of the repository: which package may import which, and the
// sizes of files, functions and types.
//
// A query takes one way through the modules, and an import may only point back
// along it:
//
//	modelspec <- planner <- sqlemit     the compiler: pure functions, no I/O
//	                 \ semsql             statements to queries
//	executor                            warehouses: knows SQL text and rows only
//	     \________ engine ________/     one door to all of it
//	          restapi <- cmd            the faces
//	clients/go                          stands apart: it speaks HTTP
//
// rules.go states what each module may import and, for each import that is
// rejected, the reason a contributor should read. check_imports.go finds the violations
// by parsing import clauses, so it needs no build and sees every build tag.
//
// Inside of planner, planner_rules.go has such a rule for each package, and check_pass_mutations.go
// holds that a pass of planning returns values: no other function assigns to a field of
// what it returned, but for the workers that one pass owns, and no type gathers more
// than 25 methods.
//
// Two neighbours live in the test files: the go.mod files agree with each other
// and with versions.yaml, and no source file grows past what one can read. A third is
// in check_examples.go: each package that programs can import has an example that runs. A fourth
// is in check_comments.go: a comment names files that exist. check_file_names.go holds how a file is named.
//
// Run by hand, these tests need -count=1: they read other modules, and the go
// command looks at files of this one alone when it reuses a result.
package layering
