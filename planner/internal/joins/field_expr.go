package joins

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// FieldExpr is the expression that reads a field at a node; variant is handed to the
// source of the level-of-detail tables it may need. Errors are the
// *modelspec.CompileError of a field that failed to compile, or a
// *planerr.Error.
func (t *Tree) FieldExpr(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	e, err := t.unguardedExpr(n, f, variant)
	if err != nil || !n.nullable || !f.ReadsLOD(t.dialect) && sqlexpr.NullWhenColumnsNull(e) {
		return e, err
	}
	matched, err := t.matchMarker(n)
	if err != nil {
		return nil, err
	}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{
		Cond: &sqlexpr.IsNull{Not: true, X: matched},
		Then: e,
	}}}, nil
}

// unguardedExpr is the field's expression over the node's alias, without the guard.
func (t *Tree) unguardedExpr(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	if err := f.ErrFor(t.dialect); err != nil {
		return nil, err
	}
	if f.LOD != nil {
		return t.lodValue(n, f, variant)
	}
	alias := sqlexpr.Name{Text: n.Alias, Quoted: true}
	var failed error
	e := sqlexpr.Rewrite(f.Expr.For(t.dialect), func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.Column:
			return t.exactColumn(f, &sqlexpr.Column{At: x.At, Path: []sqlexpr.Name{alias, x.Path[len(x.Path)-1]}})
		case *sqlexpr.Ref:
			v, err := t.lodValue(n, n.Dataset.Fields[x.ID-n.Dataset.Fields[0].ID], variant)
			if err != nil {
				failed = err
				return x
			}
			return v
		}
		return nil
	})
	return t.exactText(f, e), failed
}

// matchMarker is an expression of the node's own side of its join that is never
// NULL on a matched row and always NULL on an unmatched one: an equality has
// matched on it.
func (t *Tree) matchMarker(n *Node) (sqlexpr.Expr, error) {
	keys := n.step.Rel.ToFields
	if n.step.Reverse {
		keys = n.step.Rel.FromFields
	}
	for _, k := range keys {
		e, err := t.unguardedExpr(n, k, "")
		if err != nil {
			return nil, err
		}
		if sqlexpr.NullWhenColumnsNull(e) {
			return e, nil
		}
	}
	if n.parent != nil && n.parent.nullable && n.step.Rel.JoinType == catalog.JoinInner {
		return t.matchMarker(n.parent)
	}
	return nil, &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: "relationship " + n.step.Rel.Name + " joins on computed keys that are never null, so unmatched rows of " +
			n.Dataset.Name + " cannot be distinguished from matched ones",
		SuggestedRetry: "join on a plain column of " + n.Dataset.Name,
	}
}

// lodValue joins the level-of-detail table of a field to its carrier, once, and
// reads its value.
func (t *Tree) lodValue(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	for _, l := range n.derived {
		if l.field == f && l.variant == variant {
			return l.value, nil
		}
	}
	table, err := t.lod(f, variant)
	if err != nil {
		return nil, err
	}
	l := &lodJoin{field: f, variant: variant, alias: t.alias(n.Alias + "__" + f.Name)}
	schema := table.Node.Schema()
	l.node = &plan.Derived{Input: table.Node, Alias: l.alias, Why: "lod " + f.Qualified()}
	for i, g := range f.LOD.Grain {
		left, err := t.unguardedExpr(n, g, variant)
		if err != nil {
			return nil, err
		}
		l.on = append(l.on, plan.JoinPair{Left: GroupKey(left, g), Right: l.column(schema[i].Name), NullSafe: true})
	}
	l.value = table.Value(func(i int) sqlexpr.Expr { return l.column(schema[i].Name) })
	n.derived = append(n.derived, l)
	return l.value, nil
}

// GroupKey returns the expression that groups rows by a field: e itself, and for a Date
// the day of the stored value. Without it, a column of timestamps would split one day into
// many groups.
func GroupKey(e sqlexpr.Expr, f *catalog.Field) sqlexpr.Expr {
	if f.Type != sqlexpr.TypeDate || f.Encoding != nil {
		return e
	}
	return &sqlexpr.Bucket{Grain: sqlexpr.GrainDay, From: sqlexpr.TypeDate, X: e}
}

func (l *lodJoin) column(name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: l.alias, Quoted: true}, {Text: name, Quoted: true}}}
}
