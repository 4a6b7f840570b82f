package planner

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// breakdowns adds to the totals what a derived metric is made of: the members
// of a composed one, the base of a filtered one and the rest of it.
func (f *fetch) breakdowns() error {
	m := f.a.metric
	if m.Window != nil {
		return nil
	}
	if m.Derive != nil && m.Derive.Base != nil {
		return f.filterBreakdown(m)
	}
	return f.memberBreakdown(m)
}

func (f *fetch) memberBreakdown(m *catalog.Metric) error {
	form := m.Forms.For(f.target.Dialect)
	if form == nil || len(m.MembersFor(f.target.Dialect)) == 0 {
		return nil
	}
	coefficients, err := f.coefficients(m, form)
	if err != nil {
		return err
	}
	axis := f.metricAxis(m, nil)
	for i, o := range form.Operands {
		member, ok := o.(*catalog.Metric)
		if !ok {
			continue
		}
		at, err := f.metricPair(member, axis)
		if err != nil {
			return err
		}
		f.layout.members = append(f.layout.members, &at)
		f.a.out.members = append(f.a.out.members, memberOf{member, coefficients[i]})
	}
	return nil
}

// coefficients gives the coefficient of each operand of a form, nil for all
// where the form is not linear.
func (f *fetch) coefficients(m *catalog.Metric, form *catalog.Form) ([]*float64, error) {
	out := make([]*float64, len(form.Operands))
	bound, err := f.bindSlots(m, form.Expr, f.a.env(f.build))
	if err != nil {
		return nil, err
	}
	for i, c := range Coefficients(bound, len(out)) {
		out[i] = &c
	}
	return out, nil
}

// filterBreakdown adds the base metric, and the base over the rows that the
// filter leaves out.
func (f *fetch) filterBreakdown(m *catalog.Metric) error {
	base := m.Derive.Base
	axis := f.metricAxis(m, nil)
	at, err := f.metricPair(base, axis)
	if err != nil {
		return err
	}
	f.layout.base = &at
	e := f.a.env(f.build)
	measure, where, err := f.plainMeasure(base, e)
	if err != nil {
		return err
	}
	own, err := f.bindSlots(m, m.Derive.Where, e)
	if err != nil {
		return err
	}
	rest := sqlexpr.And(where, &sqlexpr.IsTruth{Not: true, Want: true, X: own})
	u := use{useKey: useKey{measure: measure, axis: f.measureAxis(base, measure, f.metricAxis(base, axis))}, where: rest}
	other, err := f.usePair(u, 0)
	f.layout.complement = &other
	return err
}
