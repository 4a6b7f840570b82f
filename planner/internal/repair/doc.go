// Package repair makes the retries of errors trustworthy: what an error proposes is
// planned before it is offered.
//
//	query ──plan──► error with a fragment ──merge, plan──► suggested_retry
//
// A fragment is the part of a query that changes. It is kept where the patched query
// plans, or fails with another error that settles in its turn within a few steps.
package repair
