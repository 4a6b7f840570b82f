package plan

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Target is what a plan is made for: the dialect, whose variants of the
// model's expressions are used, and what that dialect can do.
type Target struct {
	Dialect string
	Caps    Capabilities
}

// Planned is a query's logical plan and its result columns in order.
type Planned struct {
	Root    Node
	Columns []OutputColumn
	// Limit is the most rows that the result has; nil if it is not limited.
	Limit    *int64
	Warnings []planerr.QueryWarning
}

// OutputColumn describes one result column. Metric is "" for a group-by.
type OutputColumn struct {
	Name      string
	Metric    string
	Params    []BoundParam
	TimeRange string // the tag under time_ranges
	Type      sqlexpr.Type
}

// BoundParam is one parameter value that a column was computed with: a JSON
// scalar (string, bool, or json.Number).
type BoundParam struct {
	Name  string
	Value any
}
