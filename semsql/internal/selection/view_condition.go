package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// contextFilter returns the condition of the session together with the one that defines the view that the select is over.
func (c *selectClauses) contextFilter(ofSession string) string {
	wide := c.WideSource()
	if wide == nil || wide.Relation.View == nil || wide.Relation.View.Where.Named == "" || c.withoutRows {
		return ofSession
	}
	where := wide.Relation.View.Where.Named
	if ofSession == "" {
		return where
	}
	return "(" + where + ") AND (" + ofSession + ")"
}

// contextFilterOfMeasures returns contextFilter, or the condition of the session alone where the rows of no measure lead to the fields of the
// view's condition: it acts on the rows that reach them.
func (g *aggregateSelect) contextFilterOfMeasures(ofSession string) string {
	wide := g.WideSource()
	homes := g.homesOfMeasures()
	if wide == nil || wide.Relation.View == nil || len(homes) == 0 {
		return g.contextFilter(ofSession)
	}
	fields := wide.Relation.View.Where.Fields
	reaches := func(home *catalog.Dataset) bool {
		return !slices.ContainsFunc(fields, func(f *catalog.Field) bool { return !g.Cat.ReachesSafely(home, f.Dataset) })
	}
	if !slices.ContainsFunc(homes, reaches) {
		return ofSession
	}
	return g.contextFilter(ofSession)
}

// homesOfMeasures lists the datasets whose rows the measures aggregate, as far as their names show them.
func (g *aggregateSelect) homesOfMeasures() []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, m := range g.measures {
		switch {
		case m.ref.Metric != nil:
			out = append(out, m.ref.Metric.Datasets...)
		case m.ref.Dataset != nil:
			out = append(out, m.ref.Dataset)
		}
		for ref := range g.Refs.ReferencesOf(m.expr) {
			if ref.Kind == resolve.FieldReferenceKind {
				out = append(out, ref.Field.Dataset)
			}
		}
	}
	return out
}
