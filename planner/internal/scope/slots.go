package scope

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Slots are the parameter slots that an expression of the model may have: those of its
// owner, a metric or a level-of-detail field, with the values chosen for them.
type Slots struct {
	Kind   string // of their owner
	Owner  string
	Params []*catalog.Param
	Bound  Bindings
	Choice Choice
}

// SlotsOf returns the parameter slots of the expressions of a metric.
func (b Bindings) SlotsOf(m *catalog.Metric, c Choice) Slots {
	return Slots{"metric", m.Name, m.Params, b, c}
}

// BindExpressionParamSlots replaces the parameter slots of a metric's expression.
func (b Bindings) BindExpressionParamSlots(m *catalog.Metric, e sqlexpr.Expr, c Choice) (sqlexpr.Expr, error) {
	return b.SlotsOf(m, c).BindSlots(e)
}

// SlotLiteral returns the value of a slot as a literal.
func (s Slots) SlotLiteral(name string) (sqlexpr.Expr, error) {
	i := slices.IndexFunc(s.Params, func(p *catalog.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, InternalError("%s %s has a slot :%s and no such parameter", s.Kind, s.Owner, name)
	}
	return s.Bound.paramLiteral(s.Params[i], s.Choice)
}

// BindSlots replaces the slots of an expression.
func (s Slots) BindSlots(e sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		p, ok := x.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		v, err := s.SlotLiteral(p.Name)
		if err != nil {
			failed = err
			return x
		}
		return v
	})
	if failed != nil {
		return nil, failed
	}
	return out, s.CheckTextFunctionCost(e, out)
}

// CheckTextFunctionCost rejects values of params that make the text functions of a slotted
// expression more expensive than a condition of a query may be. It does not limit what the
// model does without parameters: that is the choice of its author.
func (s Slots) CheckTextFunctionCost(slotted, bound sqlexpr.Expr) error {
	if len(s.Bound.QueryBindings()) == 0 || sqlexpr.CheckTextFunctionCost(slotted, sqlexpr.QueryLimits()) != nil {
		return nil
	}
	over := sqlexpr.CheckTextFunctionCost(bound, sqlexpr.QueryLimits())
	if over == nil {
		return nil
	}
	for _, slot := range sqlexpr.ParamSlots(slotted) {
		i := slices.IndexFunc(s.Params, func(p *catalog.Param) bool { return p.Name == slot.Name && p.Type == catalog.ParamString })
		if i >= 0 && s.Bound.indexOfBinding(slot.Name) >= 0 {
			return s.Bound.OutOfDomainError(s.Params[i], "with the value of "+slot.Name+", "+over.Problem)
		}
	}
	return nil
}
