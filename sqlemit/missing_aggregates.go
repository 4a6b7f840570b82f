package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// What engines lack of the aggregates.
var (
	allPercentileFuncSet        = plan.NewFuncSet(sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc)
	discPercentileFuncSet       = plan.NewFuncSet(sqlexpr.FnPercentileDisc)
	approximateAggregateFuncSet = plan.NewFuncSet(sqlexpr.FnApproxCountDistinct, sqlexpr.FnApproxPercentile)
	approxPercentileFuncSet     = plan.NewFuncSet(sqlexpr.FnApproxPercentile)
	stddevAndVarianceFuncSet    = plan.NewFuncSet(sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp)
)
