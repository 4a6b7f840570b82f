package top

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// Join joins the kept values of top to the rows of a branch, and replaces the dimension
// among its keys. The rows find at most one kept value each. groups are the keys as the kept
// values have them. The conditions are those of the rows that stay.
func (k *Kept) Join(from plan.Node, tree *joins.Tree, keys, groups []plan.NamedExpr) (plan.Node, []plan.NamedExpr, []sqlexpr.Expr) {
	if k == nil {
		return from, keys, nil
	}
	schema := k.Node.Schema()
	table := &plan.Derived{Input: k.Node, Alias: tree.UniqueAlias("kept"), Why: k.Why, Shared: k.Shared}
	column := func(i int) sqlexpr.Expr {
		return sqlexpr.NewTwoPartColumn(table.Alias, sqlexpr.Name{Text: schema[i].Name, Quoted: true})
	}
	var on []plan.JoinEquality
	for i, g := range k.Spec.WithinGroups {
		on = append(on, plan.JoinEquality{Left: groups[g].Expr, Right: column(i), NullSafe: true})
	}
	value, kept := keys[k.Spec.Dimension].Expr, column(len(k.Spec.WithinGroups))
	on = append(on, plan.JoinEquality{Left: value, Right: kept})
	from = &plan.Join{Left: from, Right: table, Kind: plan.LeftJoin, On: on, Cardinality: "one row per kept value"}

	keys[k.Spec.Dimension].Expr = kept
	if !k.Spec.MergesOthers {
		stays := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{Not: true, X: kept}, R: &sqlexpr.IsNull{X: value}}
		return from, keys, []sqlexpr.Expr{stays}
	}
	remains := sqlexpr.And(&sqlexpr.IsNull{X: kept}, &sqlexpr.IsNull{Not: true, X: value})
	keys[k.Spec.Dimension+1].Expr, keys[k.Spec.Dimension+1].Type = remains, sqlexpr.TypeBool
	if k.Spec.label != nil {
		keys[k.Spec.Dimension].Expr = &sqlexpr.Case{
			Whens: []sqlexpr.When{{Cond: remains, Then: k.Spec.label}},
			Else:  kept,
		}
	}
	return from, keys, nil
}

// OverGroups returns the spec for a query of some of the group-bys; ok is false where it reads others.
func (t *Spec) OverGroups(groups []int) (out *Spec, ok bool) {
	over := *t
	over.Dimension = slices.Index(groups, t.Dimension)
	ok = over.Dimension >= 0
	within := make([]int, len(t.WithinGroups))
	for i, g := range t.WithinGroups {
		within[i] = slices.Index(groups, g)
		ok = ok && within[i] >= 0
	}
	over.WithinGroups = within
	return &over, ok
}

// FilterKept keeps the rows of kept values, where the others are not merged.
func FilterKept(from plan.Node, conds []sqlexpr.Expr) plan.Node {
	if len(conds) == 0 {
		return from
	}
	return &plan.Filter{Input: from, Conds: conds, Why: "top"}
}

// Kept are the values that top keeps: one row for each in each group of top.within.
// Its first columns are those groups, the next one is the dimension, which is never NULL.
type Kept struct {
	Spec   *Spec
	Node   plan.Node
	Shared bool   // several branches or levels read them
	Why    string // for EXPLAIN
}

// Keep keeps the n largest values of the ranked ones, in each group of within.
func (t *Spec) Keep(ranked *plan.Filter) plan.Node {
	dimension, value := len(t.WithinGroups), len(t.WithinGroups)+1
	if len(t.WithinGroups) == 0 {
		keys := []plan.SortKey{{Col: value, Desc: t.desc}, {Col: dimension, NotNull: true}}
		return &plan.Limit{Input: &plan.Sort{Input: ranked, Keys: keys}, N: t.n}
	}
	schema := ranked.Schema()
	names := naming.NewNamer()
	for _, c := range schema {
		names.UniqueName(c.Name)
	}
	place := &sqlexpr.WindowCall{
		Call: build.Call(sqlexpr.FnRowNumber, "row_number"),
		Order: []sqlexpr.OrderItem{
			{X: &sqlexpr.Ref{ID: value}, Desc: t.desc},
			{X: &sqlexpr.Ref{ID: dimension}},
		},
	}
	for i := range t.WithinGroups {
		place.Partition = append(place.Partition, &sqlexpr.Ref{ID: i})
	}
	numbered := &plan.Window{Input: ranked, Funcs: []plan.NamedExpr{{Name: names.UniqueName("place"), Expr: place, Type: sqlexpr.TypeInt}}}
	first := &sqlexpr.Binary{Op: sqlexpr.OpLe, L: &sqlexpr.Ref{ID: len(schema)}, R: &sqlexpr.Number{Text: strconv.FormatInt(t.n, 10)}}
	kept := &plan.Filter{Input: numbered, Conds: []sqlexpr.Expr{first}, Why: "top"}
	return &plan.Project{Input: kept, Cols: schema[:dimension+1].ColumnRefs()}
}

// ExplainText describes for EXPLAIN what is kept.
func (t *Spec) ExplainText(groups []scope.Group) string {
	text := "top " + strconv.FormatInt(t.n, 10) + " of " + groups[t.Dimension].Name + " by " + t.RankColumn.Name
	if t.desc {
		text += " desc"
	}
	for i, g := range t.WithinGroups {
		if i == 0 {
			text += " within "
		} else {
			text += ", "
		}
		text += groups[g].Name
	}
	return text
}
