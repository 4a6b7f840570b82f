package executor

import "context"

// WriteSession is one connection that may change tables, for the builds of `semlayer rollup refresh`. No Executor is one: the connections of
// queries reject all but one SELECT. One goroutine uses it at a time.
type WriteSession interface {
	// Exec runs one statement. Errors are *Error.
	Exec(ctx context.Context, sql string) error
	// Query returns the rows of one statement that reads, as texts; nil stands for NULL. It is called outside of transactions. Errors are
	// *Error.
	Query(ctx context.Context, sql string) ([][]*string, error)
	// Close ends the session, and what it has not committed.
	Close() error
}
