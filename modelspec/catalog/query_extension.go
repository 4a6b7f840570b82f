package catalog

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// fieldsAndMetricsAddedByQuery is what one query adds to a model: fields of the model's datasets, and metrics.
type fieldsAndMetricsAddedByQuery struct {
	fields  []*Field
	metrics []*Metric
	joined  joinedFieldRegistry
}

// ExtendForQuery returns a catalog that shares everything with c and to which fields and metrics of one
// query can be added. It costs the same for a model of any size.
func (c *Catalog) ExtendForQuery() *Catalog {
	out := *c
	out.local = &fieldsAndMetricsAddedByQuery{}
	if c.local != nil {
		out.local.fields = slices.Clip(c.local.fields)
		out.local.metrics = slices.Clip(c.local.metrics)
		out.local.joined = joinedFieldRegistry{slices.Clip(c.local.joined.list), maps.Clone(c.local.joined.index)}
	}
	return &out
}

// ForReader returns the catalog, which it shares everything with, for a reader with these attributes.
func (c *Catalog) ForReader(attributes sqlexpr.AttributeValues) *Catalog {
	out := *c
	out.Attributes = attributes
	return &out
}

// IsExtendedForQuery reports whether a query has added something to the model.
func (c *Catalog) IsExtendedForQuery() bool { return c.local != nil }

// AddField gives a field of a query its ID and makes it known by its name. Only compilers call
// it, on a catalog that Extend returned: a catalog is immutable.
func (c *Catalog) AddField(f *Field) {
	f.ID = len(c.Fields) + len(c.local.fields)
	c.local.fields = append(c.local.fields, f)
}

// AddMetric does for a metric what AddField does for a field.
func (c *Catalog) AddMetric(m *Metric) {
	m.ID = len(c.Metrics) + len(c.local.metrics)
	c.local.metrics = append(c.local.metrics, m)
}

// FieldByID returns the field of an ID, the model's or the query's.
func (c *Catalog) FieldByID(id int) *Field {
	if id < 0 {
		return c.joinedFieldByID(id)
	}
	if id < len(c.Fields) {
		return c.Fields[id]
	}
	return c.local.fields[id-len(c.Fields)]
}

// FindDatasetField finds a field of a dataset by name, ignoring case; nil when there is none.
func (c *Catalog) FindDatasetField(d *Dataset, name string) *Field {
	if f := d.Field(name); f != nil && c.Shows(f) {
		return f
	}
	if c.local == nil {
		return nil
	}
	for _, f := range c.local.fields {
		if f.Dataset == d && strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// AllFields yields the fields of the model in document order, then those of the query.
func (c *Catalog) AllFields() iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		for _, f := range c.Fields {
			if c.Shows(f) && !yield(f) {
				return
			}
		}
		if c.local == nil {
			return
		}
		for _, f := range c.local.fields {
			if !yield(f) {
				return
			}
		}
	}
}

// FieldsOf yields the fields of a dataset in document order, then those that the query adds to it.
func (c *Catalog) FieldsOf(d *Dataset) iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		for _, f := range d.Fields {
			if c.Shows(f) && !yield(f) {
				return
			}
		}
		if c.local == nil {
			return
		}
		for _, f := range c.local.fields {
			if f.Dataset == d && !yield(f) {
				return
			}
		}
	}
}

// AllMetrics yields the metrics of the model in document order, then those of the query.
func (c *Catalog) AllMetrics() iter.Seq[*Metric] {
	return func(yield func(*Metric) bool) {
		for _, m := range c.ShownMetrics() {
			if !yield(m) {
				return
			}
		}
		if c.local == nil {
			return
		}
		for _, m := range c.local.metrics {
			if !yield(m) {
				return
			}
		}
	}
}

// findInlineMetric finds a metric of the query; nil when there is none.
func (c *Catalog) findInlineMetric(name string) *Metric {
	if c.local == nil {
		return nil
	}
	for _, m := range c.local.metrics {
		if strings.EqualFold(m.Name, name) {
			return m
		}
	}
	return nil
}

// appendQueryFieldsByName appends the query's fields of a bare name to those of the model.
func (c *Catalog) appendQueryFieldsByName(fields []*Field, name string) []*Field {
	if c.local == nil {
		return fields
	}
	for _, f := range c.local.fields {
		if strings.EqualFold(f.Name, name) {
			fields = append(slices.Clip(fields), f)
		}
	}
	return fields
}

// MeasureKey is what makes two aggregates the same measure.
type MeasureKey struct {
	home    int
	agg     Agg
	options AggOptions
	field   int    // of a plain field of the model, one more than its number
	arg     string // of any other argument
	orderBy string

	nonAdditive *SemiAdditiveRule
}

// Key returns the key of the measure.
func (m *Measure) Key() MeasureKey {
	key := MeasureKey{home: m.Home.ID, agg: m.Agg, options: m.Options, orderBy: sqlexpr.Format(m.OrderBy), nonAdditive: m.NonAdditive}
	if field, plain := m.Arg.(*sqlexpr.Ref); plain && field.ID >= 0 {
		key.field = field.ID + 1
	} else {
		key.arg = sqlexpr.Format(m.Arg)
	}
	return key
}

// measureIndex finds measures by their keys. It is built when a query first asks.
type measureIndex struct {
	once  sync.Once
	byKey map[MeasureKey]*Measure
}

// MeasureByKey finds the measure of the model with a key; nil when it has none.
func (c *Catalog) MeasureByKey(key MeasureKey) *Measure {
	c.index.once.Do(func() {
		c.index.byKey = make(map[MeasureKey]*Measure, len(c.Measures))
		for _, m := range c.Measures {
			c.index.byKey[m.Key()] = m
		}
	})
	return c.index.byKey[key]
}

// IsFieldOfQuery reports whether the query, not the model, has a field.
func (c *Catalog) IsFieldOfQuery(f *Field) bool { return f.ID >= len(c.Fields) }
