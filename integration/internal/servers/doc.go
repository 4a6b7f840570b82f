// Package servers gives tests databases on PostgreSQL, MariaDB, MySQL, TiDB, SQLite
// and ClickHouse, a separate one for each script, so that tests never meet each other's
// tables.
//
//	key ──► namespace ──► a schema (PostgreSQL) or a database (MySQL family) ──► script ──► executor
//
// The servers are those of a localdb.SharedServers, which chooses their source: the
// environment, containers, or the ones that are installed. A test that requests one
// that is not available is skipped unless SEMLAYER_REQUIRE_SERVERS requires it.
//
// SQLite is a library and always there; ClickHouse and TiDB are there when
// SEMLAYER_CLICKHOUSE_URL and SEMLAYER_TIDB_URL name them.
//
// Scripts are written once for all engines: in the MySQL family double quotes make
// names and backslashes are characters while a script runs. Text there compares
// byte by byte, as it does on the others.
package servers
