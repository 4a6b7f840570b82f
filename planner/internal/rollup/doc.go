// Package rollup decides which tables of aggregations serve a branch of a query: it proves that the rows of the branch are the same over such a
// table as over the base tables, and what it cannot prove it leaves to these.
//
//	what a branch reads ─► the rules, for each rollup of its home ─┬─► those that serve it, the best first
//	                                                               └─► the first rule of each other one
package rollup
