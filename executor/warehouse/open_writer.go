package warehouse

import (
	"context"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/mysql"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// OpenWriter opens a session that may change tables, with the settings that the key rollups of a profile leaves. The error is an *executor.Error: of
// code config also for a type of warehouse that has no such session.
func OpenWriter(ctx context.Context, p profile.Profile, o Options) (executor.WriteSession, error) {
	if p.Err != nil {
		return nil, p.Err
	}
	if w := p.Rollups; w != nil {
		if w.Err != nil {
			return nil, w.Err
		}
		if w.Settings != nil {
			p.Settings = w.Settings
		}
	}
	switch s := p.Settings.(type) {
	case *profile.DuckDB:
		e := embeddedDatabaseOfProfile(s, o)
		e.ReadWrite = true
		return OpenEmbeddedWriter(ctx, e, o)
	case *profile.SQLite:
		return sqlite.OpenWriteSession(ctx, sqlite.Options{Path: s.Path})
	case *profile.Postgres:
		return postgres.OpenWriteSession(ctx, postgresOptions(p, s, o))
	case *profile.ClickHouse:
		return clickhouse.OpenWriteSession(clickhouseOptions(s, o))
	case *profile.MySQL:
		return mysql.OpenWriteSession(ctx, mysqlOptions(p, s, o))
	}
	if d := o.findDriver(p.Type); d != nil && d.StatementsWrite {
		e, err := d.Open(p, o)
		if err != nil {
			return nil, err
		}
		return driver.NewWriteSession(e), nil
	}
	return nil, &executor.Error{Code: executor.CodeConfig, Message: "tables cannot be written on a connection of type " + p.Type}
}

// OpenEmbeddedWriter opens a session that may change the tables of a database in the process.
func OpenEmbeddedWriter(ctx context.Context, e EmbeddedDatabase, o Options) (executor.WriteSession, error) {
	d := o.findDriver(embeddedProfileType)
	if d == nil || d.OpenEmbeddedWriter == nil {
		return nil, missingDriverError(embeddedProfileType)
	}
	return d.OpenEmbeddedWriter(ctx, e)
}

// NewReadSession returns a session that only reads, on an executor, which rejects what writes. Close closes the executor.
func NewReadSession(e executor.Executor) executor.WriteSession { return driver.NewWriteSession(e) }
