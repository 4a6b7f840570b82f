// Package branch plans the branches of a query: one aggregation for each home, time axis and scan of the time ranges.
//
//	measure references ─► Branch (home, axis, members) ─► routes of joins ─► rows, filters ─► Aggregate ─► Grouped
//
// A Member is a measure reference in a branch, and a Position locates it: its branch and its index there. Snapshots of
// semi-additive measures, level-of-detail tables and rows that count once in a group are ways to the same Grouped.
// A Planner grows while its one branch is planned, and no other pass changes it. Package window adds the windows to what
// is grouped here, and makes the branches whole.
package branch
