// Package sqlemit turns a logical plan into the SQL text of one warehouse.
//
//	plan.Node ──build──► *block (one per SELECT) ──name──► aliases ──print──► []byte: SQL text
//	           build_*.go                    table_aliases.go    print_*.go
//	               └──────────────────┬────────────────────────────┘
//	                            *Dialect: names, literals, operators, calls,
//	                            calendar                        duckdb.go, mysql.go, …
//
// A block is one SELECT with its clauses in the order in which SQL evaluates
// them: FROM, WHERE, GROUP BY, HAVING, windows, the select list, ORDER BY,
// LIMIT. Plan nodes are fused into a block from the bottom up for as long as
// that order allows; the node that does not fit opens a new block over the old
// one. So a query of one branch is one SELECT, and a subquery appears only
// where SQL cannot do without it.
//
// A Dialect is data: type names, quoting, and short templates in which $1 and @1
// are arguments. Code is shared; the differences between warehouses are in
// the files of the dialects, and no other code in the package depends on the dialect
// that it prints. Text is appended to a buffer, and a value becomes SQL in
// print_literal.go alone, so no user text reaches the output by another way.
//
// The semantics are the same on every engine, independent of its defaults:
// division is real and a zero divisor gives NULL, AVG is a double, a calendar
// bucket is a DATE, nulls sort last, CONCAT and GREATEST skip nulls, LIKE has
// no escape character unless one is named.
//
// The same plan gives the same bytes. Pretty printing changes white space only.
package sqlemit
