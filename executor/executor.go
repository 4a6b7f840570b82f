package executor

import (
	"context"
	"errors"
	"io"

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

// CaseSensitivityReporter is an executor whose warehouse may compare the texts of a column without regard to
// case, by the column's collation.
type CaseSensitivityReporter interface {
	// MayIgnoreCase reports whether columns do so unless they are declared otherwise.
	MayIgnoreCase() bool
}

// DynamicTypingReporter is implemented by executors of warehouses whose columns may hold values of several
// types, so that the type of a result without rows is a guess.
type DynamicTypingReporter interface {
	// TypesFollowValues reports whether a value has a type and its column has none.
	TypesFollowValues() bool
}

// PoolUse counts the connections that an executor keeps.
type PoolUse struct {
	InUse int // carrying a statement, or rows that are still open
	Idle  int // open and waiting for work
	Max   int // the most there may be
}

// PoolReporter is an executor that keeps connections and can count them at any time,
// without waiting.
type PoolReporter interface{ PoolUse() PoolUse }

// PromptCanceler is an executor that can name statements whose calls return soon after the
// end of their context. A caller may run such a statement in its own goroutine, and saves a
// second one for the wait.
type PromptCanceler interface {
	// CancelsPromptly reports whether the next execution of the statement by the caller
	// returns soon after the end of its context.
	CancelsPromptly(sql string) bool
}

// ReadBatches hands each batch of rows to read, up to the first error, and releases it then. It leaves the rows open.
func ReadBatches(ctx context.Context, rows Rows, read func(arrow.RecordBatch) error) error {
	for {
		batch, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		err = read(batch)
		batch.Release()
		if err != nil {
			return err
		}
	}
}

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

// TableLoader is a WriteSession that makes tables of the rows of another warehouse.
type TableLoader interface {
	WriteSession
	// LoadTable makes a table in a schema that exists, with the columns and the rows of a result, which it reads to the end and leaves open.
	LoadTable(ctx context.Context, schema, table string, rows Rows) error
	// ColumnTypes lists the types of the columns of a table, in their order and by the names of the engine.
	ColumnTypes(ctx context.Context, schema, table string) ([]string, error)
}
