package attribute

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/measure"
)

// addDerivedMetricParts adds to the totals what a derived metric is made of: the members
// of a composed one, the base of a filtered one and the rest of it.
func (p *attributionQueryPlanner) addDerivedMetricParts() error {
	m := p.request.metric
	if m.Window != nil || m.At != nil {
		return nil
	}
	if m.Derive != nil && m.Derive.Base != nil {
		return p.addFilteredMetricBase(m)
	}
	return p.addMemberMetricBreakdown(m)
}

func (p *attributionQueryPlanner) addMemberMetricBreakdown(m *catalog.Metric) error {
	form := m.Forms.ForDialect(p.in.Target.Dialect)
	if form == nil || len(m.MemberMetricsOnDialect(p.in.Target.Dialect)) == 0 {
		return nil
	}
	coefficients, err := p.operandCoefficients(m, form)
	if err != nil {
		return err
	}
	axis := measure.AxisOfMetric(p.request.cat, m, nil)
	for i, o := range form.Operands {
		member, ok := o.(*catalog.Metric)
		if !ok {
			continue
		}
		at, err := p.addMetric(member, axis)
		if err != nil {
			return err
		}
		p.columns.members = append(p.columns.members, &at)
		p.members = append(p.members, composedMember{member, coefficients[i]})
	}
	return nil
}

// operandCoefficients gives the coefficient of each operand of a form, nil for all
// where the form is not linear.
func (p *attributionQueryPlanner) operandCoefficients(m *catalog.Metric, form *catalog.ArithmeticOverOperands) ([]*float64, error) {
	out := make([]*float64, len(form.Operands))
	bound, err := p.bindings.BindExpressionParamSlots(m, form.Expr, p.bindings.ChoiceOfFirstBoundValues())
	if err != nil {
		return nil, err
	}
	for i, c := range attribution.LinearCoefficients(bound, len(out)) {
		out[i] = &c
	}
	return out, nil
}

// addFilteredMetricBase adds the base metric, and the base over the rows that the
// filter leaves out.
func (p *attributionQueryPlanner) addFilteredMetricBase(m *catalog.Metric) error {
	base := m.Derive.Base
	axis := measure.AxisOfMetric(p.request.cat, m, nil)
	at, err := p.addMetric(base, axis)
	if err != nil {
		return err
	}
	p.columns.base = &at
	choice := p.bindings.ChoiceOfFirstBoundValues()
	aggregate, where, err := p.x.UnderlyingMeasureAndFilter(base, choice)
	if err != nil {
		return err
	}
	own, err := p.bindings.BindExpressionParamSlots(m, m.Derive.Where, choice)
	if err != nil {
		return err
	}
	rest := sqlexpr.And(where, &sqlexpr.IsTruth{Not: true, Want: true, X: own})
	onAxis := measure.AxisOfMeasure(p.request.cat, base, aggregate, measure.AxisOfMetric(p.request.cat, base, axis))
	other, err := p.addMeasure(measure.Ref{RefKey: measure.RefKey{Measure: aggregate, Axis: onAxis}, Where: rest}, 0)
	p.columns.complement = &other
	return err
}
