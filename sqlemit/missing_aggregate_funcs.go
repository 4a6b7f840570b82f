package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// What engines lack of the aggregates.
var (
	allPercentileFuncs        = plan.NewFuncSet(sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc)
	discPercentileFuncs       = plan.NewFuncSet(sqlexpr.FnPercentileDisc)
	approximateAggregateFuncs = plan.NewFuncSet(sqlexpr.FnApproxCountDistinct, sqlexpr.FnApproxPercentile)
	approxPercentileFuncs     = plan.NewFuncSet(sqlexpr.FnApproxPercentile)
	stddevAndVarianceFuncs    = plan.NewFuncSet(sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp)
)
