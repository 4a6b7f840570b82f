package catalog

import (
	"iter"
	"slices"
)

// viewScope is what the names of a request in a view find, and which relationships its references without a prefix follow.
type viewScope struct {
	view  *View
	model *Catalog // the whole model
	shown map[*Field]bool
	// allNames: names find what the model has, and the view has its conditions and joins alone.
	allNames bool
	names    nameIndex
	graph    joinGraph
}

// InView returns the catalog, which it shares everything with, for requests in a view: names find the members of the view alone,
// references without a prefix follow its joins, and it has no other view, and no saved query of another or of none. Metrics
// and fields keep their paths.
func (c *Catalog) InView(v *View) *Catalog {
	out := *c
	v.inModel.once.Do(func() { v.inModel.scope = newViewScope(c, v) })
	s := v.inModel.scope
	out.view, out.names, out.graph = s, s.names, s.graph
	out.Views = []*View{v}
	out.Saved = slices.DeleteFunc(slices.Clone(c.Saved), func(q *SavedQuery) bool { return !v.Has(q) })
	return &out
}

// WithConditionsOf returns the catalog for statements over a view, whose names are resolved: the conditions of the view act, and references
// without a prefix follow its joins.
func (c *Catalog) WithConditionsOf(v *View) *Catalog {
	out := *c.InView(v).WithoutView()
	out.view = &viewScope{view: v, model: v.inModel.scope.model, allNames: true, names: out.names, graph: v.inModel.scope.graph}
	out.graph = out.view.graph
	return &out
}

// WithoutView returns the catalog of the whole model.
func (c *Catalog) WithoutView() *Catalog {
	if c.view == nil {
		return c
	}
	out, model := *c, c.view.model
	out.view, out.names, out.graph, out.Views, out.Saved = nil, model.names, model.graph, model.Views, model.Saved
	return &out
}

// ScopeView returns the view that the names of the catalog are those of; nil for the whole model.
func (c *Catalog) ScopeView() *View {
	if c.view == nil {
		return nil
	}
	return c.view.view
}

// isWhole reports whether the names of a view are those of the model.
func (v *View) isWhole(c *Catalog) bool {
	return v.AllFields && len(v.Except) == 0 && v.AllJoins && len(v.Metrics) == len(c.Metrics)
}

func newViewScope(c *Catalog, v *View) *viewScope {
	s := &viewScope{view: v, model: c, names: c.names, graph: c.graph}
	s.names.saved = map[string]*SavedQuery{}
	for _, q := range c.Saved {
		if v.Has(q) {
			s.names.saved[foldCase(q.Name)] = q
		}
	}
	if v.isWhole(c) {
		s.allNames = true
		return s
	}
	s.names.datasets, s.names.metrics, s.names.bare = map[string]*Dataset{}, map[string]*Metric{}, map[string][]*Field{}
	s.names.relationships, s.shown = map[string]*Relationship{}, map[*Field]bool{}
	for _, f := range v.Fields {
		if f.Rel != nil {
			s.names.relationships[foldCase(f.Rel.Name)] = f.Rel
			continue
		}
		s.shown[f.Field] = true
		s.names.datasets[foldCase(f.Field.Dataset.Name)] = f.Field.Dataset
	}
	for _, f := range c.Fields {
		if s.shown[f] {
			s.names.bare[foldCase(f.Name)] = append(s.names.bare[foldCase(f.Name)], f)
		}
	}
	for _, m := range v.Metrics {
		s.names.metrics[foldCase(m.Name)] = m
	}
	for _, r := range c.Relationships {
		if v.FollowsRelationship(r) {
			s.names.relationships[foldCase(r.Name)] = r
		}
	}
	if !v.AllJoins {
		s.graph = newJoinGraph(c.Datasets, v.Joins)
	}
	return s
}

// Shows reports whether dataset.field is a name in the scope of the catalog.
func (c *Catalog) Shows(f *Field) bool {
	return c.view == nil || c.view.shown == nil || c.view.shown[f] || c.local != nil && slices.Contains(c.local.fields, f)
}

// FindFieldAfter finds a field of a dataset that a path ends at, by the name that follows the path; nil when there is none.
func (c *Catalog) FindFieldAfter(last *Relationship, at *Dataset, name string) *Field {
	f := c.WithoutView().FindDatasetField(at, name)
	if f == nil || c.view == nil || c.view.allNames {
		return f
	}
	v, named := c.view.view, ViewField{Field: f, Rel: last}
	if slices.Contains(v.Fields, named) || v.FollowsRelationship(last) && c.Shows(f) && !slices.Contains(v.Except, named) {
		return f
	}
	return nil
}

// ListsFieldAfter reports whether the view that the names of the catalog are those of lists a field by a relationship.
func (c *Catalog) ListsFieldAfter(r *Relationship, f *Field) bool {
	return c.view != nil && !c.view.allNames && slices.Contains(c.view.view.Fields, ViewField{Field: f, Rel: r})
}

// OnlyFieldByRelationship returns the one field of a name that the view lists by a relationship; ok is false where there is none, or several.
func (c *Catalog) OnlyFieldByRelationship(name string) (only ViewField, ok bool) {
	for f := range c.FieldsByRelationship() {
		if foldCase(f.Field.Name) != foldCase(name) {
			continue
		}
		if ok {
			return ViewField{}, false
		}
		only, ok = f, true
	}
	return only, ok
}

// FieldsByRelationship yields the fields that a view lists by the relationship that leads to them.
func (c *Catalog) FieldsByRelationship() iter.Seq[ViewField] {
	return func(yield func(ViewField) bool) {
		if c.view == nil || c.view.allNames {
			return
		}
		for _, f := range c.view.view.Fields {
			if f.Rel != nil && !yield(f) {
				return
			}
		}
	}
}

// ShownDatasets lists the datasets that a name finds.
func (c *Catalog) ShownDatasets() []*Dataset {
	if c.view == nil || c.view.shown == nil {
		return c.Datasets
	}
	return slices.DeleteFunc(slices.Clone(c.Datasets), func(d *Dataset) bool { return c.names.datasets[foldCase(d.Name)] == nil })
}

// ShownFields lists the fields that a name finds, those of a view as it lists them.
func (c *Catalog) ShownFields() []ViewField {
	if c.view != nil {
		return c.view.view.Fields
	}
	out := make([]ViewField, len(c.Fields))
	for i, f := range c.Fields {
		out[i].Field = f
	}
	return out
}

// ShownMetrics lists the metrics of the model that a name finds.
func (c *Catalog) ShownMetrics() []*Metric {
	if c.view == nil || c.view.allNames {
		return c.Metrics
	}
	return c.view.view.Metrics
}

// followed returns the paths that references without a prefix may follow.
func (c *Catalog) followed(paths [][]JoinStep) [][]JoinStep {
	if c.view == nil || c.view.view.AllJoins {
		return paths
	}
	return slices.DeleteFunc(slices.Clone(paths), func(path []JoinStep) bool {
		return slices.ContainsFunc(path, func(s JoinStep) bool { return !c.view.view.FollowsRelationship(s.Rel) })
	})
}
