package plan

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Target is what a plan is made for: the dialect, whose variants of the
// model's expressions are used, and what that dialect can do.
type Target struct {
	Dialect string
	Caps    Capabilities
	// Now is the time that relative ranges count from where a query gives none; zero means the
	// time of planning.
	Now time.Time
	// Zone is the clock of the query in place of the zone of its body or of the model; nil for those. It is for offsets that have no
	// name in the database.
	Zone *timezone.Zone
	// Grow is called before a metric query expands to that many further operators and operands; nil for no call. Its error
	// ends planning.
	Grow func(nodes int) error
	// Uses takes the names that the query uses, and not those of suggested retries; nil keeps none.
	Uses *Uses
	// Rollups decides which rollups the query may read; nil: none.
	Rollups *RollupTarget
}

// NowOrCallTime is Now, or the time of the call.
func (t Target) NowOrCallTime() time.Time {
	if t.Now.IsZero() {
		return time.Now()
	}
	return t.Now
}

// UsesOnce returns a function that returns the target: the first time as it is, and then without Uses.
func (t Target) UsesOnce() func() Target {
	uses := t.Uses
	return func() Target {
		out := t
		out.Uses, uses = uses, nil
		return out
	}
}

// PlannedQuery is a query's logical plan and its result columns in order.
type PlannedQuery struct {
	Root    Node
	Columns []OutputColumn
	// Limit is the most rows that the result has; nil if it is not limited.
	Limit *int64
	// Level is the column that is 0 on the rows that Limit counts; "" where it counts all.
	Level    string
	Warnings []planerr.QueryWarning
	// ResolvedRanges are the bounds of relative ranges, in the order of the query.
	ResolvedRanges []ResolvedTimeRange
	// ResolvedCompare has the earlier ranges of compare, where it has align or is a list; nil elsewhere.
	ResolvedCompare []ResolvedCompare
	// Count counts the rows without limit and offset; nil where the query does not ask for it.
	Count *RowCount
	// ReadsNow: a condition holds the time at which the query was planned, beside the bounds of relative ranges.
	ReadsNow bool
	// Rollups is what each branch reads, in the order of the plan; nil where the model has no rollups, or the query excludes them.
	Rollups []RollupUse
	// MaxAge is the age in seconds that no datum of the result may exceed; nil where it may have any.
	MaxAge *int64
	// View is the view that the query is in, with what of it acts by default; nil for a query of the whole model.
	View *ViewUse
}

// ResolvedCompare is an earlier range of compare, on the clock of the time zone. Name is "" where it has none.
type ResolvedCompare struct{ Name, Start, End string }

// RowCount is the number of the rows that a query has without limit and offset, those of totals apart.
type RowCount struct {
	Root Node // one row with one column, TotalRowsColumn
	// IsResult: the query has neither limit nor offset, so that its own rows are all of them.
	IsResult bool
}

// TotalRowsColumn is the column of a RowCount.
const TotalRowsColumn = "total_rows"

// IsOrdered reports whether the rows have an order.
func (q *PlannedQuery) IsOrdered() bool {
	for n := q.Root; ; {
		switch x := n.(type) {
		case *Sort:
			return true
		case *Limit:
			n = x.Input
		case *Offset:
			n = x.Input
		case *FirstColumns:
			n = x.Input
		default:
			return false
		}
	}
}

// ResolvedTimeRange is a relative range with its bounds, on the clock of the time zone. A bound is
// a date where it is a midnight, else a timestamp.
type ResolvedTimeRange struct {
	Tag        string // under time_ranges; "" for time_range
	Start, End string
	Dimension  string // "" where the query names none
	AsOf       string
	TimeZone   string
	From, To   int64 // the bounds in Unix seconds: a clock shows some times twice
}

// OutputColumn describes one result column. Metric is "" for a group-by.
type OutputColumn struct {
	Name      string
	Metric    string
	Params    []BoundParam
	TimeRange string // the tag under time_ranges
	Type      sqlexpr.Type
	Kind      ShareOrComparisonKind
	// Approximate: the engine estimates the values.
	Approximate bool
}

// ShareOrComparisonKind is what a column holds of its metric.
type ShareOrComparisonKind string

// The kinds. A column of the metric itself has none.
const (
	KindShare       ShareOrComparisonKind = "share"        // a fraction of a total
	KindPrevious    ShareOrComparisonKind = "previous"     // the value of the range that is compared with
	KindChange      ShareOrComparisonKind = "change"       // the value less the previous
	KindChangeRatio ShareOrComparisonKind = "change_ratio" // the change divided by the previous value
)

// BoundParam is one parameter value that a column was computed with: a JSON
// scalar (string, bool, or json.Number).
type BoundParam struct {
	Name  string
	Value any
}
