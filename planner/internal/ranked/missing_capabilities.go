package ranked

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// missingCapabilities is what a target lacks for the measures of one SELECT.
type missingCapabilities struct {
	caps        *plan.Capabilities
	percentiles bool // it cannot compute these percentiles together
}

func findMissingCapabilities(caps *plan.Capabilities, measures []plan.NamedExpr) missingCapabilities {
	return missingCapabilities{caps, caps.OnePercentileOrder && needSeveralPercentileOrders(measures)}
}

// needSeveralPercentileOrders reports whether percentiles appear together with different orders, or
// beside a DISTINCT or a LISTAGG.
func needSeveralPercentileOrders(measures []plan.NamedExpr) bool {
	var first *sqlexpr.Call
	apart, several := false, false
	for _, m := range measures {
		visitAggregates(m.Expr, func(c *sqlexpr.Call) {
			switch {
			case c.Distinct, c.Fn == sqlexpr.FnListagg, c.Fn == sqlexpr.FnApproxCountDistinct:
				apart = true
			case !isPercentile(c.Fn):
			case first == nil:
				first = c
			case c.Desc != first.Desc || !sqlexpr.Equal(c.Args[0], first.Args[0]):
				several = true
			}
		})
	}
	return first != nil && (apart || several)
}

func isPercentile(fn sqlexpr.Func) bool {
	return fn == sqlexpr.FnMedian || fn == sqlexpr.FnPercentileCont || fn == sqlexpr.FnPercentileDisc
}

func visitAggregates(e sqlexpr.Expr, f func(*sqlexpr.Call)) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		c, ok := x.(*sqlexpr.Call)
		if ok && sqlexpr.InfoOfFunction(c.Fn).Class == sqlexpr.ClassAggregate {
			f(c)
			return false
		}
		return true
	})
}

// anyNeedsRanks reports whether one of the measures needs ranks.
func (l missingCapabilities) anyNeedsRanks(measures []plan.NamedExpr) bool {
	for _, m := range measures {
		if l.exprNeedsRanks(m.Expr) {
			return true
		}
	}
	return false
}

// exprNeedsRanks reports whether an expression holds an aggregate that needs ranks.
func (l missingCapabilities) exprNeedsRanks(e sqlexpr.Expr) bool {
	found := false
	visitAggregates(e, func(c *sqlexpr.Call) { found = found || l.callNeedsRanks(c) })
	return found
}

// callNeedsRanks reports whether an aggregate needs ranks.
func (l missingCapabilities) callNeedsRanks(c *sqlexpr.Call) bool {
	switch {
	case isPercentile(c.Fn):
		return l.percentiles || l.caps.Ranked.Has(c.Fn)
	case c.Fn == sqlexpr.FnListagg:
		return l.distinctListNeedsRanks(c) || l.orderedListNeedsRanks(c)
	}
	return false
}

// distinctListNeedsRanks reports whether the values of a list have to be made distinct by ranks: their texts
// may be ordered and distinct in another way than they are.
func (l missingCapabilities) distinctListNeedsRanks(c *sqlexpr.Call) bool {
	return c.Distinct && (l.caps.NoDistinctList || !isTextExpr(c.Args[0]))
}

// orderedListNeedsRanks reports whether a list has to be ordered by ranks.
func (l missingCapabilities) orderedListNeedsRanks(c *sqlexpr.Call) bool {
	return l.caps.SortedArrayLists && len(c.Args) == 3 && !sqlexpr.Equal(c.Args[0], c.Args[2])
}

func isTextExpr(e sqlexpr.Expr) bool {
	if known, ok := e.(*sqlexpr.DeclaredTypeExpr); ok {
		return known.Type == sqlexpr.TypeString
	}
	return sqlexpr.TypeOf(e, nil) == sqlexpr.TypeString
}
