package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// Expansion is the metrics of a query as arithmetic over measures in use.
type Expansion struct {
	Columns     []Column
	Shares      []Share
	MeasureRefs []*Ref                  // what sqlexpr.Ref{ID} means in a column's expression
	LevelTables []*LevelTable           // of metrics at other levels
	Variants    map[string]scope.Choice // parameter values by which level-of-detail tables differ
	Sizes       Sizes                   // of what the query has expanded to
}

// Column is one metric column of the result. Its expression is over measure references, and nil for a share.
type Column struct {
	Metric *catalog.Metric
	Name   string
	Params []plan.BoundParam
	Tag    string
	choice scope.Choice
	Expr   sqlexpr.Expr
	Typ    sqlexpr.Type
	Kind   plan.ShareOrComparisonKind
	Item   int // of the key that requests the kind
	// Previous is the metric in the earlier range of a comparison, for a column of compare.
	Previous   sqlexpr.Expr
	Comparison int
}

// Ref is one measure as this query needs it: with the filter of a derived
// metric folded in, on a time axis, for one tag of time_ranges, maybe under a
// window.
type Ref struct {
	RefKey
	Where   sqlexpr.Expr // over Ref{Field.ID}; nil when absent
	Window  *Window
	InputOf *Window              // the window whose base it is a part of; nil for any other
	Read    InputRead            // how the window reads it
	Inner   [][]catalog.JoinStep // the paths of its joins that drop rows of the home
	Metrics []string             // the selected metrics that need it
	// Level is a value of a table that a metric at another level is read from; nil for any other. The measure and the axis are then
	// those of the first measure that the table is computed from.
	Level                       *levelUse
	levelType                   sqlexpr.Type
	levelZero, levelApproximate bool
	// RowsOnly: no value reads it; its groups are rows of the result.
	RowsOnly bool
}

// RefKey identifies a use.
type RefKey struct {
	Measure  *catalog.Measure
	WhereKey string
	Axis     *catalog.Field // nil: none
	Tag      int            // index into the ranges; -1 for the only one
	Window   string
	Variant  string // of the level-of-detail fields it reads
}

func (u *Ref) valueType() sqlexpr.Type {
	switch {
	case u.Window != nil:
		return u.Window.Typ
	case u.Level != nil:
		return u.levelType
	}
	return u.Measure.Type
}

// Context is what a metric's value depends on besides the metric.
type Context struct {
	Choice scope.Choice
	Tag    int            // index into the ranges; -1 for the only one
	Axis   *catalog.Field // the axis that an enclosing metric declares; nil: none
	Owner  string         // the selected metric, for error messages
}
