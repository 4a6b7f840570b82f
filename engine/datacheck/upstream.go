package datacheck

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

// upstream answers what the objects of a model are made of.
type upstream struct {
	into   map[string][]string // by id, the ids of what the object uses
	fields map[string]*catalog.Field
	data   map[string]*catalog.Dataset
}

func newUpstream(ctx context.Context, cat *catalog.Catalog) (upstream, error) {
	g, err := lineage.OfModel(ctx, cat)
	if err != nil {
		return upstream{}, err
	}
	s := upstream{map[string][]string{}, map[string]*catalog.Field{}, map[string]*catalog.Dataset{}}
	for _, x := range g.Edges {
		if x.Relation != lineage.Joins {
			s.into[x.To] = append(s.into[x.To], x.From)
		}
	}
	for _, f := range cat.Fields {
		s.fields[fieldID(f)] = f
	}
	for _, d := range cat.Datasets {
		s.data[string(lineage.Dataset)+":"+d.Name] = d
	}
	return s, nil
}

func fieldID(f *catalog.Field) string { return string(lineage.Field) + ":" + f.Qualified() }

func metricID(m *catalog.Metric) string { return string(lineage.Metric) + ":" + m.Name }

// usable reports whether all that an object is made of can be read; the object itself is not asked.
func (s upstream) usable(id string, u usable) bool {
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
