package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// lodFields appends the level-of-detail fields that a field's value needs,
// itself included.
func (b *build) lodFields(out []*catalog.Field, f *catalog.Field) []*catalog.Field {
	if f.LOD != nil {
		if slices.Contains(out, f) {
			return out
		}
		out = append(out, f)
		if form := f.LOD.Measures.For(b.target.Dialect); form != nil {
			for _, o := range form.Operands {
				if m, ok := o.(*catalog.Measure); ok {
					out = b.lodFieldsIn(out, m.Arg)
				}
			}
		}
		return b.lodFieldsIn(out, f.LOD.Where)
	}
	return b.lodFieldsIn(out, f.Expr.For(b.target.Dialect))
}

func (b *build) lodFieldsIn(out []*catalog.Field, e sqlexpr.Expr) []*catalog.Field {
	if e == nil {
		return out
	}
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			out = b.lodFields(out, b.cat.Fields[r.ID])
		}
		return true
	})
	return out
}

// exprParams lists the parameters of the level-of-detail fields that
// expressions over fields read: a measure's argument, a filter's predicate.
func (b *build) exprParams(exprs ...sqlexpr.Expr) []*catalog.Param {
	var fields []*catalog.Field
	for _, e := range exprs {
		fields = b.lodFieldsIn(fields, e)
	}
	return paramsOf(fields)
}

func paramsOf(fields []*catalog.Field) []*catalog.Param {
	var out []*catalog.Param
	for _, f := range fields {
		for _, p := range f.LOD.Params {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// lodParams lists the parameters of the level-of-detail fields that group-bys
// and conditions read: row-level values, for which one value must do.
func (b *build) lodParams() []*catalog.Param {
	var fields []*catalog.Field
	for _, g := range b.groups {
		if !g.metricTime {
			fields = b.lodFields(fields, g.ref.Field)
		}
	}
	for _, r := range b.refs {
		fields = b.lodFields(fields, r.Field)
	}
	return paramsOf(fields)
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
