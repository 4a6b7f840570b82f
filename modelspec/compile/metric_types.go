package compile

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// inferMetricKindsAndTypes fills in what follows from a metric's form: its kind and type.
func (c *compiler) inferMetricKindsAndTypes() {
	d := metricTypeInferrer{c, make([]bool, len(c.metrics))}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		d.inferKindAndType(m.cat)
	}
}

type metricTypeInferrer struct {
	*compiler
	seen []bool
}

// inferKindAndType describes members first: a combined metric's type depends on theirs.
func (d metricTypeInferrer) inferKindAndType(m *catalog.Metric) {
	if d.seen[m.ID] {
		return
	}
	d.seen[m.ID] = true
	m.Type = m.Datatype.LogicalType()
	if m.Err != nil {
		return
	}
	for _, member := range m.MemberMetrics() {
		d.inferKindAndType(member)
	}
	if m.Derive != nil && m.Derive.Base != nil {
		m.Kind = catalog.KindAggregate
		if m.Datatype == "" {
			m.Type = m.Derive.Base.Type
		}
	} else if m.Forms.Default != nil {
		setKindAndTypeOfMetric(m)
	}
	if m.Window != nil && m.Datatype == "" {
		m.Type = m.Window.ResultType(m.Type)
	}
}

// setKindAndTypeOfMetric fills in the kind and the type of a metric that has forms, once its members are
// described.
func setKindAndTypeOfMetric(m *catalog.Metric) {
	form := m.Forms.Default
	if m.Kind = classifyArithmeticForm(form); m.At != nil {
		m.Kind = catalog.KindExpression
	}
	for _, f := range m.FormsOfAllDialects() {
		f.Expr = sqlexpr.ResolveOperatorTypes(f.Expr, operandTyper(f))
	}
	if m.Datatype == "" {
		m.Type = sqlexpr.TypeOf(form.Expr, operandTyper(form))
	}
}

// operandTyper types the leaves of a form.
func operandTyper(form *catalog.ArithmeticOverOperands) func(sqlexpr.Expr) sqlexpr.Type {
	return func(e sqlexpr.Expr) sqlexpr.Type {
		ref, ok := e.(*sqlexpr.Ref)
		if !ok {
			return sqlexpr.TypeUnknown
		}
		switch o := form.Operands[ref.ID].(type) {
		case *catalog.Measure:
			return o.Type
		case *catalog.Metric:
			return o.Type
		}
		return sqlexpr.TypeUnknown
	}
}

// classifyArithmeticForm classifies a form: one aggregate and nothing else, a division of aggregates or of arithmetic of
// them, or anything else, such as a difference.
func classifyArithmeticForm(form *catalog.ArithmeticOverOperands) catalog.MetricKind {
	if _, plain := form.Expr.(*sqlexpr.Ref); plain {
		if _, measure := form.Operands[0].(*catalog.Measure); measure {
			return catalog.KindAggregate
		}
		return catalog.KindExpression
	}
	if division, ok := form.Expr.(*sqlexpr.Binary); ok && division.Op == sqlexpr.OpDiv && isArithmeticOfOperands(division) {
		return catalog.KindRatio
	}
	return catalog.KindExpression
}

func isArithmeticOfOperands(e sqlexpr.Expr) bool {
	switch e := e.(type) {
	case *sqlexpr.Ref:
		return true
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpDiv:
			return isArithmeticOfOperands(e.L) && isArithmeticOfOperands(e.R)
		}
	}
	return false
}
