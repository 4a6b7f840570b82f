// Package postgres15 holds the catalogue of a new database of PostgreSQL 15: the rows of the tables of
// pg_catalog, the columns of every table and view, the definitions of the views and the settings. The
// files are written by the command dump, from a server that it starts. PostgreSQL is Copyright the
// PostgreSQL Global Development Group, under the PostgreSQL License.
package postgres15
