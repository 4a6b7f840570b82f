package postgres

import (
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/executor/internal/execerr"
)

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
		return nil, execerr.ConfigError("the PostgreSQL connection pool is nil", nil)
	}
	if strings.ContainsRune(o.Schema, 0) {
		return nil, execerr.ConfigError("the schema holds a NUL byte", nil)
	}
	return &Executor{pool: pool, dialect: "postgres", shared: &settingsTransactions{schema: o.Schema}}, nil
}
