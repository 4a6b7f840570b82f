package rollup

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// Branch is what a branch of a query reads.
type Branch struct {
	In   *scope.Env
	Home *catalog.Dataset
	// ReadsHome: the rows are those of the home, which no join repeats.
	ReadsHome bool
	// OfSnapshots: the measures are over snapshots.
	OfSnapshots bool
	// CopiesRows: a window copies rows to other buckets, or counts some of a bucket.
	CopiesRows bool
	// MergesGroups: rows of several of the groups are aggregated together: for totals, shares and top, and where compare moves buckets.
	MergesGroups bool
	Groups       []Group
	Conditions   []Condition
	Ranges       []Range
	Measures     []Measure
	// Metrics are those of the query.
	Metrics []*catalog.Metric
	// Reached are the fields that the branch reads, with those that it reads only to drop rows.
	Reached []Field
	// Inner are the paths along which the measures drop rows.
	Inner [][]catalog.JoinStep
}

// Field is a field by the path that leads to it from the home.
type Field struct {
	Path  []catalog.JoinStep
	Field *catalog.Field
}

// NewField returns a field at the end of a path. A joined field stands for the one at the end of the path that it leads along.
func NewField(path []catalog.JoinStep, f *catalog.Field) Field {
	switch {
	case f.Joined == nil:
		return Field{path, f}
	case len(path) == 0:
		return Field{f.Joined.Path, f.Joined.Field}
	}
	return Field{append(slices.Clip(path), f.Joined.Path...), f.Joined.Field}
}

// IsSame reports whether two fields are one, by one path.
func (f Field) IsSame(o Field) bool { return f.Field == o.Field && slices.Equal(f.Path, o.Path) }

// Group is a group-by of a branch: a field with a unit, or an expression over fields.
type Group struct {
	Name       string // as the query spells it
	Field      Field
	Grain      sqlexpr.Grain
	Period     *catalog.Period
	Part       sqlexpr.TimePart
	Expression []Field // of which the group is made; nil for a field
	// Spans are further units of time that windows tell apart along the group.
	Spans []sqlexpr.Grain
	// SingleTimes: a span along the group begins within one of its periods.
	SingleTimes bool
}

// isRaw reports whether the group needs the values of its field.
func (g Group) isRaw() bool {
	return g.Expression == nil && (g.SingleTimes || g.Grain == sqlexpr.GrainNone && g.Part == sqlexpr.PartNone)
}

// Condition is a conjunct of the conditions on the rows of a branch.
type Condition struct {
	Text   string
	Expr   sqlexpr.Expr // over Ref{index of Refs}
	Fields []Field      // by the index of a reference
	Read   []int        // the references that the conjunct reads
	// Interval is the part of time of the one field that the conjunct reads, where it is such a range; nil for any other.
	Interval *timerange.Interval
	IsMember bool // of the rows of a subquery
	// Dropped: the branch does not filter by it, because the range that it reads is wider.
	Dropped bool
}

// Range is a part of time that the branch reads of a field, or that decides which rows count for a measure. The bounds are instants of the
// clock of the field.
type Range struct {
	Field     Field
	Text      string // of the key, for messages
	Intervals []timerange.Interval
	// Filters: the rows of the branch lie in one of the intervals.
	Filters bool
	// Given: the bounds are those of the time range of the query, which a retry can replace.
	Given bool
}

// Measure is an aggregate of a branch.
type Measure struct {
	Measure *catalog.Measure
	Where   sqlexpr.Expr // the filter of a derived metric; nil for none
	// SingleRows: a window computes with the values of single rows.
	SingleRows bool
}

// SpanUnit returns the grain at which a span of units is told apart from buckets: the finer of both where it divides the other, else days.
func SpanUnit(unit, bucket sqlexpr.Grain) sqlexpr.Grain {
	switch {
	case unit.Subdivides(bucket):
		return unit
	case bucket.Subdivides(unit):
		return bucket
	}
	return sqlexpr.GrainDay
}
