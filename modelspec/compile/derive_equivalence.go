package compile

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// maxDeriveCheckNodesPerMetric bounds the trees that are compared: combined metrics share their
// parts, and written out they could be of any size. Beyond it any fallback
// passes, as it does where there is nothing to compare with.
const (
	maxDeriveCheckNodesPerMetric = 20_000
	maxDeriveCheckNodesPerModel  = 1_000_000 // nodes, over all metrics of the model
)

// checkDeriveMatchesExpression holds the own expression of a derived metric against what its
// derive block expands to at parameter defaults.
func (c *compiler) checkDeriveMatchesExpression(m *metricInProgress) {
	if m.ext.Derive == nil || m.fallback == nil || c.isDeriveEquivalentToExpression(m) {
		return
	}
	place := m.expressionPlace()
	hint := "see " + extension.DocumentationAnchor("derive")
	if expanded, ok := c.expandDeriveBlock(m, expandedNullFillKinds{members: true, compose: true}); ok {
		hint = "write the expression as " + quoteExcerpt(c.formatWithFieldNames(expanded)) + "; " + hint
	}
	c.failMetric(m, &modelspec.CompileError{
		Code: CodeDeriveMismatch, Location: place.Location, Position: place.Position,
		Message: "the expression of " + m.cat.Name + " is what an engine without the extension computes, and it differs from what derive expands to",
		Hint:    hint,
	})
}

// isDeriveEquivalentToExpression compares normal forms. The fallback may or may not spell out the fill of
// a member (its fill_nulls_with or the fill of the compose): both are rules of how
// results combine, not of the arithmetic.
func (c *compiler) isDeriveEquivalentToExpression(m *metricInProgress) bool {
	for _, fills := range []expandedNullFillKinds{{members: true, compose: true}, {compose: true}, {members: true}, {}} {
		expanded, ok := c.expandDeriveBlock(m, fills)
		if !ok {
			return true
		}
		w := c.newMetricExprExpander(fills)
		own := w.expandArithmeticForm(m.fallback, "")
		w.countTowardDeriveCheckLimit()
		if !w.isWithinNodeBudget() || sqlexpr.Equal(normalizeAggregates(own), normalizeAggregates(expanded)) {
			return true
		}
	}
	return false
}

// expandDeriveBlock returns the expansion of the derive block, over aggregate calls; ok is
// false when there is nothing to compare with.
func (c *compiler) expandDeriveBlock(m *metricInProgress, fills expandedNullFillKinds) (sqlexpr.Expr, bool) {
	w := c.newMetricExprExpander(fills)
	e := w.expandMetricWithoutNullFill(m)
	w.countTowardDeriveCheckLimit()
	return e, w.isWithinNodeBudget()
}

func (c *compiler) newMetricExprExpander(fills expandedNullFillKinds) *metricExprExpander {
	left := min(maxDeriveCheckNodesPerMetric, maxDeriveCheckNodesPerModel-c.compared)
	return &metricExprExpander{compiler: c, fills: fills, left: left, from: left}
}

// countTowardDeriveCheckLimit counts what the writer wrote toward the bound of the model.
func (w *metricExprExpander) countTowardDeriveCheckLimit() { w.compared += w.from - max(w.left, 0) }

// expandedNullFillKinds selects the fills that are written out: fill_nulls_with of the members, fill
// of a compose.
type expandedNullFillKinds struct{ members, compose bool }

// metricExprExpander writes metrics out as expressions over aggregate calls.
type metricExprExpander struct {
	*compiler
	fills   expandedNullFillKinds
	left    int
	from    int  // what left was in the beginning
	unknown bool // a window, or a parameter without a default
}

func (w *metricExprExpander) isWithinNodeBudget() bool { return !w.unknown && w.left > 0 }

// expandMetricWithoutNullFill writes a metric without its own fill_nulls_with.
func (w *metricExprExpander) expandMetricWithoutNullFill(m *metricInProgress) sqlexpr.Expr {
	if m.cat.Window != nil || m.cat.At != nil {
		w.unknown = true
		return &sqlexpr.Null{}
	}
	if d := m.cat.Derive; d != nil && d.Base != nil {
		return w.expandFilterChain(m)
	}
	fill := ""
	if m.cat.Derive != nil && w.fills.compose {
		fill = m.cat.Derive.Fill
	}
	return w.bindParamDefaults(w.expandArithmeticForm(m.cat.Forms.Default, fill), m)
}

func (w *metricExprExpander) expandArithmeticForm(form *catalog.ArithmeticOverOperands, fill string) sqlexpr.Expr {
	if form == nil || !w.isWithinNodeBudget() {
		w.unknown = w.unknown || form == nil
		return &sqlexpr.Null{}
	}
	return sqlexpr.Rewrite(form.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if w.left--; w.left <= 0 {
			return e
		}
		ref, ok := e.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		switch o := form.Operands[ref.ID].(type) {
		case *catalog.Measure:
			return w.expandMeasureToCall(o, nil)
		case *catalog.Metric:
			v := w.expandMetricWithoutNullFill(w.metrics[o.ID])
			if o.Fill != "" && w.fills.members {
				v = coalesceWithNumber(v, o.Fill)
			}
			return coalesceWithNumber(v, fill)
		}
		return e
	})
}

// expandFilterChain writes a chain of filters as one aggregate over a CASE.
func (w *metricExprExpander) expandFilterChain(m *metricInProgress) sqlexpr.Expr {
	var conds []sqlexpr.Expr
	for m.cat.Derive != nil && m.cat.Derive.Base != nil {
		conds = append(conds, w.bindParamDefaults(m.cat.Derive.Where, m))
		m = w.metrics[m.cat.Derive.Base.ID]
	}
	measure := m.soleMeasure()
	if measure == nil || m.cat.Window != nil {
		w.unknown = true
		return &sqlexpr.Null{}
	}
	return w.expandMeasureToCall(measure, sqlexpr.And(conds...))
}

// bindParamDefaults replaces slots by the defaults of the metric's parameters.
func (w *metricExprExpander) bindParamDefaults(e sqlexpr.Expr, m *metricInProgress) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(n sqlexpr.Expr) sqlexpr.Expr {
		slot, ok := n.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		for _, p := range m.cat.Params {
			if p.Name == slot.Name && p.Default != nil {
				return p.Default
			}
		}
		w.unknown = true
		return n
	})
}

// expandMeasureToCall writes an aggregate. The home of one without a column stands in its
// argument list as a string, so that counts of different datasets differ.
func (w *metricExprExpander) expandMeasureToCall(m *catalog.Measure, where sqlexpr.Expr) sqlexpr.Expr {
	arg := m.Arg
	if arg == nil && where != nil {
		arg = &sqlexpr.Number{Text: "1"}
	}
	if where != nil {
		arg = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: where, Then: arg}}}
	}
	if arg == nil {
		arg = &sqlexpr.Column{Path: []sqlexpr.Name{{Text: m.Home.Name, Quoted: true}, {Text: "*", Quoted: true}}}
	}
	return m.AggregateCall(arg, m.OrderBy)
}

// coalesceWithNumber is COALESCE(e, number); a count is never null.
func coalesceWithNumber(e sqlexpr.Expr, number string) sqlexpr.Expr {
	if number == "" {
		return e
	}
	return &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, newNumberLiteral(number)}}
}
