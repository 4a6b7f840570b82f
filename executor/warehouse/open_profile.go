package warehouse

import (
	"cmp"
	"context"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/mysql"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// Options are the service's settings for connections of every profile.
type Options struct {
	// PoolSize bounds the connections to a server; 0 means 8.
	PoolSize int
	// Statements bounds what runs at once in a database that is opened in the
	// process; 0 means 16.
	Statements int
	// MemoryLimit and SpillLimit are those of a DuckDB profile without a setting; empty for the database's defaults.
	MemoryLimit, SpillLimit string
	// Drivers are those that this package does not link.
	Drivers []Driver
}

// OpenProfile makes the executor of a profile. A server is not connected to before the
// first query; a database file is opened now. The error is an *executor.Error of
// code config, or timeout when ctx ends first.
func OpenProfile(ctx context.Context, p profile.Profile, o Options) (executor.Executor, error) {
	if p.Err != nil {
		return nil, p.Err
	}
	o.PoolSize = cmp.Or(p.PoolSize, o.PoolSize)
	switch s := p.Settings.(type) {
	case *profile.DuckDB:
		e := embeddedDatabaseOfProfile(s, o)
		if len(s.Data) > 0 {
			set, err := datafiles.FindTables(ctx, s.Data)
			if err != nil {
				return nil, err
			}
			e.Data = set
		}
		return OpenEmbeddedDatabase(ctx, e, o)
	case *profile.SQLite:
		return nilExecutorOnError(sqlite.Open(ctx, sqlite.Options{Path: s.Path, Connections: o.Statements}))
	default:
		e, err := openServerPool(p, o)
		if err != nil {
			return nil, err
		}
		return withResends(e, p), nil
	}
}

// openServerPool makes a pool of connections. It makes none of them yet.
func openServerPool(p profile.Profile, o Options) (executor.Executor, error) {
	switch s := p.Settings.(type) {
	case *profile.Postgres:
		return nilExecutorOnError(postgres.Open(postgresOptions(p, s, o)))
	case *profile.MySQL:
		return nilExecutorOnError(mysql.Open(mysqlOptions(p, s, o)))
	case *profile.ClickHouse:
		return nilExecutorOnError(clickhouse.Open(clickhouseOptions(s, o)))
	default:
		if d := o.findDriver(p.Type); d != nil {
			return d.Open(p, o)
		}
		return nil, missingDriverError(p.Type)
	}
}

// embeddedDatabaseOfProfile describes the database of a profile, without its data files.
func embeddedDatabaseOfProfile(s *profile.DuckDB, o Options) EmbeddedDatabase {
	return EmbeddedDatabase{
		Path:           s.Path,
		ReadWrite:      !s.ReadOnly,
		ExternalAccess: s.ExternalAccess,
		MemoryLimit:    cmp.Or(s.MemoryLimit, o.MemoryLimit),
		SpillLimit:     o.SpillLimit,
		Threads:        s.Threads,
		Connections:    o.Statements,
	}
}

func postgresOptions(p profile.Profile, s *profile.Postgres, o Options) postgres.Options {
	return postgres.Options{
		URI:             s.URI,
		Host:            s.Host,
		Port:            s.Port,
		User:            s.Username,
		Password:        s.Password,
		PasswordSource:  s.PasswordSource,
		ApplicationName: s.ApplicationName,
		Database:        s.Database,
		SSLMode:         s.SSLMode,
		SSLRootCert:     s.SSLRootCert,
		SSLCert:         s.SSLCert,
		SSLKey:          s.SSLKey,
		Schema:          s.Schema,
		ConnectTimeout:  s.Timeout,
		PoolSize:        o.PoolSize,
		Dialect:         p.Dialect,
	}
}

func mysqlOptions(p profile.Profile, s *profile.MySQL, o Options) mysql.Options {
	return mysql.Options{
		Host:           s.Host,
		Port:           s.Port,
		User:           s.Username,
		Password:       s.Password,
		PasswordSource: s.PasswordSource,
		Database:       s.Database,
		TLS:            s.TLS,
		TLSCA:          s.TLSCA,
		TLSCert:        s.TLSCert,
		TLSKey:         s.TLSKey,
		Catalog:        s.Catalog,
		ConnectTimeout: s.Timeout,
		PoolSize:       o.PoolSize,
		Dialect:        p.Dialect,
	}
}

// nilExecutorOnError keeps a nil pointer from becoming an executor that is not nil.
func nilExecutorOnError[E executor.Executor](e E, err error) (executor.Executor, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}

// CheckProfile returns the reason why Open cannot succeed, as far as it shows without a connection to
// the warehouse: nil for a server that is down or a database file that is missing.
func CheckProfile(p profile.Profile, o Options) error {
	if p.Err != nil {
		return p.Err
	}
	switch p.Settings.(type) {
	case *profile.DuckDB:
		return CheckEmbeddedDriver(o)
	case *profile.SQLite:
		return nil
	}
	e, err := openServerPool(p, o)
	if err != nil {
		return err
	}
	return e.Close()
}

// WarehouseTypesWithDrivers lists the types of warehouses that Open has a driver for.
func WarehouseTypesWithDrivers(o Options) []profile.WarehouseTypeDescription {
	var out []profile.WarehouseTypeDescription
	for _, t := range profile.DescribeWarehouseTypes() {
		switch t.Settings.(type) {
		case *profile.SQLite, *profile.Postgres, *profile.MySQL, *profile.ClickHouse:
			out = append(out, t)
		default:
			if o.findDriver(t.Name) != nil {
				out = append(out, t)
			}
		}
	}
	return out
}

func clickhouseOptions(s *profile.ClickHouse, o Options) clickhouse.Options {
	return clickhouse.Options{
		Host:           s.Host,
		Port:           s.Port,
		User:           s.Username,
		Password:       s.Password,
		PasswordSource: s.PasswordSource,
		Database:       s.Database,
		Secure:         s.Secure,
		TLSCA:          s.TLSCA,
		TLSCert:        s.TLSCert,
		TLSKey:         s.TLSKey,
		PoolSize:       o.PoolSize,
	}
}
