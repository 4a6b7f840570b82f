package compile

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// describeMetrics fills in what follows from a metric's form: its kind and type.
func (c *compiler) describeMetrics() {
	d := describer{c, make([]bool, len(c.metrics))}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		d.metric(m.cat)
	}
}

type describer struct {
	*compiler
	seen []bool
}

// metric describes members first: a combined metric's type depends on theirs.
func (d describer) metric(m *catalog.Metric) {
	if d.seen[m.ID] {
		return
	}
	d.seen[m.ID] = true
	m.Type = datatypes[m.Datatype]
	if m.Err != nil {
		return
	}
	for _, member := range m.Members() {
		d.metric(member)
	}
	if m.Derive != nil && m.Derive.Base != nil {
		m.Kind = catalog.KindAggregate
		if m.Datatype == "" {
			m.Type = m.Derive.Base.Type
		}
	} else if form := m.Forms.Default; form != nil {
		m.Kind = kindOf(form)
		for _, f := range m.AllForms() {
			f.Expr = sqlexpr.ResolveOperatorTypes(f.Expr, operandTypes(f))
		}
		if m.Datatype == "" {
			m.Type = sqlexpr.TypeOf(form.Expr, operandTypes(form))
		}
	}
	if m.Window != nil && m.Datatype == "" {
		m.Type = m.Window.Type(m.Type)
	}
}

// operandTypes types the leaves of a form.
func operandTypes(form *catalog.Form) func(sqlexpr.Expr) sqlexpr.Type {
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

// kindOf classifies a form: one aggregate and nothing else, arithmetic of
// aggregates and nothing else, or anything else.
func kindOf(form *catalog.Form) catalog.Kind {
	if _, plain := form.Expr.(*sqlexpr.Ref); plain {
		if _, measure := form.Operands[0].(*catalog.Measure); measure {
			return catalog.KindAggregate
		}
		return catalog.KindExpression
	}
	if arithmetic(form.Expr) {
		return catalog.KindRatio
	}
	return catalog.KindExpression
}

func arithmetic(e sqlexpr.Expr) bool {
	switch e := e.(type) {
	case *sqlexpr.Ref:
		return true
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpDiv:
			return arithmetic(e.L) && arithmetic(e.R)
		}
	}
	return false
}
