// Package snapshot plans branches up to their aggregates, with the snapshots of semi-additive measures: each bucket has the rows of
// its last or first snapshot, or the least, the greatest or the average value of its snapshots.
package snapshot
