package postgres

import (
	"context"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/fault"
)

// Executor is a pool of connections to one server.
type Executor struct {
	pool    *pgxpool.Pool
	dialect string
	closed  atomic.Bool
}

var _ executor.Executor = (*Executor)(nil)

// Open checks the options and makes the pool. It connects to nothing: a server
// that is down shows at the first query. Its errors have the code config.
func Open(o Options) (*Executor, error) {
	config, err := o.config()
	if err != nil {
		return nil, err
	}
	// The pool's context ends its background work when it ends; Close does that
	// here.
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fault.Config("the PostgreSQL connection pool cannot be made", err)
	}
	return &Executor{pool: pool, dialect: orDefault(o.Dialect, "postgres")}, nil
}

// Dialect returns the dialect of the options.
func (e *Executor) Dialect() string { return e.dialect }

// Query starts the statement. See executor.Executor; waiting for a connection
// counts against ctx.
func (e *Executor) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if e.closed.Load() {
		return nil, fault.Closed()
	}
	if strings.ContainsRune(sql, 0) {
		return nil, fault.Rejected("a NUL byte in the text of the statement", nil)
	}
	if err := fault.Context(ctx); err != nil {
		return nil, err
	}
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		if late := fault.Context(ctx); late != nil {
			return nil, late
		}
		return nil, classifyConnect(err)
	}
	r := newRows(ctx, conn)
	if err := r.run(ctx, func() error { return r.start(sql) }); err != nil {
		r.fail(err)
		return nil, err
	}
	return r, nil
}

// Close closes the pool. Rows that are still open keep their connection until
// they are closed; the rest of the pool does not wait for them.
func (e *Executor) Close() error {
	if e.closed.Swap(true) {
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
