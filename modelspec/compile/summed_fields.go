package compile

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// markSummedOrAveragedFields notes which fields metrics sum or average.
func (c *compiler) markSummedOrAveragedFields() {
	for m := range cancel.EachUntilDone(c.ctx, c.cat.Metrics) {
		if m.Err != nil {
			continue
		}
		for _, form := range m.FormsOfAllDialects() {
			for _, o := range form.Operands {
				measure, ok := o.(*catalog.Measure)
				if !ok || measure.Agg != catalog.AggSum && measure.Agg != catalog.AggAvg {
					continue
				}
				c.markFieldsOfSummedValue(m, measure.Arg)
			}
		}
	}
}

// markFieldsOfSummedValue marks the fields whose values end up in the value of e. Those that
// only decide, in a condition, do not.
func (c *compiler) markFieldsOfSummedValue(m *catalog.Metric, e sqlexpr.Expr) {
	switch e := e.(type) {
	case *sqlexpr.Ref:
		if f := c.cat.FieldByID(e.ID).SourceField(); f.MeasuredBy == nil {
			f.MeasuredBy = m
		}
	case *sqlexpr.Unary:
		c.markFieldsOfSummedValue(m, e.X)
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpDiv, sqlexpr.OpMod:
			c.markFieldsOfSummedValue(m, e.L)
			c.markFieldsOfSummedValue(m, e.R)
		}
	case *sqlexpr.Cast:
		c.markFieldsOfSummedValue(m, e.X)
	case *sqlexpr.DeclaredTypeExpr:
		c.markFieldsOfSummedValue(m, e.X)
	case *sqlexpr.Case:
		for _, w := range e.Whens {
			c.markFieldsOfSummedValue(m, w.Then)
		}
		c.markFieldsOfSummedValue(m, e.Else)
	case *sqlexpr.Call:
		for i, arg := range e.Args {
			decides := e.Fn == sqlexpr.FnIf && i == 0 || e.Fn == sqlexpr.FnNullIf && i == 1
			if !decides {
				c.markFieldsOfSummedValue(m, arg)
			}
		}
	}
}
