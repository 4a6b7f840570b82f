package attribute

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/measure"
)

// addDerivedMetricParts adds to the totals what a derived metric is made of: the members
// of a composed one, the base of a filtered one and the rest of it.
func (f *attributionQueryPlanner) addDerivedMetricParts() error {
	m := f.metric
	if m.Window != nil || m.At != nil {
		return nil
	}
	if m.Derive != nil && m.Derive.Base != nil {
		return f.addFilteredMetricBase(m)
	}
	return f.addMemberMetricBreakdown(m)
}

func (f *attributionQueryPlanner) addMemberMetricBreakdown(m *catalog.Metric) error {
	form := m.Forms.ForDialect(f.in.Target.Dialect)
	if form == nil || len(m.MemberMetricsOnDialect(f.in.Target.Dialect)) == 0 {
		return nil
	}
	coefficients, err := f.operandCoefficients(m, form)
	if err != nil {
		return err
	}
	axis := measure.AxisOfMetric(f.cat, m, nil)
	for i, o := range form.Operands {
		member, ok := o.(*catalog.Metric)
		if !ok {
			continue
		}
		at, err := f.addMetric(member, axis)
		if err != nil {
			return err
		}
		f.columns.members = append(f.columns.members, &at)
		f.members = append(f.members, composedMember{member, coefficients[i]})
	}
	return nil
}

// operandCoefficients gives the coefficient of each operand of a form, nil for all
// where the form is not linear.
func (f *attributionQueryPlanner) operandCoefficients(m *catalog.Metric, form *catalog.ArithmeticOverOperands) ([]*float64, error) {
	out := make([]*float64, len(form.Operands))
	bound, err := f.bindings.BindExpressionParamSlots(m, form.Expr, f.bindings.ChoiceOfFirstBoundValues())
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
func (f *attributionQueryPlanner) addFilteredMetricBase(m *catalog.Metric) error {
	base := m.Derive.Base
	axis := measure.AxisOfMetric(f.cat, m, nil)
	at, err := f.addMetric(base, axis)
	if err != nil {
		return err
	}
	f.columns.base = &at
	choice := f.bindings.ChoiceOfFirstBoundValues()
	aggregate, where, err := f.x.UnderlyingMeasureAndFilter(base, choice)
	if err != nil {
		return err
	}
	own, err := f.bindings.BindExpressionParamSlots(m, m.Derive.Where, choice)
	if err != nil {
		return err
	}
	rest := sqlexpr.And(where, &sqlexpr.IsTruth{Not: true, Want: true, X: own})
	onAxis := measure.AxisOfMeasure(f.cat, base, aggregate, measure.AxisOfMetric(f.cat, base, axis))
	other, err := f.addMeasure(measure.Ref{RefKey: measure.RefKey{Measure: aggregate, Axis: onAxis}, Where: rest}, 0)
	f.columns.complement = &other
	return err
}
