package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// resolveDeriveBlocks resolves the derive blocks and holds parameters against the
// slots of each metric.
func (c *compiler) resolveDeriveBlocks() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		switch d := m.ext.Derive; {
		case d == nil:
		case d.Filter:
			c.resolveFilteredBaseMetric(m, d)
		case d.At != nil:
			c.compileAtMetric(m, d)
		default:
			c.compileComposeMetric(m, d)
		}
		c.checkParamsAgainstSlotsOfMetric(m)
	}
}

func (c *compiler) checkParamsAgainstSlotsOfMetric(m *metricInProgress) {
	var slots []extension.NumberParamSlot
	key := "params"
	if d := m.ext.Derive; d != nil {
		slots = append(paramSlotsOfExpression(d.Where), paramSlotsOfExpression(d.Expr)...)
	}
	if w := m.ext.Window; w != nil {
		slots = append(slots, w.Slots...)
		for _, s := range w.Slots {
			for _, p := range m.ext.Params {
				if p.Name == s.Name && p.Type != catalog.ParamInt {
					c.failMetric(m, invalidPayloadError(s.Place, "window", "the slot :%s stands for an integer, and the parameter is a %s", s.Name, p.Type))
				}
			}
		}
	}
	c.checkParamsAgainstSlots(m.ext.Params, slots, key, func(err *modelspec.CompileError) { c.failMetric(m, err) })
}

func (c *compiler) resolveFilteredBaseMetric(m *metricInProgress, d *extension.DerivedMetricBlock) {
	base := c.byMetric[foldCase(d.Base.Name)]
	if base == nil {
		c.failMetric(m, invalidReferenceError(d.Base, "derive", "the base %q is not a metric", d.Base.Name).errorWithCandidates(c, d.Base.Name, c.metricNames))
		return
	}
	m.cat.Derive = &catalog.DeriveBlock{Base: base.cat, Text: d.Where.Text}
	root, err := c.followFiltersToMeasure(d)
	if err != nil {
		c.failMetric(m, err)
	}
	if root == nil {
		return
	}
	where, err := c.resolvePayloadPredicate(d.Where, predicateScope{compiler: c, key: "derive", params: m.ext.Params, home: c.datasets[root.Home.ID]})
	if err != nil {
		c.failMetric(m, err)
		return
	}
	m.cat.Derive.Where = where
}

// followFiltersToMeasure follows a chain of filters to the measure that it filters; nil when
// there is none because something else has failed or a circle is found later.
func (c *compiler) followFiltersToMeasure(d *extension.DerivedMetricBlock) (*catalog.Measure, *modelspec.CompileError) {
	refuse := func(format string, args ...any) (*catalog.Measure, *modelspec.CompileError) {
		return nil, &modelspec.CompileError{
			Code: extension.CodeNotImplemented, Location: d.Base.Location, Position: d.Base.Position,
			Message: fmt.Sprintf(format, args...),
			Hint:    "filter the aggregates it is made of and combine the results in a compose; see " + extension.DocumentationAnchor("derive"),
		}
	}
	base := c.byMetric[foldCase(d.Base.Name)]
	for steps := 0; base != nil && steps <= len(c.metrics); steps++ {
		switch next := base.ext.Derive; {
		case base.ext.Window != nil:
			return refuse("the base %s has a window; a filter needs one plain aggregate", base.cat.Name)
		case next != nil && next.At != nil:
			return refuse("the base %s is at another level; a filter needs one plain aggregate", base.cat.Name)
		case next != nil && !next.Filter:
			return refuse("the base %s is a compose; a filter needs one plain aggregate", base.cat.Name)
		case next != nil:
			base = c.byMetric[foldCase(next.Base.Name)]
			continue
		case base.cat.Forms.Default == nil:
			return nil, nil
		}
		if measure := base.soleMeasure(); measure != nil {
			return measure, nil
		}
		return refuse("the base %s is not a single aggregate; a filter needs one", base.cat.Name)
	}
	return nil, nil
}

func (c *compiler) compileComposeMetric(m *metricInProgress, d *extension.DerivedMetricBlock) {
	form := &catalog.ArithmeticOverOperands{}
	failed := false
	form.Expr = sqlexpr.Rewrite(d.Expr.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		column, ok := e.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		other := c.findComposeMember(column)
		if other == nil {
			failed = true
			name := column.Path[len(column.Path)-1].Text
			err := invalidPayloadError(d.Expr.Place, "derive", "%s in derive.expr is not a metric", quoteExpr(column))
			c.failMetric(m, referenceError{err}.errorWithCandidates(c, name, c.metricNames))
			return e
		}
		return form.AddOperand(column.Position, other.cat)
	})
	m.cat.Derive = &catalog.DeriveBlock{Compose: true, Fill: d.Fill, Text: d.Expr.Text}
	switch {
	case failed:
	case len(form.Operands) == 0:
		c.failMetric(m, invalidPayloadError(d.Expr.Place, "derive", "derive.expr names no metric"))
	default:
		m.cat.Forms.Default = form
	}
}

// findComposeMember finds the metric that an identifier of derive.expr names.
func (c *compiler) findComposeMember(column *sqlexpr.Column) *metricInProgress {
	if len(column.Path) != 1 {
		return nil
	}
	m := c.byMetric[foldCase(column.Path[0].Text)]
	if m == nil || column.Path[0].Quoted && m.cat.Name != column.Path[0].Text {
		return nil
	}
	return m
}
