// Package pgclients holds the test that client programs of PostgreSQL use the port of the built binary: each connects, lists and
// describes relations, queries, cancels a statement and continues.
//
//	go build ──► semlayer serve --pg-bind ──► psql, pgjdbc, psycopg, … ──► lines of facts ──► the facts written here
//
// A client is a script in testdata/clients that prints one fact a line, or a function in Go. SEMLAYER_POSTGRES_CLIENTS names the clients that
// have to run, "all" or a list; without it those run that need nothing but Go. tools/scripts/postgres-clients.sh installs the programs.
package pgclients
