// Package modeltest runs the tests of a model: queries with the rows that they must give.
//
//	*.test.yaml ──Parse──► File ──Run──► query ─► rows ──compare──► []Result
//	                                       │
//	                                    expect.sql ─► rows
//
// A test holds the body of a request, as over HTTP, and what is expected of it. The runner
// executes tests one after another and only reads. Saved queries of the model that no test
// names are compiled.
package modeltest
