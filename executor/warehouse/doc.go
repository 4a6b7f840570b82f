// Package warehouse opens the executor that a connection profile describes.
//
//	profile.Profile ─► Open ─► duckdb.Open     │
//	                           sqlite.Open     │
//	                           postgres.Open   ├─► executor.Executor
//	                           mysql.Open      │
//	                           clickhouse.Open │
//
// It is the one place that knows both the profiles and the drivers, and so the
// one that links those that every program gets. Large ones are handed in:
//
//	warehouse.Options{Drivers: []warehouse.Driver{snowflake.Driver()}}
//
// A type without a driver is answered with code config,
// like any other profile that cannot be used.
package warehouse
