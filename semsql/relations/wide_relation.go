package relations

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// maxRolePaths bounds the paths between two datasets that have separate columns.
const maxRolePaths = 16

// newWideRelation returns the relation of the whole model: metric_time, every field, the fields of datasets
// that several paths lead to once for each path, and every metric.
func newWideRelation(cat *catalog.Catalog) *Relation {
	r := &Relation{Name: uniqueWideRelationName(cat), Description: cat.Description, byName: map[string][]*Column{}}
	w := wideRelationBuilder{cat: cat, Relation: r, metrics: map[string]bool{}, taken: map[string]bool{}}
	for _, m := range cat.Metrics {
		w.metrics[foldedName(m.Name)] = true
		w.taken[m.Name] = true
	}
	w.addMetricTime()
	for _, f := range cat.Fields {
		w.addField(newFieldColumn(f, "", nil), len(cat.FieldsNamed(f.Name)) == 1)
	}
	w.addFieldsOfRolePaths()
	for _, m := range cat.Metrics {
		r.addColumnUnlessTaken(newMetricColumn(m))
	}
	return r
}

type wideRelationBuilder struct {
	*Relation
	cat     *catalog.Catalog
	metrics map[string]bool // by lower-cased name
	taken   map[string]bool // names of metrics, which are always theirs
}

func (w wideRelationBuilder) addMetricTime() {
	typ, known := metricTimeType(w.cat)
	if known && !w.taken[MetricTime] {
		w.addColumnUnlessTaken(&Column{Name: MetricTime, Type: typ})
	}
}

// addField lists a field under its bare name where that is unique, and makes its other spellings known.
func (w wideRelationBuilder) addField(c *Column, unique bool) {
	f := c.Field
	bare := unique && !w.metrics[foldedName(f.Name)] && foldedName(f.Name) != MetricTime
	long := datasetQualifiedName(f)
	name := long
	if bare {
		name = f.Name
	}
	c.Name = name
	if w.taken[name] || !w.addColumnUnlessTaken(c) {
		return // still found as dataset.field
	}
	switch {
	case bare:
		if !w.metrics[foldedName(long)] {
			w.addColumnSpelling(long, c)
		}
	case !w.metrics[foldedName(f.Name)] && foldedName(f.Name) != MetricTime:
		w.addColumnSpelling(f.Name, c)
	}
}

// addFieldsOfRolePaths lists the fields of every dataset that several paths lead to from the home of a metric,
// once for each path. A relationship of a home to itself leads to it beside the home's own rows.
func (w wideRelationBuilder) addFieldsOfRolePaths() {
	for _, d := range w.cat.Datasets {
		for _, home := range listHomeDatasets(w.cat, w.cat.Metrics) {
			paths := w.cat.SafePaths(home, d, maxRolePaths)
			if len(paths) < 2 {
				continue
			}
			for _, path := range paths {
				w.addFieldsAlongPath(d, path)
			}
		}
	}
	for _, home := range listHomeDatasets(w.cat, w.cat.Metrics) {
		for _, step := range w.cat.NamedPathStepsFrom(home) {
			if step.Rel.From == step.Rel.To && step.Rel.Err == nil && step.Rel.SafeForward() {
				w.addFieldsAlongPath(home, []catalog.JoinStep{step})
			}
		}
	}
}

func (w wideRelationBuilder) addFieldsAlongPath(d *catalog.Dataset, path []catalog.JoinStep) {
	prefix := RolePrefix(path)
	for _, f := range d.Fields {
		if name := prefix + f.Name; !w.taken[name] {
			w.addColumnUnlessTaken(newFieldColumn(f, name, path))
		}
	}
}

// RolePrefix returns the beginning of a field's name in the column of a path: the names of its
// relationships.
func RolePrefix(path []catalog.JoinStep) string {
	var b strings.Builder
	for _, s := range path {
		b.WriteString(s.Rel.Name)
		b.WriteString("__")
	}
	return b.String()
}

// listHomeDatasets lists the homes of the aggregates of metrics, in the order of the model.
func listHomeDatasets(cat *catalog.Catalog, metrics []*catalog.Metric) []*catalog.Dataset {
	used := make([]bool, len(cat.Datasets))
	for _, m := range metrics {
		for _, d := range m.Datasets {
			used[d.ID] = true
		}
	}
	var out []*catalog.Dataset
	for i, d := range cat.Datasets {
		if used[i] {
			out = append(out, d)
		}
	}
	return out
}

// metricTimeType is date when every axis is one, else timestamp; known is false when no metric has
// an axis.
func metricTimeType(cat *catalog.Catalog) (t sqltype.Type, known bool) {
	t = sqltype.Date
	for _, m := range cat.Metrics {
		if m.Err != nil {
			continue
		}
		if axis := m.TimeAxisField(); axis != nil {
			known = true
			if FieldType(axis) != sqltype.Date {
				t = sqltype.Timestamp
			}
		}
	}
	return t, known
}

func foldedName(s string) string { return strings.ToLower(s) }
