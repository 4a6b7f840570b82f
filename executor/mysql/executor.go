package mysql

import (
	"cmp"
	"context"
	"database/sql"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// Executor is a pool of connections to one server.
type Executor struct {
	pool    *sql.DB
	dialect string
	closed  atomic.Bool
}

var (
	_ executor.Executor                = (*Executor)(nil)
	_ executor.PromptCanceler          = (*Executor)(nil)
	_ executor.CaseSensitivityReporter = (*Executor)(nil)
)

// Open checks the options and makes the pool. It connects to nothing: a server
// that is down shows at the first query. Its errors have the code config.
func Open(o Options) (*Executor, error) {
	config, err := o.driverConfig()
	if err != nil {
		return nil, err
	}
	inner, err := mysql.NewConnector(config)
	if err != nil {
		return nil, driver.ConfigError("the MySQL connection settings are invalid", nil)
	}
	dialect := cmp.Or(o.Dialect, "mysql")
	pool := sql.OpenDB(sessionConnector{inner, cmp.Or(o.SQLMode, defaultSQLMode(dialect)), dialect})
	size := cmp.Or(o.PoolSize, defaultPoolSize)
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	pool.SetConnMaxIdleTime(idleConnectionTimeout)
	pool.SetConnMaxLifetime(maxConnectionLifetime)
	return &Executor{pool: pool, dialect: dialect}, nil
}

// CancelsPromptly returns true for every statement: a call blocks only on the network, and its
// connection is cut soon after the end of its context.
func (e *Executor) CancelsPromptly(string) bool { return true }

// Dialect returns the dialect of the options.
func (e *Executor) Dialect() string { return e.dialect }

// Query starts the statement. See executor.Executor; waiting for a connection
// counts against ctx.
func (e *Executor) Query(ctx context.Context, text string) (executor.Rows, error) {
	tag := driver.NewCommentForNextStatement(ctx)
	return driver.QueryPastStaleConnections(ctx, &e.closed, func() (*resultRows, bool, error) { return e.tryStartStatement(ctx, tag, text) })
}

// tryStartStatement starts the statement on one connection. stale reports that the connection had been idle
// and broke at once: the pool checks a connection before use, but may check shortly before it
// breaks. The statement only reads, so another connection may run it.
func (e *Executor) tryStartStatement(ctx context.Context, tag, text string) (r *resultRows, stale bool, err error) {
	conn, err := driver.TakeConnection(ctx, e.pool.Conn, classifyConnectError)
	if err != nil {
		return nil, false, err
	}
	r = newRows(ctx, conn)
	idle := false
	if err := r.runWithContext(ctx, func(s *session) error {
		idle, s.used = s.used, true
		return r.startStatement(s, tag, text, driver.ServerTimeLimit(ctx))
	}); err != nil {
		stale := idle && r.broke != 0 && r.broke < driver.MaxStaleDetectionDelay && !r.killed
		r.EndAndRelease(ctx, err)
		return nil, stale, err
	}
	return r, false, nil
}

// Close closes the pool. Rows that are still open keep their connection until
// they are closed.
func (e *Executor) Close() error {
	if e.closed.Swap(true) {
		return nil
	}
	// The errors of closing are about connections that are gone.
	_ = e.pool.Close()
	return nil
}

// MayIgnoreCase returns true for MySQL and MariaDB, whose default collations ignore case.
func (e *Executor) MayIgnoreCase() bool { return isMySQLOrMariaDB(e.dialect) }

// PoolUse counts the connections of the pool.
func (e *Executor) PoolUse() executor.PoolUse {
	s := e.pool.Stats()
	return executor.PoolUse{InUse: s.InUse, Idle: s.Idle, Max: s.MaxOpenConnections}
}
