// Package documents records what the readers of documents find in the texts of all tests, so that a change of
// a reader shows which findings it changes.
//
//	string literals of _test.go files, files of testdata ──┐
//	payloads among them, with one value replaced           ├─► readers ──► findings ──► testdata/findings.txt
//	models among them, with one line changed             ──┘
//
// SEMLAYER_TEST_LONG=1 reads all texts, else every fourth is read.
package documents
