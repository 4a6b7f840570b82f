package postgres

import (
	"cmp"
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Executor is a pool of connections to one server.
type Executor struct {
	pool    *pgxpool.Pool
	shared  *settingsTransactions // nil where the pool is the executor's own
	dialect string
	closed  atomic.Bool

	columns resultColumnCache
}

var (
	_ executor.Executor       = (*Executor)(nil)
	_ executor.PromptCanceler = (*Executor)(nil)
)

// Open checks the options and makes the pool. It connects to nothing: a server
// that is down shows at the first query. Its errors have the code config.
func Open(o Options) (*Executor, error) {
	config, err := o.poolConfig()
	if err != nil {
		return nil, err
	}
	// The pool's context ends its background work when it ends; Close does that
	// here.
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, driver.ConfigError("the PostgreSQL connection pool cannot be made", err)
	}
	return &Executor{pool: pool, dialect: cmp.Or(o.Dialect, "postgres")}, nil
}

// CancelsPromptly returns true for every statement: a call blocks only on the network, which gets
// a deadline at the end of the call's context.
func (e *Executor) CancelsPromptly(string) bool { return true }

// Dialect returns the dialect of the options.
func (e *Executor) Dialect() string { return e.dialect }

// Query starts the statement. See executor.Executor; waiting for a connection
// counts against ctx.
func (e *Executor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if strings.ContainsRune(sql, 0) {
		return nil, driver.SQLRejectedError("a NUL byte in the text of the statement", nil)
	}
	tag := driver.NewCommentForNextStatement(ctx)
	return driver.QueryPastStaleConnections(ctx, &e.closed, func() (*resultRows, bool, error) { return e.tryStartStatement(ctx, tag, sql) })
}

// tryStartStatement starts the statement on one connection. stale reports that the connection had been idle
// and broke before it took the statement: the server never ran it, and another connection may
// work.
func (e *Executor) tryStartStatement(ctx context.Context, tag, sql string) (r *resultRows, stale bool, err error) {
	conn, err := driver.TakeConnection(ctx, e.pool.Acquire, classifyConnectError)
	if err != nil {
		return nil, false, err
	}
	pg := conn.Conn().PgConn()
	known := pg.CustomData()
	idle := known[idleSinceKey] != nil
	known[idleSinceKey] = true
	r = newRows(ctx, conn)
	begun := time.Now()
	limit := driver.ServerTimeLimit(ctx)
	if e.shared != nil {
		r.cancelOnContextEnd(e.shared)
	}
	if err := r.runWithContext(ctx, func() error { return r.startStatement(tag, sql, limit, &e.columns) }); err != nil {
		stale := idle && r.result == nil && pg.IsClosed() && time.Since(begun) < driver.MaxStaleDetectionDelay
		r.EndAndRelease(ctx, err) // another may have the connection from here on
		return nil, stale, err
	}
	return r, false, nil
}

// idleSinceKey is the key under which a connection records that it has been idle.
const idleSinceKey = "semlayer.used"

// Close closes the pool, unless it came from the caller. Rows that are still open keep
// their connection until they are closed; the rest of the pool does not wait for them.
func (e *Executor) Close() error {
	if e.closed.Swap(true) || e.shared != nil {
		return nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.pool.Close()
	}()
	if e.pool.Stat().AcquiredConns() == 0 {
		<-done
	}
	return nil
}

// PoolUse counts the connections of the pool.
func (e *Executor) PoolUse() executor.PoolUse {
	s := e.pool.Stat()
	return executor.PoolUse{InUse: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Max: int(s.MaxConns())}
}

// FromPoolOptions are what statements on a ready pool need beside the pool.
type FromPoolOptions struct {
	// Schema is searched for tables that are named without one [the session's
	// setting].
	Schema string
}

// FromPool makes an executor that runs its statements on a pool of the caller's. The
// server is PostgreSQL; the dialect is postgres. The errors have the code config.
//
// The executor changes no session of the pool: each statement runs in a separate read-only
// transaction, which has the settings that sessions of Open have, and is rolled back after its
// last row. Sessions may have any settings. A connection that is inside a transaction when it
// is acquired is rejected with the code config, and so is a server that does not take the
// settings.
//
// Close leaves the pool open: its owner closes it, after the last rows are closed.
func FromPool(pool *pgxpool.Pool, o FromPoolOptions) (*Executor, error) {
	if pool == nil {
		return nil, driver.ConfigError("the PostgreSQL connection pool is nil", nil)
	}
	if strings.ContainsRune(o.Schema, 0) {
		return nil, driver.ConfigError("the schema holds a NUL byte", nil)
	}
	return &Executor{pool: pool, dialect: "postgres", shared: &settingsTransactions{schema: o.Schema}}, nil
}
