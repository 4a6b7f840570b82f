package metricflow

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// entityJoinEnd is an entity of a semantic model that a join starts from or leads to.
type entityJoinEnd struct {
	model  *semanticModel
	entity *entityOrDimension
}

// toOneModelJoin is a relationship from a semantic model to one in which the entity is a key.
type toOneModelJoin struct {
	relationship, entity string
	target               *semanticModel
}

// maxRelationships bounds what entities that many semantic models share multiply to.
const maxRelationships = 10_000

// addRelationships joins the semantic models that share an entity: from each where it is
// foreign to each where it is a key. Where it is a key only, each joins the first: with
// a join between all of them a query would have several paths.
func (p *projectImport) addRelationships() error {
	var names []string
	keys, foreign, partitioned := map[string][]entityJoinEnd{}, map[string][]entityJoinEnd{}, map[string][]entityJoinEnd{}
	var natural []entityJoinEnd
	for _, m := range p.semanticModels {
		for _, e := range m.entities {
			if e.entry == nil {
				continue
			}
			if keys[e.name] == nil && foreign[e.name] == nil && partitioned[e.name] == nil {
				names = append(names, e.name)
			}
			switch {
			case e.kind == "foreign":
				foreign[e.name] = append(foreign[e.name], entityJoinEnd{m, e})
			case e.kind == "natural":
				natural = append(natural, entityJoinEnd{m, e})
			case m.validity == nil && len(m.partitions) > 0:
				partitioned[e.name] = append(partitioned[e.name], entityJoinEnd{m, e})
			case m.validity == nil:
				keys[e.name] = append(keys[e.name], entityJoinEnd{m, e})
			}
		}
	}
	for _, name := range names {
		targets := keys[name]
		if len(p.model.Relationships)+(len(foreign[name])+1)*(len(targets)+len(partitioned[name])) > maxRelationships {
			return tooManyEntityRelationshipsError()
		}
		p.addPartitionRelationships(foreign[name], partitioned[name])
		for _, from := range foreign[name] {
			for _, to := range targets {
				p.addRelationship(from, to, nil)
			}
		}
		if len(targets) < 2 {
			continue
		}
		if len(foreign[name]) == 0 {
			for _, from := range targets[1:] {
				p.addRelationship(from, targets[0], nil)
			}
			continue
		}
		for _, target := range targets {
			target.entity.entry.Outcome = importer.OutcomeApproximated
			target.entity.entry.Reason = "the semantic models in which " + name + " is a key are joined through those in which it is foreign only: more joins would make several paths"
		}
	}
	for _, to := range natural {
		sources := foreign[to.entity.name]
		if len(sources) == 0 {
			sources = keys[to.entity.name]
		}
		if len(p.model.Relationships)+len(sources) > maxRelationships {
			return tooManyEntityRelationshipsError()
		}
		for _, from := range sources {
			p.addValidityRelationship(from, to)
		}
	}
	return nil
}

// addPartitionRelationships joins tables to partitioned ones in which their entity is a key: on the entity and on
// each partition, which the table must have as well. Where it is a key only, each joins the first.
func (p *projectImport) addPartitionRelationships(foreign, targets []entityJoinEnd) {
	if len(foreign) == 0 && len(targets) > 1 {
		foreign, targets = targets[1:], targets[:1]
	}
	for _, to := range targets {
		for _, from := range foreign {
			if hasEveryPartitionOfModel(from.model, to.model) {
				p.addRelationship(from, to, nil)
				continue
			}
			to.entity.entry.Outcome = importer.OutcomeApproximated
			to.entity.entry.Reason = "no relationship leads from " + from.model.name + ", which is not partitioned by the same dimensions"
		}
	}
}

// hasEveryPartitionOfModel reports whether a table has the partitions of another.
func hasEveryPartitionOfModel(from, to *semanticModel) bool {
	for _, partition := range to.partitions {
		if !slices.ContainsFunc(from.partitions, func(e *entityOrDimension) bool { return e.name == partition.name }) {
			return false
		}
	}
	return true
}

func tooManyEntityRelationshipsError() error {
	return &importer.Error{Message: fmt.Sprintf("the entities of the semantic models make more than %d relationships", maxRelationships)}
}

func (p *projectImport) addRelationship(from, to entityJoinEnd, valid *draft.RelationshipValidity) {
	if from.model == to.model {
		return // an entity that is foreign and a key of one table leads to no other table
	}
	a, b := from.model.dataset.Name, to.model.dataset.Name
	name := p.relationshipNames.ReserveFirstUnusedName(a+"_"+b, a+"_"+b+"_"+from.entity.name)
	r := &draft.Relationship{Name: name, From: a, To: b, FromColumns: []string{from.entity.name}, ToColumns: []string{to.entity.name}, Valid: valid}
	for _, partition := range to.model.partitions {
		r.FromColumns, r.ToColumns = append(r.FromColumns, partition.name), append(r.ToColumns, partition.name)
	}
	p.model.Relationships = append(p.model.Relationships, r)
	p.report.AddResultingObjectPath(from.entity.entry, importer.RelationshipPath(name))
	from.model.joins = append(from.model.joins, toOneModelJoin{name, from.entity.name, to.model})
}
