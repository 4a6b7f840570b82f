package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/plan"
)

// joinKeptValues joins the kept values of top to the rows of a branch, and replaces the dimension
// among its keys. The rows find at most one kept value each. groups are the keys as the kept
// values have them. The conditions are those of the rows that stay.
func (k *keptTopValues) joinKeptValues(from plan.Node, tree *joins.Tree, keys, groups []plan.NamedExpr) (plan.Node, []plan.NamedExpr, []sqlexpr.Expr) {
	if k == nil {
		return from, keys, nil
	}
	schema := k.node.Schema()
	table := &plan.Derived{Input: k.node, Alias: tree.UniqueAlias("kept"), Why: k.why, Shared: k.shared}
	column := func(i int) sqlexpr.Expr {
		return sqlexpr.NewTwoPartColumn(table.Alias, sqlexpr.Name{Text: schema[i].Name, Quoted: true})
	}
	var on []plan.JoinEquality
	for i, g := range k.spec.withinGroups {
		on = append(on, plan.JoinEquality{Left: groups[g].Expr, Right: column(i), NullSafe: true})
	}
	value, kept := keys[k.spec.dimension].Expr, column(len(k.spec.withinGroups))
	on = append(on, plan.JoinEquality{Left: value, Right: kept})
	from = &plan.Join{Left: from, Right: table, Kind: plan.LeftJoin, On: on, Cardinality: "one row per kept value"}

	keys[k.spec.dimension].Expr = kept
	if !k.spec.mergesOthers {
		stays := &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{Not: true, X: kept}, R: &sqlexpr.IsNull{X: value}}
		return from, keys, []sqlexpr.Expr{stays}
	}
	remains := sqlexpr.And(&sqlexpr.IsNull{X: kept}, &sqlexpr.IsNull{Not: true, X: value})
	keys[k.spec.dimension+1].Expr, keys[k.spec.dimension+1].Type = remains, sqlexpr.TypeBool
	if k.spec.label != nil {
		keys[k.spec.dimension].Expr = &sqlexpr.Case{
			Whens: []sqlexpr.When{{Cond: remains, Then: k.spec.label}},
			Else:  kept,
		}
	}
	return from, keys, nil
}

// filterKeptTopValues keeps the rows of kept values, where the others are not merged.
func filterKeptTopValues(from plan.Node, conds []sqlexpr.Expr) plan.Node {
	if len(conds) == 0 {
		return from
	}
	return &plan.Filter{Input: from, Conds: conds, Why: "top"}
}
