// Package servers gives tests databases on PostgreSQL and on MariaDB or MySQL,
// each of its own for a script, so that tests never meet each other's tables.
//
//	key ──► namespace ──► a schema (PostgreSQL) or a database (MySQL family) ──► script ──► executor
//
// SEMLAYER_POSTGRES_DSN and SEMLAYER_MYSQL_DSN name servers to use; without them
// the installed ones are started for the run, and where none is installed the test
// that asks is skipped unless SEMLAYER_REQUIRE_SERVERS=1.
//
// Scripts are written once for all engines: in the MySQL family double quotes make
// names and backslashes are characters while a script runs. Text there compares
// byte by byte, as it does on the others.
package servers
