package executor

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
)

// Executor runs statements on one warehouse. It is safe for concurrent use;
// concurrent queries use different connections.
type Executor interface {
	// Query starts one statement and returns once its columns are known and
	// the warehouse has begun to answer. More than one statement in sql is
	// rejected with CodeSQLRejected. Errors are *Error. The context covers
	// this call only; cancelling it later does not end the Rows.
	Query(ctx context.Context, sql string) (Rows, error)
	// Dialect is the name of the SQL dialect the warehouse speaks.
	Dialect() string
	// Close gives the connections back. Rows still open end first or fail.
	Close() error
}

// Rows is the result of one statement. It holds a connection until Close, and one goroutine
// uses it at a time.
type Rows interface {
	// Schema is known before the first batch, also for an empty result.
	Schema() *arrow.Schema
	// Next returns the next batch, never an empty one, or io.EOF after the
	// last. The caller releases the batch. Any other error is final and an
	// *Error; the context covers this call only.
	Next(ctx context.Context) (arrow.RecordBatch, error)
	// Close ends the statement if it still runs and frees the connection. It
	// may be called more than once.
	Close() error
}
