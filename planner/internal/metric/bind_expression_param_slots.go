package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// expressionParamSlots are the parameter slots that an expression of the model may have: those of its
// owner, a metric or a level-of-detail field, with the values chosen for them.
type expressionParamSlots struct {
	kind   string // of their owner
	owner  string
	params []*catalog.Param
	bound  Bindings
	choice BindingChoice
}

func (b Bindings) newExpressionParamSlots(m *catalog.Metric, c BindingChoice) expressionParamSlots {
	return expressionParamSlots{"metric", m.Name, m.Params, b, c}
}

// BindExpressionParamSlots replaces the parameter slots of a metric's expression.
func (b Bindings) BindExpressionParamSlots(m *catalog.Metric, e sqlexpr.Expr, c BindingChoice) (sqlexpr.Expr, error) {
	return b.newExpressionParamSlots(m, c).bindSlots(e)
}

// slotLiteral returns the value of a slot as a literal.
func (s expressionParamSlots) slotLiteral(name string) (sqlexpr.Expr, error) {
	i := slices.IndexFunc(s.params, func(p *catalog.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, InternalError("%s %s has a slot :%s and no such parameter", s.kind, s.owner, name)
	}
	return s.bound.paramLiteral(s.params[i], s.choice)
}

// bindSlots replaces the slots of an expression.
func (s expressionParamSlots) bindSlots(e sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		p, ok := x.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		v, err := s.slotLiteral(p.Name)
		if err != nil {
			failed = err
			return x
		}
		return v
	})
	if failed != nil {
		return nil, failed
	}
	return out, s.checkTextFunctionCost(e, out)
}

// checkTextFunctionCost rejects values of params that make the text functions of a slotted
// expression more expensive than a condition of a query may be. It does not limit what the
// model does without parameters: that is the choice of its author.
func (s expressionParamSlots) checkTextFunctionCost(slotted, bound sqlexpr.Expr) error {
	if len(s.bound.queryBindings()) == 0 || sqlexpr.CheckTextFunctionCost(slotted, sqlexpr.QueryLimits()) != nil {
		return nil
	}
	over := sqlexpr.CheckTextFunctionCost(bound, sqlexpr.QueryLimits())
	if over == nil {
		return nil
	}
	for _, slot := range sqlexpr.ParamSlots(slotted) {
		i := slices.IndexFunc(s.params, func(p *catalog.Param) bool { return p.Name == slot.Name && p.Type == catalog.ParamString })
		if i >= 0 && s.bound.indexOfBinding(slot.Name) >= 0 {
			return s.bound.OutOfDomainError(s.params[i], "with the value of "+slot.Name+", "+over.Problem)
		}
	}
	return nil
}
