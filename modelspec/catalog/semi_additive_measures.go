package catalog

import "slices"

// SemiAdditiveRule makes a measure semi-additive: its values add up over every dimension but
// time. Measures of one block share a SemiAdditiveRule.
type SemiAdditiveRule struct {
	By   *Field // a time field of the measure's home; its values are the snapshots
	Take SnapshotTakeAggregation
	Per  []FieldWithJoinPath // of first and last: each combination of their values has its own snapshot
}

// FieldWithJoinPath is a field that a dataset reaches on a path along safe edges; without steps it is the dataset's own.
type FieldWithJoinPath struct {
	Field *Field
	Path  []JoinStep
	Named bool // the model spells the path
}

// SnapshotTakeAggregation is how the snapshots of a bucket make its value.
type SnapshotTakeAggregation uint8

// The ways.
const (
	SnapshotTakeFirst    SnapshotTakeAggregation = iota // the rows of the first snapshot
	SnapshotTakeLast                                    // the rows of the last snapshot
	SnapshotTakeMinValue                                // the least value of a snapshot
	SnapshotTakeMaxValue                                // the greatest value of a snapshot
	SnapshotTakeAvgValue                                // the mean of the values of the snapshots
)

var snapshotTakeNames = [...]string{"first", "last", "min", "max", "avg"}

// SnapshotTakeNames lists the ways by their names in a model.
func SnapshotTakeNames() []string { return snapshotTakeNames[:] }

// ParseSnapshotTake reads the name of a way, which must be one of them.
func ParseSnapshotTake(text string) SnapshotTakeAggregation {
	return SnapshotTakeAggregation(slices.Index(snapshotTakeNames[:], text))
}

// String returns the way's name in a model.
func (t SnapshotTakeAggregation) String() string { return snapshotTakeNames[t] }

// SelectsOneSnapshot reports whether the rows of one snapshot are aggregated, not those of each snapshot.
func (t SnapshotTakeAggregation) SelectsOneSnapshot() bool {
	return t == SnapshotTakeFirst || t == SnapshotTakeLast
}

// IsSemiAdditive reports whether the measure has a snapshot.
func (m *Measure) IsSemiAdditive() bool { return m.NonAdditive != nil }

// IsZeroOverNoRows reports whether the measure is 0, not NULL, over no rows. The least, the greatest and the mean
// value of no snapshots are NULL.
func (m *Measure) IsZeroOverNoRows() bool {
	return m.Agg.IsZeroOverNoRows() && (m.NonAdditive == nil || m.NonAdditive.Take.SelectsOneSnapshot())
}

// DuplicateInsensitive reports whether repeating rows is known to leave the measure as it is.
func (m *Measure) DuplicateInsensitive() bool {
	return m.Agg.DuplicateInsensitive() && m.NonAdditive == nil
}

// Additive reports whether the values of parts of the rows add up to the value of all.
func (m *Measure) Additive() bool { return m.Agg.Additive() && m.NonAdditive == nil }
