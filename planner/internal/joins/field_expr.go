package joins

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// FieldExpr returns the expression that reads a field at a node, from where the joins of a joined field lead on; variant is handed to the
// source of the level-of-detail tables it may need. Errors are the
// *modelspec.CompileError of a field that failed to compile, or a
// *planerr.Error.
func (t *Tree) FieldExpr(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	if t.stored != nil {
		if e := t.stored.fieldExpr(n.path(), f); e != nil {
			return e, nil
		}
	}
	if j := f.Joined; j != nil {
		return t.FieldExpr(t.JoinPath(n, j.Path, j.Named), j.Field, variant)
	}
	e, err := t.fieldExprWithoutMatchGuard(n, f, variant)
	if err != nil || !n.nullable || !f.ReadsJoinedTables(t.dialect) && sqlexpr.IsNullForNullColumns(e) {
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

// fieldExprWithoutMatchGuard returns the field's expression over the node's alias, without the guard.
func (t *Tree) fieldExprWithoutMatchGuard(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	if err := f.ErrorForDialect(t.dialect); err != nil {
		return nil, err
	}
	n.virtual = false
	if f.LOD != nil {
		e, err := t.joinLODTable(n, f, variant)
		return declaredDay(e, f), err
	}
	var failed error
	e := sqlexpr.Rewrite(sqlexpr.BindUserAttributes(f.Expr.ForDialect(t.dialect), t.cat.Attributes), func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.Column:
			column := n.columnOfTable(x.Path[len(x.Path)-1])
			column.Position = x.Position
			return t.castColumnDeclaredAsText(f, x, column)
		case *sqlexpr.Ref:
			v, err := t.joinedOrLODFieldExpr(n, t.cat.FieldByID(x.ID), variant)
			if err != nil {
				failed = err
				return x
			}
			return v
		}
		return nil
	})
	return declaredDay(t.castTextFieldForExactComparison(f, e), f), failed
}

// declaredDay returns the value of a field, for a Date the day of the value: its column may hold timestamps.
func declaredDay(e sqlexpr.Expr, f *catalog.Field) sqlexpr.Expr {
	if e == nil || f.Type != sqlexpr.TypeDate || f.Encoding != nil {
		return e
	}
	return sqlexpr.DayOf(e)
}

// joinedOrLODFieldExpr returns what the expression of a field reads beside the columns of its dataset.
func (t *Tree) joinedOrLODFieldExpr(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	if f.Joined != nil {
		return t.FieldExpr(n, f, variant)
	}
	return t.joinLODTable(n, f, variant)
}

// matchMarker returns an expression of the node's own side of its join that is never
// NULL on a matched row and always NULL on an unmatched one: an equality has
// matched on it.
func (t *Tree) matchMarker(n *Node) (sqlexpr.Expr, error) {
	for i := range n.keyFields() {
		e, err := n.keyExpr(t, i)
		if err != nil {
			return nil, err
		}
		if sqlexpr.IsNullForNullColumns(e) {
			return sqlexpr.StoredTime(e), nil
		}
	}
	if n.parent != nil && n.parent.nullable && !n.kept && n.step.Rel.JoinType == catalog.JoinInner {
		return t.matchMarker(n.parent)
	}
	return nil, &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: "relationship " + n.step.Rel.Name + " joins on computed keys that are never null, so unmatched rows of " +
			n.Dataset.Name + " cannot be distinguished from matched ones",
		SuggestedRetry: "join on a plain column of " + n.Dataset.Name,
	}
}

// KeyColumnExpr returns the expression that reads a column of the node's dataset by its name, as a field
// reads it where there is one.
func (t *Tree) KeyColumnExpr(n *Node, name string) (sqlexpr.Expr, error) {
	if f := n.Dataset.FieldOfKeyColumn(name); f != nil {
		return t.fieldExprWithoutMatchGuard(n, f, "")
	}
	return n.columnOfTable(sqlexpr.Name{Text: name}), nil
}

// RowPresenceMarker returns an expression that is NULL exactly on the rows without a row of the node; nil where
// all have one.
func (t *Tree) RowPresenceMarker(n *Node) (sqlexpr.Expr, error) {
	if !n.nullable {
		return nil, nil
	}
	return t.matchMarker(n)
}

// joinLODTable joins the level-of-detail table of a field to its carrier, once, and
// reads its value.
func (t *Tree) joinLODTable(n *Node, f *catalog.Field, variant string) (sqlexpr.Expr, error) {
	for _, l := range n.derived {
		if l.field == f && l.variant == variant {
			return l.value, nil
		}
	}
	if t.stored != nil {
		return nil, t.stored.missing(f.QualifiedName())
	}
	table, err := t.tables.Planner.PlanLODTable(append(slices.Clip(t.tables.Outer), f), variant)
	if err != nil {
		return nil, err
	}
	l := &lodJoin{field: f, variant: variant, alias: t.reserveAlias(n.Alias + "__" + f.Name)}
	schema := table.Node.Schema()
	l.node = &plan.Derived{Input: table.Node, Alias: l.alias, Why: "lod " + f.QualifiedName()}
	for i, g := range f.LOD.Grain {
		left, err := t.fieldExprWithoutMatchGuard(n, g, variant)
		if err != nil {
			return nil, err
		}
		t.joinedGrains = t.joinedGrains || g.ReadsJoinedTables(t.dialect)
		// Foreign keys compare as in their relationship, since the two columns may differ in type and in collation.
		l.on = append(l.on, plan.JoinEquality{
			Left: TruncateDateFieldToDay(left, g), Right: l.lodTableColumn(schema[i].Name), NullSafe: !table.ForeignKeys, ComparesAsRight: table.ForeignKeys,
			Integers: table.ForeignKeys && g.Type == sqlexpr.TypeInt && schema[i].Type == sqlexpr.TypeInt,
		})
	}
	l.value = table.Value(func(i int) sqlexpr.Expr { return l.lodTableColumn(schema[i].Name) })
	n.derived = append(n.derived, l)
	return l.value, nil
}

// TruncateDateFieldToDay returns the expression that groups rows by a field: e itself, and for a Date
// the day of the stored value. Without it, a column of timestamps would split one day into
// many groups.
func TruncateDateFieldToDay(e sqlexpr.Expr, f *catalog.Field) sqlexpr.Expr {
	if f.Encoding != nil {
		return e
	}
	return GroupKeyOfValue(e, f.Type)
}

// GroupKeyOfValue returns the expression that groups rows by a value that is not an encoded field.
func GroupKeyOfValue(e sqlexpr.Expr, t sqlexpr.Type) sqlexpr.Expr {
	if t != sqlexpr.TypeDate {
		return e
	}
	return sqlexpr.DayOf(e)
}

func (l *lodJoin) lodTableColumn(name string) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(l.alias, sqlexpr.Name{Text: name, Quoted: true})
}
