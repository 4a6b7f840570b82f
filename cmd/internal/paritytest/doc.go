// Package paritytest holds the test of one promise: the command line, the MCP tools, the Go
// API and the HTTP interface return the same bytes of SQL and the same error for the same
// query.
//
// The questions are those of the corpus in integration/testdata/cases.
package paritytest
