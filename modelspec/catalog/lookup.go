package catalog

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// names holds the catalog's dictionaries; keys are lower-cased.
type names struct {
	datasets      map[string]*Dataset
	metrics       map[string]*Metric
	relationships map[string]*Relationship
	saved         map[string]*SavedQuery
	bare          map[string][]*Field
}

// Finish builds the dictionaries and the join graph. Package compile calls it
// once, when every object is in place; the catalog is immutable from then on.
func (c *Catalog) Finish() {
	c.names = names{
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
	c.graph = newGraph(c)
}

func foldCase(s string) string { return strings.ToLower(s) }

// Dataset finds a dataset by name, ignoring case; nil when there is none.
func (c *Catalog) Dataset(name string) *Dataset { return c.names.datasets[foldCase(name)] }

// Metric finds a metric by name, ignoring case; nil when there is none.
func (c *Catalog) Metric(name string) *Metric { return c.names.metrics[foldCase(name)] }

// Relationship finds a relationship by name, ignoring case; nil when there is none.
func (c *Catalog) Relationship(name string) *Relationship {
	return c.names.relationships[foldCase(name)]
}

// SavedQuery finds a saved query by name, ignoring case; nil when there is none.
func (c *Catalog) SavedQuery(name string) *SavedQuery { return c.names.saved[foldCase(name)] }

// FieldsNamed lists the fields of all datasets with this bare name, in document
// order.
func (c *Catalog) FieldsNamed(name string) []*Field { return c.names.bare[foldCase(name)] }

// Field finds a field of the dataset by name, ignoring case; nil when there is none.
func (d *Dataset) Field(name string) *Field { return d.fields[foldCase(name)] }

// Qualified is the field's name as `dataset.field`, as a query can write it: in quotes
// what needs them.
func (f *Field) Qualified() string { return sqlexpr.FormatPath(f.Dataset.Name, f.Name) }
