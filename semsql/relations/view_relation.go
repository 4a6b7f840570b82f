package relations

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// newViewRelation returns the relation of a view, by the rules of the wide relation: metric_time, the fields, and the metrics. The path of a
// field is written out where the view follows other relationships than the model.
func newViewRelation(cat *catalog.Catalog, v *catalog.View, wide *Relation, metricTime sqltype.Type) *Relation {
	r := &Relation{Name: v.Name, Description: v.Description, View: v, byName: map[string][]*Column{}}
	w := viewRelationBuilder{wideRelationBuilder: wideRelationBuilder{cat: cat, Relation: r, metrics: map[string]bool{}, taken: map[string]bool{}}, named: map[string]int{}}
	hasAxis := false
	for _, m := range v.Metrics {
		w.metrics[foldedName(m.Name)] = true
		w.taken[m.Name] = true
		hasAxis = hasAxis || m.Err == nil && m.TimeAxisField() != nil
	}
	for _, f := range v.Fields {
		if f.Rel == nil {
			w.named[foldedName(f.Field.Name)]++
		}
	}
	if hasAxis && !w.taken[MetricTime] {
		w.addColumnUnlessTaken(&Column{Name: MetricTime, Type: metricTime})
	}
	for _, f := range v.Fields {
		if f.Rel == nil {
			w.addField(newFieldColumn(f.Field, "", w.pathOfField(f.Field)), w.named[foldedName(f.Field.Name)] == 1)
		} else if name := f.Rel.Name + "__" + f.Field.Name; !w.taken[name] {
			w.addColumnUnlessTaken(newFieldColumn(f.Field, name, []catalog.JoinStep{{Rel: f.Rel}}))
		}
	}
	if v.AllFields {
		for _, c := range wide.Columns {
			if c.Path != nil && showsRoleColumn(v, c) {
				w.addColumnUnlessTaken(newFieldColumn(c.Field, c.Name, c.Path))
			}
		}
	}
	for _, m := range v.Metrics {
		r.addColumnUnlessTaken(newMetricColumn(m))
	}
	return r
}

type viewRelationBuilder struct {
	wideRelationBuilder
	named map[string]int // how many fields of datasets have a name, in lower case
}

// showsRoleColumn reports whether a view of all fields has the column of a path.
func showsRoleColumn(v *catalog.View, c *Column) bool {
	last := c.Path[len(c.Path)-1].Rel
	return v.ShowsFieldOfDataset(c.Field) && !slices.Contains(v.Except, catalog.ViewField{Field: c.Field, Rel: last}) && followsPath(v, c.Path)
}

func followsPath(v *catalog.View, path []catalog.JoinStep) bool {
	return !slices.ContainsFunc(path, func(s catalog.JoinStep) bool { return !v.FollowsRelationship(s.Rel) })
}

// pathOfField returns the path that the view follows to a field from the homes of its metrics, or the end that their paths have in common; nil
// where the model follows the same.
func (w viewRelationBuilder) pathOfField(f *catalog.Field) []catalog.JoinStep {
	v := w.View
	if v.AllJoins {
		return nil
	}
	var common []catalog.JoinStep
	differs, found := false, false
	for _, home := range listHomeDatasets(w.cat, v.Metrics) {
		if home == f.Dataset {
			return nil
		}
		all := w.cat.SafePaths(home, f.Dataset, maxRolePaths)
		followed := slices.DeleteFunc(slices.Clone(all), func(path []catalog.JoinStep) bool { return !followsPath(v, path) })
		differs = differs || len(followed) < len(all)
		for _, path := range followed {
			if !found {
				common, found = path, true
			} else {
				common = commonEnd(common, path)
			}
		}
	}
	if !differs || len(common) == 0 {
		return nil
	}
	return common
}

// commonEnd returns the steps that two paths end with.
func commonEnd(a, b []catalog.JoinStep) []catalog.JoinStep {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[len(a)-n:]
}

// ColumnOfViewField returns the column of a field of a view: by its dataset, or by a relationship that leads to it; nil where the view has
// none.
func (r *Relation) ColumnOfViewField(f catalog.ViewField) *Column {
	v := r.View
	switch {
	case f.Rel == nil && v.ShowsFieldOfDataset(f.Field):
	case f.Rel != nil && (slices.Contains(v.Fields, f) || v.FollowsRelationship(f.Rel) && v.ShowsFieldOfDataset(f.Field) && !slices.Contains(v.Except, f)):
		return newFieldColumn(f.Field, f.Rel.Name+"__"+f.Field.Name, []catalog.JoinStep{{Rel: f.Rel}})
	default:
		return nil
	}
	for _, c := range r.byName[foldedName(datasetQualifiedName(f.Field))] {
		if c.Field == f.Field {
			return c
		}
	}
	for _, c := range r.byName[foldedName(f.Field.Name)] {
		if c.Field == f.Field {
			return c
		}
	}
	return nil
}

// ShowsDataset reports whether a statement over the relation may name a dataset: over a view one of which it shows a field.
func (r *Relation) ShowsDataset(d *catalog.Dataset) bool {
	return r.View == nil || slices.ContainsFunc(r.View.Fields, func(f catalog.ViewField) bool { return f.Rel == nil && f.Field.Dataset == d })
}
