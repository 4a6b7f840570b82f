// Package sqlerror is the error of a SQL statement: an error of the plan stage with the SQLSTATE
// that PostgreSQL's clients read, the position in the statement and, wherever one exists, a
// statement that works.
package sqlerror
