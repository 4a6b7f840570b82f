// Package generated checks that generated models are right: on random schemas of DuckDB, SQLite,
// PostgreSQL, MariaDB, MySQL and ClickHouse, every metric equals SQL that is written by hand, and no
// key or relationship is written that the data contradict.
package generated
