// Package pgprotocol holds the test that the PostgreSQL port answers messages as a PostgreSQL does: each exchange
// is sent to both, over the same rows, and the messages that come back are equal.
package pgprotocol
