// Package branch decides the branches of a query: one aggregation for each home, time axis and scan of the time ranges, and the joins
// along which each of them reaches what it reads.
//
//	measure references ─► Branch (home, axis, members) ─► Routes
//
// A Member is a measure reference in a branch, and a Position locates it: its branch and its index there. Package grouping plans the
// rows of a branch.
package branch
