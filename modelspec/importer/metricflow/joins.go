package metricflow

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// end is an entity of a semantic model that a join starts from or leads to.
type end struct {
	model  *semanticModel
	entity *element
}

// maxRelationships bounds what entities that many semantic models share multiply to.
const maxRelationships = 10_000

// addRelationships joins the semantic models that share an entity: from each where it is
// foreign to each where it is a key. Where it is a key only, each joins the first: with
// a join between all of them a query would have several paths.
func (p *project) addRelationships() error {
	var names []string
	keys, foreign := map[string][]end{}, map[string][]end{}
	for _, m := range p.semanticModels {
		for _, e := range m.entities {
			if e.entry == nil {
				continue
			}
			if keys[e.name] == nil && foreign[e.name] == nil {
				names = append(names, e.name)
			}
			switch {
			case e.kind == "foreign":
				foreign[e.name] = append(foreign[e.name], end{m, e})
			case !m.validity && !m.partitioned:
				keys[e.name] = append(keys[e.name], end{m, e})
			}
		}
	}
	for _, name := range names {
		targets := keys[name]
		if len(p.model.Relationships)+(len(foreign[name])+1)*len(targets) > maxRelationships {
			return &importer.Error{Message: fmt.Sprintf("the entities of the semantic models make more than %d relationships", maxRelationships)}
		}
		for _, from := range foreign[name] {
			for _, to := range targets {
				p.addRelationship(from, to)
			}
		}
		if len(targets) < 2 {
			continue
		}
		if len(foreign[name]) == 0 {
			for _, from := range targets[1:] {
				p.addRelationship(from, targets[0])
			}
			continue
		}
		for _, target := range targets {
			target.entity.entry.Outcome = importer.Approximated
			target.entity.entry.Reason = "the semantic models in which " + name + " is a key are joined through those in which it is foreign only: more joins would make several paths"
		}
	}
	return nil
}

func (p *project) addRelationship(from, to end) {
	if from.model == to.model {
		return // an entity that is foreign and a key of one table leads to no other table
	}
	a, b := from.model.dataset.Name, to.model.dataset.Name
	name := p.relationshipNames.Take(a+"_"+b, a+"_"+b+"_"+from.entity.name)
	p.model.Relationships = append(p.model.Relationships, &draft.Relationship{
		Name: name, From: a, To: b, FromColumns: []string{from.entity.name}, ToColumns: []string{to.entity.name},
	})
	p.report.Became(from.entity.entry, importer.RelationshipPath(name))
}
