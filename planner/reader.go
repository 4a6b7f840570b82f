package planner

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/barrier"
	"github.com/semlayer/semlayer/planner/plan"
)

// ForReader returns a planner over the same catalog for a reader with these attributes, which the rules and masks of the catalog read.
func (p *Planner) ForReader(attributes sqlexpr.AttributeValues) *Planner {
	return &Planner{cat: p.cat.ForReader(attributes), facts: p.facts}
}

// GuardConditions returns a plan in which no condition is computed on a row that the rules of the catalog keep from its reader, where it
// could end the statement with an error that names a value. The target is the engine.
func (p *Planner) GuardConditions(root plan.Node, t Target) plan.Node {
	return barrier.Guard(p.cat, root, t.Caps)
}
