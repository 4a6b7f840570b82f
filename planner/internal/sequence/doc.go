// Package sequence plans the rows of event sequences: one row for each start, with the rows of the other steps that followed it.
//
// The row of the next step is the earliest one that is later. It is found without a join, by two windows over the rows of both steps:
//
//	Project     the columns of the row, those of the next step's row beside them
//	  Filter    the rows of the step
//	    Window  the values of the row that begins each group
//	      Window  a running count of the next step's rows, from the last row to the first: the number of the group
//	        Union
//	          the rows of the step
//	          the rows of the next step, with what followed them
//
// In the order of time backwards, each row of the next step begins a group, in which it is the next one of every other row:
//
//	time        5        4        3        2        1
//	row         next     step     next     step     step
//	group       1        1        2        2        2
//
// Given order begins with the last step. In any order each step is sought from the rows of the first.
//
// With periods a start has a row for each calendar bucket from its own one that is over. The rows of the second step in its own bucket are counted by
// the first of these windows, within the entity and the bucket. Those of each later bucket are all later than the start:
//
//	Project
//	  Filter      the buckets that begin before the first one that is not over
//	    LeftJoin  the number of rows of the second step by entity and bucket
//	      Join    one row: the first bucket that is not over
//	        the starts, repeated for each period
package sequence
