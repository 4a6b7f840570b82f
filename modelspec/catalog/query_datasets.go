package catalog

import (
	"maps"
	"slices"
)

// ExtendWithDatasets returns a catalog that shares everything with c, in whose scope names are looked up while a compiler adds the datasets
// of one query, with their fields and relationships, to its lists. IndexDatasets makes them known.
func (c *Catalog) ExtendWithDatasets() *Catalog {
	out := *c
	out.Datasets, out.Fields, out.Relationships = slices.Clip(c.Datasets), slices.Clip(c.Fields), slices.Clip(c.Relationships)
	out.joined = joinedFieldRegistry{slices.Clip(c.joined.list), maps.Clone(c.joined.index)}
	return &out
}

// IndexDatasets returns the catalog with what was added to that of a model, or of a view, as parts of it: names find the datasets, and
// the relationships are followed.
func (c *Catalog) IndexDatasets(of *Catalog) *Catalog {
	out := *c.WithoutView()
	added := out.Datasets[len(of.Datasets):]
	names := &out.names
	names.datasets, names.relationships, names.bare = maps.Clone(names.datasets), maps.Clone(names.relationships), maps.Clone(names.bare)
	for _, d := range added {
		names.datasets[foldCase(d.Name)] = d
		d.fields = make(map[string]*Field, len(d.Fields))
		for _, f := range d.Fields {
			key := foldCase(f.Name)
			d.fields[key] = f
			names.bare[key] = append(slices.Clip(names.bare[key]), f)
		}
	}
	steps := out.Relationships[len(of.Relationships):]
	for _, r := range steps {
		names.relationships[foldCase(r.Name)] = r
	}
	out.graph = newJoinGraph(out.Datasets, out.Relationships)
	v := of.ScopeView()
	if v == nil {
		return &out
	}
	wider := *v
	wider.inModel, wider.Fields = &viewInModel{}, slices.Clip(v.Fields)
	for _, d := range added {
		for _, f := range d.Fields {
			wider.Fields = append(wider.Fields, ViewField{Field: f})
		}
	}
	if !v.AllJoins {
		wider.Joins = append(slices.Clip(v.Joins), steps...)
	}
	return out.InView(&wider)
}
