package describe

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
)

// Describer lists the objects of a model. It is safe for concurrent use.
type Describer struct {
	catalog *catalog.Catalog
	planner *planner.Planner
	target  planner.Target

	hidesSources bool
}

// NewDescriber describes a model for queries of one target. The planner is that of the catalog.
func NewDescriber(c *catalog.Catalog, p *planner.Planner, t planner.Target) *Describer {
	return &Describer{catalog: c, planner: p, target: t}
}

// WithoutSources returns a describer for a reader who does not see the tables of datasets.
func (d *Describer) WithoutSources() *Describer {
	out := *d
	out.hidesSources = true
	return &out
}
