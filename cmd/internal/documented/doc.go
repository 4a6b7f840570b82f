// Package documented holds the tests that run what the documentation shows.
//
//	README.md, docs/*.md ─► blocks ─► commands ─► the real command line, a real server
//	                                     └─ and the output that stands below them
//
// A block marked `console` holds commands, each after "$ ", and below each the
// output it has. A JSON output is compared as JSON, so that a page may lay it
// out for reading; the text "…" stands for any text, and alone for any output. A block marked
// `yaml file=NAME` is a file that the commands after it can use. Blocks with
// other marks are not run.
package documented
