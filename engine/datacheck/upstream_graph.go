package datacheck

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

// upstreamGraph answers what the objects of a model are made of.
type upstreamGraph struct {
	into   map[string][]string // by id, the ids of what the object uses
	fields map[string]*catalog.Field
	data   map[string]*catalog.Dataset
}

func newUpstreamGraph(ctx context.Context, cat *catalog.Catalog) (upstreamGraph, error) {
	g, err := lineage.ModelGraph(ctx, cat)
	if err != nil {
		return upstreamGraph{}, err
	}
	s := upstreamGraph{map[string][]string{}, map[string]*catalog.Field{}, map[string]*catalog.Dataset{}}
	for _, x := range g.Edges {
		if x.Relation != lineage.RelationJoins {
			s.into[x.To] = append(s.into[x.To], x.From)
		}
	}
	for _, f := range cat.Fields {
		s.fields[lineageFieldID(f)] = f
	}
	for _, d := range cat.Datasets {
		s.data[string(lineage.KindDataset)+":"+d.Name] = d
	}
	return s, nil
}

func lineageFieldID(f *catalog.Field) string {
	return string(lineage.KindField) + ":" + f.QualifiedName()
}

func lineageMetricID(m *catalog.Metric) string { return string(lineage.KindMetric) + ":" + m.Name }

// canReadUpstream reports whether all that an object is made of can be read; the object itself is not asked.
func (s upstreamGraph) canReadUpstream(id string, u unreadableObjects) bool {
	seen := map[string]bool{id: true}
	for todo := s.into[id]; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		if f := s.fields[next]; f != nil && (u.broken[f] || u.failed[f.Dataset]) {
			return false
		}
		if d := s.data[next]; d != nil && u.failed[d] {
			return false
		}
		todo = append(todo, s.into[next]...)
	}
	return true
}
