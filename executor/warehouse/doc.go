// Package warehouse opens the executor that a connection profile describes.
//
//	profile.Profile ─► OpenProfile ─► sqlite.Open       │
//	                                  postgres.Open     │
//	                                  mysql.Open        ├─► executor.Executor
//	                                  clickhouse.Open   │
//	                                  Options.Drivers[] │
//
// It is the only package that imports both the profiles and the drivers, and so the one that
// links the drivers of every program. Those are plain Go, so that a program with them builds
// without cgo. Large ones are handed in:
//
//	warehouse.Options{Drivers: []warehouse.Driver{duckdb.Driver(), snowflake.Driver()}}
//
// A type without a driver is answered with code config,
// like any other profile that cannot be used.
package warehouse
