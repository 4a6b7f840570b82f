package relations

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// Schema is a model as tables.
type Schema struct {
	Datasets []*Relation // in the order of the model
	Wide     *Relation
	Views    []*Relation // those of views without an error, in the order of the model

	byDataset map[*catalog.Dataset]*Relation
}

// wideRelationSuffix is appended to the name of the wide relation while a dataset has it.
const wideRelationSuffix = "_all"

// NewSchema shows a model as tables. In the scope of a view its relation takes the place of all others.
func NewSchema(inScope *catalog.Catalog) *Schema {
	cat := inScope.WithoutView()
	s := &Schema{byDataset: make(map[*catalog.Dataset]*Relation, len(cat.Datasets))}
	for _, d := range cat.Datasets {
		r := newDatasetRelation(cat, d)
		s.Datasets = append(s.Datasets, r)
		s.byDataset[d] = r
	}
	for _, r := range s.Datasets {
		r.Keys = declaredKeysOf(r)
	}
	for _, r := range s.Datasets {
		r.ForeignKeys = s.foreignKeys(cat, r)
	}
	s.Wide = newWideRelation(cat)
	if v := inScope.ScopeView(); v != nil {
		s.Datasets, s.Wide = nil, newViewRelation(cat, v, s.Wide, s.MetricTimeType())
		return s
	}
	for _, v := range cat.Views {
		if v.Err == nil {
			s.Views = append(s.Views, newViewRelation(cat, v, s.Wide, s.MetricTimeType()))
		}
	}
	return s
}

// Relations lists the relations in the order of a catalogue: the datasets, then the wide one, then the views.
func (s *Schema) Relations() []*Relation {
	out := append(make([]*Relation, 0, len(s.Datasets)+1+len(s.Views)), s.Datasets...)
	return append(append(out, s.Wide), s.Views...)
}

// RelationOfDataset returns the relation of a dataset.
func (s *Schema) RelationOfDataset(d *catalog.Dataset) *Relation { return s.byDataset[d] }

// FindRelations lists the relations that a name means: without quotes in any case.
func (s *Schema) FindRelations(name sqlexpr.Name) []*Relation {
	var out []*Relation
	for _, r := range s.Relations() {
		if r.Name == name.Text || !name.Quoted && strings.EqualFold(r.Name, name.Text) {
			out = append(out, r)
		}
	}
	return out
}

// Names lists the names of the relations in the order of a catalogue.
func (s *Schema) Names() []string {
	var out []string
	for _, r := range s.Relations() {
		out = append(out, r.Name)
	}
	return out
}

// uniqueWideRelationName returns the model's name, made longer while a dataset has it.
func uniqueWideRelationName(cat *catalog.Catalog) string {
	name := cat.Name
	for cat.Dataset(name) != nil {
		name += wideRelationSuffix
	}
	return name
}

// MetricTimeType returns the type of metric_time.
func (s *Schema) MetricTimeType() sqltype.Type {
	for _, c := range s.Wide.Columns[:min(1, len(s.Wide.Columns))] {
		if c.IsMetricTime() {
			return c.Type
		}
	}
	return sqltype.Date
}
