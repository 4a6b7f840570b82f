package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// exprParams lists the parameters of the level-of-detail fields that
// expressions over fields read: a measure's argument, a filter's predicate.
func (b *build) exprParams(exprs ...sqlexpr.Expr) []*catalog.Param {
	var fields []*catalog.Field
	for _, e := range exprs {
		fields = b.cat.AppendLODFieldsIn(fields, e, b.target.Dialect)
	}
	return catalog.ParamsOf(fields)
}

// lodParams lists the parameters of the level-of-detail fields that group-bys
// and conditions read: row-level values, for which one value must do.
func (b *build) lodParams() []*catalog.Param {
	var fields []*catalog.Field
	for _, g := range b.groups {
		if !g.metricTime {
			fields = b.cat.AppendLODFields(fields, g.ref.Field, b.target.Dialect)
		}
	}
	for _, r := range b.refs {
		fields = b.cat.AppendLODFields(fields, r.Field, b.target.Dialect)
	}
	return catalog.ParamsOf(fields)
}

// variantOf names the parameter values that a use reads level-of-detail fields
// with; "" when none of them has parameters.
func (b *build) variantOf(u *use, c boundParams) string {
	if len(c) == 0 || len(b.exprParams(u.measure.Arg, u.where)) == 0 {
		return ""
	}
	key := c.key()
	if b.variants == nil {
		b.variants = map[string]boundParams{}
	}
	b.variants[key] = c
	return key
}

// bindLODSlots replaces the parameter slots of a level-of-detail predicate.
func (b *build) bindLODSlots(f *catalog.Field, e sqlexpr.Expr, variant string) (sqlexpr.Expr, error) {
	chosen := b.variants[variant]
	if chosen == nil {
		chosen = make(boundParams, len(b.bindings))
	}
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		p, ok := x.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		i := slices.IndexFunc(f.LOD.Params, func(d *catalog.Param) bool { return d.Name == p.Name })
		if i < 0 {
			failed = internal("field %s has a slot :%s and no such parameter", f.Qualified(), p.Name)
			return x
		}
		v, err := b.literalOf(f.LOD.Params[i], chosen)
		if err != nil {
			failed = err
			return x
		}
		return v
	})
	if failed != nil {
		return nil, failed
	}
	return out, b.checkBoundTexts(e, out)
}

// crossLayer refuses a conjunct that joins a metric and a level-of-detail field
// by OR: one is known after aggregation, the other before. A row field that is made
// of such a field is a row field.
func (b *build) crossLayer(c conjunct) error {
	for _, r := range c.fields {
		f := b.refs[r].Field
		if f.LOD == nil || b.groupOf(r) >= 0 {
			continue
		}
		e := &planerr.Error{
			Code:           planerr.CodeNotImplemented,
			Message:        "the condition " + c.text + " mixes a metric with the level-of-detail field " + f.Qualified() + " in one conjunct",
			SuggestedRetry: "group by " + b.refs[r].String() + ", or split the condition with AND",
		}
		e.Fragment = map[string]any{"group_by": append(slices.Clone(b.q.GroupBy), b.refItem(r))}
		return e
	}
	return nil
}
