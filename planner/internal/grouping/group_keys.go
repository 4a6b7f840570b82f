package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// groupKeyOfExpression returns the group key of an expression in a branch.
func (p *Planner) groupKeyOfExpression(g scope.Group) (plan.NamedExpr, error) {
	if err := p.Sizes.AddToQuerySize(g.Expression.Expr); err != nil {
		return plan.NamedExpr{}, err
	}
	e, err := build.RewriteRefs(g.Expression.Expr, func(id int) (sqlexpr.Expr, error) { return p.exprOfRef(g.Expression.Refs[id]) })
	if err != nil {
		return plan.NamedExpr{}, err
	}
	return plan.NamedExpr{Name: g.Name, Expr: joins.GroupKeyOfValue(joins.CastTextForExactComparison(e, g.Type, p.Q.In.Target.Caps), g.Type), Type: g.Type}, nil
}

// ListGroupKeys returns the keys of all groups of a branch.
func ListGroupKeys(p *Planner) ([]plan.NamedExpr, error) {
	for i := range p.Q.Groups {
		if _, err := p.groupKey(i); err != nil {
			return nil, err
		}
	}
	return p.groupKeys, nil
}

// fieldGroupKey returns the key of a group of a field.
func fieldGroupKey(p *Planner, group int) (plan.NamedExpr, error) {
	g := p.Q.Groups[group]
	ref := p.Br.GroupRef(g)
	field, typ := ref.Field, ref.Field.Type
	e, buckets := p.rolled.bucketsOfGroup(ref, g.FinestUnit())
	var err error
	if buckets != nil {
		field = buckets
	} else if e, err = p.exprOfRef(ref); err != nil {
		return plan.NamedExpr{}, err
	}
	within := p.NewBranchRangeConditions().timeBoundsRead(ref)
	switch {
	case g.Part != sqlexpr.PartNone:
		e, typ = p.Q.In.Times.Clock.PartExpr(e, field, g.Part, within), g.Type
	case g.HasBuckets():
		e, typ = p.Q.In.Times.Clock.BucketExpr(e, field, g.Grain, within), ref.Field.BucketType(g.Grain)
	default:
		e = joins.TruncateDateFieldToDay(e, ref.Field)
	}
	if g.Period != nil {
		if e, err = p.Calendars.periodKey(group, e); err != nil {
			return plan.NamedExpr{}, err
		}
	}
	if p.Calendars.movesGroupKey(group) {
		e = p.Calendars.movedBucketKey(e)
	}
	return plan.NamedExpr{Name: g.Name, Expr: e, Type: typ}, nil
}
