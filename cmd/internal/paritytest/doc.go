// Package paritytest holds the test of one promise: the command line, the MCP tools, the Go
// API and the HTTP interface return the same bytes of SQL, or of rows, and the same error for the same
// query, and for the same statement in SQL.
//
// The questions are those of the corpus in integration/testdata/cases.
package paritytest
