// Package paritytest holds the test of one promise: whoever asks, the command line,
// the tools of an agent, a Go program or a client over HTTP, gets the same bytes of
// SQL and the same error for the same question.
//
// The questions are those of the corpus in integration/testdata/cases.
package paritytest
