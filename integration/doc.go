// Package integration holds the tests of the whole path from a model to the
// rows of a real engine.
//
//	testdata/cases/<topic>/<behaviour>.txtar
//	   query.json ──► engine ──► SQL ──► DuckDB │ PostgreSQL │ MariaDB │ MySQL ──► rows ─┐
//	   oracle.sql ─────────────────────► the same engine ─────────────────────────► rows ─┴─► equal?
//
// A case is one query and its expected result. The result is written by hand and from
// the meaning of the query, never from the SQL that the compiler makes of it:
// oracle.sql is one SELECT over the tables, rows.txt the rows themselves,
// error.json the error. Everything else in a case (plan.txt and duckdb.sql)
// is generated and shows a reader what the compiler did;
// `go test -update` writes it again and leaves the expected results alone. One sentence above
// the first file is the rule that the case shows; a failing test prints it.
//
// testdata/dialects has the SQL of the other dialects for a list of cases, in which every keyword, function and operator
// of each dialect and every node of a plan occurs, and the cases that single dialects reject. `make statements` writes
// plan and SQL of every case in every dialect into a folder, to compare two commits.
//
// Most cases share a fixture, a model with a few rows of data under
// testdata/fixtures. The rows are few and chosen: NULL keys, orphans, gaps in the
// calendar, ties, zero divisors, names that need quotes.
//
// # What has to hold
//
//   - Every case returns its result on every engine that it names, by default all.
//   - Where the query orders or limits its rows they come in that order,
//     otherwise in any.
//   - An error that offers a rewrite as JSON offers one that works.
//
// # Servers
//
// PostgreSQL, MariaDB and MySQL are those that SEMLAYER_POSTGRES_DSN,
// SEMLAYER_MARIADB_DSN and SEMLAYER_MYSQL_DSN name, else containers where an engine
// and an image are at hand (package internal/containers), else installed servers
// that are started for the run (package localdb of the executor). SEMLAYER_SERVERS
// takes another order or leaves some out: `make test` sets dsn,local and starts no
// containers; `make integration` sets dsn,containers and has all three. An engine
// without a server is skipped; SEMLAYER_REQUIRE_SERVERS=1 makes that a failure.
//
// # Secondary engines
//
// SQLite, which is a library, ClickHouse, where SEMLAYER_CLICKHOUSE_URL names one, and
// TiDB, where SEMLAYER_TIDB_URL does, run the engine's SQL and are held to what DuckDB answers to the oracle, which is not
// written for them. The few cases that they cannot execute are listed with the code of
// the error. tools/scripts/clickhouse-shim.sh puts ClickHouse's engine behind HTTP
// where no server can be had.
package integration
