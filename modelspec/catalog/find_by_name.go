package catalog

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// nameIndex holds the catalog's dictionaries; keys are lower-cased.
type nameIndex struct {
	datasets      map[string]*Dataset
	metrics       map[string]*Metric
	relationships map[string]*Relationship
	saved         map[string]*SavedQuery
	bare          map[string][]*Field
	periods       map[string]*Period // by the exact name
}

// BuildIndexes builds the dictionaries and the join graph. Package compile calls it
// once, when every object is in place; the catalog is immutable from then on.
func (c *Catalog) BuildIndexes() {
	c.names = nameIndex{
		datasets:      make(map[string]*Dataset, len(c.Datasets)),
		metrics:       make(map[string]*Metric, len(c.Metrics)),
		relationships: make(map[string]*Relationship, len(c.Relationships)),
		saved:         make(map[string]*SavedQuery, len(c.Saved)),
		bare:          make(map[string][]*Field, len(c.Fields)),
	}
	for _, d := range c.Datasets {
		c.names.datasets[foldCase(d.Name)] = d
		d.fields = make(map[string]*Field, len(d.Fields))
		for _, f := range d.Fields {
			d.fields[foldCase(f.Name)] = f
			c.names.bare[foldCase(f.Name)] = append(c.names.bare[foldCase(f.Name)], f)
		}
	}
	for _, m := range c.Metrics {
		c.names.metrics[foldCase(m.Name)] = m
	}
	for _, r := range c.Relationships {
		c.names.relationships[foldCase(r.Name)] = r
	}
	for _, q := range c.Saved {
		c.names.saved[foldCase(q.Name)] = q
	}
	if periods := c.Periods(); len(periods) > 0 {
		c.names.periods = make(map[string]*Period, len(periods))
		for _, p := range periods {
			c.names.periods[p.Name] = p
		}
	}
	c.graph = newJoinGraph(c.Datasets, c.Relationships)
	c.hasInner = slices.ContainsFunc(c.Relationships, func(r *Relationship) bool { return r.JoinType == JoinInner })
	c.index = &measureIndex{}
}

func foldCase(s string) string { return strings.ToLower(s) }

// Dataset finds a dataset by name, ignoring case; nil when there is none.
func (c *Catalog) Dataset(name string) *Dataset { return c.names.datasets[foldCase(name)] }

// Metric finds a metric by name, ignoring case; nil when there is none.
func (c *Catalog) Metric(name string) *Metric {
	if m := c.findInlineMetric(name); m != nil {
		return m
	}
	return c.names.metrics[foldCase(name)]
}

// Relationship finds a relationship by name, ignoring case; nil when there is none.
func (c *Catalog) Relationship(name string) *Relationship {
	return c.names.relationships[foldCase(name)]
}

// SavedQuery finds a saved query by name, ignoring case; nil when there is none.
func (c *Catalog) SavedQuery(name string) *SavedQuery { return c.names.saved[foldCase(name)] }

// FieldsNamed lists the fields of all datasets with this bare name, in document
// order.
func (c *Catalog) FieldsNamed(name string) []*Field {
	return c.appendQueryFieldsByName(c.names.bare[foldCase(name)], name)
}

// Field finds a field that the model gives the dataset by name, ignoring case; nil when there is
// none. Catalog.FindDatasetField also finds those of a query.
func (d *Dataset) Field(name string) *Field { return d.fields[foldCase(name)] }

// QualifiedName returns the field's name as `dataset.field`, as a query can write it: in quotes
// what needs them.
func (f *Field) QualifiedName() string { return sqlexpr.FormatPath(f.Dataset.Name, f.Name) }
