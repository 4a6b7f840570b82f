package access

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// RuleJoin is a relationship that the rule of a dataset joins on, or one of its masks.
type RuleJoin struct {
	Text         Text // of the rule or the mask
	Dataset      string
	Relationship *catalog.Relationship
}

// RuleJoins lists the relationships that rules and masks join on in a dialect, in the order of the file.
func (a *Applied) RuleJoins(dialect string) []RuleJoin {
	var out []RuleJoin
	add := func(g *Grant, text Text, f *catalog.Field) {
		if f == nil {
			return
		}
		for _, r := range a.model.RelationshipsOfExpr(f.Expr.ForDialect(dialect), dialect) {
			out = append(out, RuleJoin{text, g.Dataset.Value, r})
		}
	}
	grants := func(list []Grant) {
		for i := range list {
			g := &list[i]
			add(g, g.Rows, a.rules[g])
			for _, m := range g.Mask {
				if d := a.model.Dataset(g.Dataset.Value); d != nil {
					add(g, m.Expr, a.masks[g][d.Field(m.Field.Value)])
				}
			}
		}
	}
	for i := range a.policies.Roles {
		grants(a.policies.Roles[i].Datasets)
	}
	if a.policies.Required != nil {
		grants(a.policies.Required.Datasets)
	}
	slices.SortStableFunc(out, func(x, y RuleJoin) int { return x.Text.Position().Compare(y.Text.Position()) })
	return out
}
