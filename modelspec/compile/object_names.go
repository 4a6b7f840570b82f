package compile

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The lookups find what the phases of a model have added. Where the compiler adds to a finished
// model they find what that model's catalog has, and keep what they found.

// findDataset finds a dataset by name, ignoring case; nil when there is none.
func (c *compiler) findDataset(name string) *datasetInProgress {
	if d := c.byName[foldCase(name)]; d != nil || !c.extends {
		return d
	}
	found := c.cat.Dataset(name)
	if found == nil {
		return nil
	}
	return c.datasetInProgressOfCatalogDataset(found)
}

// datasetInProgressOfCatalogDataset returns the dataset that compiles to one of the catalog.
func (c *compiler) datasetInProgressOfCatalogDataset(cat *catalog.Dataset) *datasetInProgress {
	if !c.extends {
		return c.datasets[cat.ID]
	}
	key := foldCase(cat.Name)
	d := c.byName[key]
	if d == nil {
		d = &datasetInProgress{cat: cat, model: c.cat, fields: map[string]*fieldInProgress{}}
		c.byName[key] = d
	}
	return d
}

// fieldsOfBareName lists the fields of all datasets with a bare name.
func (c *compiler) fieldsOfBareName(name string) []*fieldInProgress {
	if !c.extends {
		return c.bare[foldCase(name)]
	}
	var out []*fieldInProgress
	for _, f := range c.cat.FieldsNamed(name) {
		out = append(out, c.datasetInProgressOfCatalogDataset(f.Dataset).findFieldByName(f.Name))
	}
	return out
}

// findMetricByName finds a metric by name, ignoring case; nil when there is none.
func (c *compiler) findMetricByName(name string) *metricInProgress {
	key := foldCase(name)
	m := c.byMetric[key]
	if m == nil && c.extends {
		if found := c.cat.Metric(name); found != nil {
			m = &metricInProgress{cat: found}
			c.byMetric[key] = m
		}
	}
	return m
}

// findFieldByName finds a field of the dataset by name, ignoring case; nil when there is none. It may be
// one that is dropped.
func (d *datasetInProgress) findFieldByName(name string) *fieldInProgress {
	key := foldCase(name)
	f := d.fields[key]
	if f == nil && d.model != nil {
		if found := d.model.FindDatasetField(d.cat, name); found != nil {
			f = newFieldInProgressFromCatalog(d, found)
			d.fields[key] = f
		}
	}
	return f
}

// newFieldInProgressFromCatalog returns a field that a finished model has.
func newFieldInProgressFromCatalog(d *datasetInProgress, cat *catalog.Field) *fieldInProgress {
	f := &fieldInProgress{ds: d, cat: cat, state: stateVisited}
	if cat.LOD != nil {
		f.ext.LOD = &extension.LOD{}
	}
	sqlexpr.Walk(cat.Expr.Default, func(sqlexpr.Expr) bool {
		f.nodes++
		return true
	})
	return f
}

func (d *datasetInProgress) fieldNames() []string {
	var out []string
	if d.model != nil {
		for f := range d.model.FieldsOf(d.cat) {
			out = append(out, f.Name)
		}
		return out
	}
	for _, f := range d.list {
		out = append(out, f.cat.Name)
	}
	return out
}

func (c *compiler) datasetNames() []string {
	var out []string
	for _, d := range c.cat.ShownDatasets() {
		out = append(out, d.Name)
	}
	return out
}

func (c *compiler) qualifiedFieldNames() []string {
	out := make([]string, 0, len(c.cat.Fields))
	for f := range c.cat.AllFields() {
		if c.ctx.Err() != nil {
			break
		}
		if f.Name != "" && f.Dataset.Name != "" {
			out = append(out, f.QualifiedName())
		}
	}
	return out
}

func (c *compiler) metricNames() []string {
	var out []string
	for m := range c.cat.AllMetrics() {
		out = append(out, m.Name)
	}
	return out
}

// exampleKeyExpression returns a key of some dataset as an expression can name it; "" when no dataset has one.
func (c *compiler) exampleKeyExpression() string {
	for d := range cancel.EachUntilDone(c.ctx, c.cat.Datasets) {
		if len(d.PrimaryKey) > 0 && c.datasetInProgressOfCatalogDataset(d).findFieldByName(d.PrimaryKey[0]) != nil {
			return d.Name + "." + d.PrimaryKey[0]
		}
	}
	return ""
}
