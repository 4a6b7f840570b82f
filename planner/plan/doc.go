// Package plan is the logical plan: a sealed tree of relational nodes that describes
// what a query computes, in no particular dialect.
//
//	Limit
//	  Sort
//	    Project            final arithmetic, output names
//	      Combine          branches meet on the group-bys
//	        Aggregate      one branch
//	          Filter
//	            Join
//	              Scan
//	              Scan
//
// An expression refers to columns in one of two ways, by its place in the tree. At
// and below the first Aggregate or Project of a branch an expression names
// physical columns as alias.column (sqlexpr.Column of two parts). Everywhere
// above, sqlexpr.Ref{ID: i} is the i-th column of the node's input. Check
// verifies both, and tests run it on every plan.
//
// A plan prints as an indented tree; that text is the result of EXPLAIN.
package plan
