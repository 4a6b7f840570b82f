package attribute

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// windowColumnPair are the columns of one number in the baseline and the current window.
type windowColumnPair struct{ baseline, current int }

// resultColumnLayout maps the values of a query to the columns of its rows.
type resultColumnLayout struct {
	leaves           []windowColumnPair
	value            *windowColumnPair // the metric itself, where its formula is unsupported
	members          []*windowColumnPair
	base, complement *windowColumnPair
	bucket           int // of a window metric's last buckets; -1 for none
}

// dimensionQuery is one dimension of an attribution: its query, its name in the report, how a
// condition names it, and its type.
type dimensionQuery struct {
	planned *plan.PlannedQuery
	layout  resultColumnLayout
	name    string
	column  *sqlexpr.Column
	typ     sqlexpr.Type
	coded   bool // stores time codes, which a condition cannot name
}

func newDimensionQueryFromPlan(name string, g scope.Group, planned *plan.PlannedQuery, l resultColumnLayout) dimensionQuery {
	return dimensionQuery{planned, l, name, g.Ref.AsColumnExpr(), g.Type, g.Ref.Field.Encoding != nil}
}

// totalsQuery is the query over the whole windows, with the breakdowns that only totals have.
type totalsQuery struct {
	planned       *plan.PlannedQuery
	layout        resultColumnLayout
	members       []composedMember
	timeDimension string // that the windows turned out to be over
}

// composedMember is one member of a composed metric; the coefficient is nil where
// the composition is not linear.
type composedMember struct {
	metric      *catalog.Metric
	coefficient *float64
}
