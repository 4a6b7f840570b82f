package relations

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// newDatasetRelation returns the relation of a dataset: its fields, then the metrics whose aggregates all
// have it as home. A field keeps a name that it shares with a metric.
func newDatasetRelation(cat *catalog.Catalog, d *catalog.Dataset) *Relation {
	r := &Relation{Name: d.Name, Description: d.Description, Dataset: d, byName: make(map[string][]*Column, len(d.Fields))}
	for _, f := range d.Fields {
		r.addColumnUnlessTaken(newFieldColumn(f, f.Name, nil))
	}
	for _, m := range cat.Metrics {
		if isHomedAt(m, d) && len(r.byName[foldedName(m.Name)]) == 0 {
			r.addColumnUnlessTaken(newMetricColumn(m))
		}
	}
	return r
}

// isHomedAt reports whether all aggregates of a metric have a dataset as home.
func isHomedAt(m *catalog.Metric, d *catalog.Dataset) bool {
	return len(m.Datasets) == 1 && m.Datasets[0] == d
}

func newFieldColumn(f *catalog.Field, name string, path []catalog.JoinStep) *Column {
	return &Column{Name: name, Type: FieldType(f), Description: f.Description, Field: f, Path: path}
}

func newMetricColumn(m *catalog.Metric) *Column {
	return &Column{Name: m.Name, Type: MetricType(m), Description: m.Description, Metric: m}
}
