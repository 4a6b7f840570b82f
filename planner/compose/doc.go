// Package compose builds plans of outer SQL: of SELECTs, joins and set operations over the rows of finished
// queries.
//
//	plan.PlannedQuery ──► Query ──► Rows ──► Table, Select, Join, SetOperation ──► Rows ──► Plan ──► plan.PlannedQuery
//	 a metric or                         each over Rows, as often as
//	 detail query                        the statement nests them
//
// A Composer is for one statement. Rows are a relation: named and typed columns, an order and a
// limit. In the expressions of a call, sqlexpr.Ref{ID: i} is the i-th column of the rows that the
// call is over; names are resolved before. An aggregate is a sqlexpr.Call of an aggregate function (its FILTER is
// folded into the argument, as the parser of expressions does), a window call is a sqlexpr.WindowCall.
//
//	c := compose.New(target)
//	revenue := c.Table(c.Query(planned, types))         // WITH s1 AS (…)
//	rows, err := c.Select(&compose.Select{              // SELECT AVG(r) FROM (…) AS t
//		From:  revenue,
//		Items: []compose.Item{{Name: "avg", Expr: averageOfColumn1}},
//	})
//	statement := rows.Plan()
//
// The arithmetic is that of all expressions here: division is real and gives NULL for a zero divisor, AVG is a
// double, NULLs are last in every order that does not name them. Where a
// limit is, the columns from left to right follow the sort keys, so that ties leave nothing to chance.
//
// The error of a composition is an *Error, whose Problem is one of a closed set, or the *planerr.Error of operands that do not
// fit each other.
package compose
