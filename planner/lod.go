package planner

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
)

// lodTable plans the derived table of a level-of-detail field.
func (b *build) lodTable(f *catalog.Field) (plan.Node, error) {
	return nil, notImplemented("level-of-detail field "+f.Qualified()+" cannot be queried yet", "leave out "+f.Qualified())
}

// lodParams lists the parameters of the level-of-detail fields in the query.
func (b *build) lodParams() []*catalog.Param { return nil }

// measureParams lists the parameters that a measure's argument depends on.
func (b *build) measureParams(*catalog.Measure) []*catalog.Param { return nil }
