package querysql

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/relations"
)

// naming is how one form names fields and metrics, and counts the rows of a dataset. Each returns false for what the
// form has no name for.
type naming interface {
	field(r fieldRef) (string, bool)
	metric(m *catalog.Metric) (string, bool)
	rowsOf(d *catalog.Dataset) (string, bool) // the argument of COUNT
}

// wideNames are the names of the wide relation.
type wideNames struct{ m Model }

func (w wideNames) field(r fieldRef) (string, bool) {
	wide := w.m.Relations.Wide
	if r.field == nil {
		found := wide.FindColumns(sqlexpr.Name{Text: metricTime, Quoted: true})
		return quoted(metricTime), len(found) == 1 && found[0].IsMetricTime()
	}
	if len(r.path) == 0 {
		if found := wide.FindColumns(sqlexpr.Name{Text: r.field.Name, Quoted: true}); len(found) == 1 && found[0].Field == r.field && len(found[0].Path) == 0 {
			return quoted(r.field.Name), true
		}
		return join(r.field.Dataset.Name, r.field.Name), true
	}
	name := relations.RolePrefix(r.path) + r.field.Name
	found := wide.FindColumns(sqlexpr.Name{Text: name, Quoted: true})
	return quoted(name), len(found) == 1 && found[0].Field == r.field && len(found[0].Path) > 0
}

func (w wideNames) metric(m *catalog.Metric) (string, bool) { return quoted(m.Name), true }

func (w wideNames) rowsOf(d *catalog.Dataset) (string, bool) { return quoted(d.Name) + ".*", true }

// viewNames are the names inside of SEMANTIC_VIEW: those of the wide relation, and rel.field.
type viewNames struct{ wideNames }

func (v viewNames) field(r fieldRef) (string, bool) {
	if len(r.path) == 1 && v.m.Catalog.Dataset(r.path[0].Rel.Name) == nil {
		return join(r.path[0].Rel.Name, r.field.Name), true
	}
	return v.wideNames.field(r)
}

// datasetNames are the names of the relation of one dataset.
type datasetNames struct {
	m       Model
	dataset *catalog.Dataset
	axis    *catalog.Field // what metric_time means for all metrics; nil where they differ
}

func (d datasetNames) field(r fieldRef) (string, bool) {
	f := r.field
	if f == nil {
		f = d.axis
	}
	return quoted(fieldName(f)), f != nil && f.Dataset == d.dataset && len(r.path) == 0
}

func fieldName(f *catalog.Field) string {
	if f == nil {
		return ""
	}
	return f.Name
}

func (d datasetNames) metric(m *catalog.Metric) (string, bool) {
	found := d.m.Relations.RelationOfDataset(d.dataset).FindColumns(sqlexpr.Name{Text: m.Name, Quoted: true})
	return quoted(m.Name), len(found) == 1 && found[0].Metric == m
}

func (d datasetNames) rowsOf(of *catalog.Dataset) (string, bool) { return "*", of == d.dataset }

// joinedNames are the names of a root and the datasets that it reaches, each under the alias of its path. They add the
// joins that they need.
type joinedNames struct {
	datasetNames
	joins *joins
}

func (j joinedNames) field(r fieldRef) (string, bool) {
	if name, ok := j.datasetNames.field(r); ok {
		return j.joins.alias(nil) + "." + name, true
	}
	if r.field == nil {
		return "", false
	}
	path := r.path
	if len(path) == 0 {
		paths := j.m.Catalog.SafePaths(j.dataset, r.field.Dataset, 2)
		if len(paths) != 1 {
			return "", false
		}
		path = paths[0]
	} else if path[0].Rel.From != j.dataset {
		return "", false
	}
	alias, ok := j.joins.add(path)
	return alias + "." + quoted(r.field.Name), ok
}

func (j joinedNames) metric(m *catalog.Metric) (string, bool) {
	name, ok := j.datasetNames.metric(m)
	return j.joins.alias(nil) + "." + name, ok
}

// joins are the joins of one statement, each with an alias.
type joins struct {
	aliases map[string]string
	text    strings.Builder
}

func newJoins(root *catalog.Dataset) *joins {
	out := &joins{aliases: map[string]string{"": "r0"}}
	out.text.WriteString(quoted(root.Name) + " AS r0")
	return out
}

func (j *joins) alias(path []catalog.JoinStep) string { return j.aliases[relations.RolePrefix(path)] }

// add joins along a path. SQL follows a relationship from its many rows to its one, and keeps what the model keeps.
func (j *joins) add(path []catalog.JoinStep) (string, bool) {
	if alias := j.alias(path); alias != "" {
		return alias, true
	}
	before, ok := j.add(path[:len(path)-1])
	step := path[len(path)-1]
	if !ok || step.Reverse || step.Rel.Valid != nil || len(step.Rel.FromFields) == 0 || !step.Rel.SafeForward() {
		return "", false
	}
	alias := "r" + itoa(len(j.aliases))
	j.aliases[relations.RolePrefix(path)] = alias
	kind := " LEFT JOIN "
	if step.Rel.JoinType == catalog.JoinInner {
		kind = " JOIN "
	}
	j.text.WriteString(kind + quoted(step.Rel.To.Name) + " AS " + alias + " ON ")
	for i := range step.Rel.FromFields {
		if i > 0 {
			j.text.WriteString(" AND ")
		}
		j.text.WriteString(before + "." + quoted(step.Rel.FromFields[i].Name) + " = " + alias + "." + quoted(step.Rel.ToFields[i].Name))
	}
	return alias, true
}

// renamedNames are c1, c2, … of a derived table over the wide relation.
type renamedNames struct {
	inner wideNames
	items *[]string // of the derived table
}

func (r renamedNames) field(f fieldRef) (string, bool) {
	name, ok := r.inner.field(f)
	return r.column(name), ok
}

func (r renamedNames) metric(m *catalog.Metric) (string, bool) {
	name, ok := r.inner.metric(m)
	return r.column(name), ok
}

func (renamedNames) rowsOf(*catalog.Dataset) (string, bool) { return "", false }

func (r renamedNames) column(name string) string {
	for i, item := range *r.items {
		if item == name {
			return quoted("c" + itoa(i+1))
		}
	}
	*r.items = append(*r.items, name)
	return quoted("c" + itoa(len(*r.items)))
}

// list are the items of the derived table.
func (r renamedNames) list() string {
	out := make([]string, len(*r.items))
	for i, item := range *r.items {
		out[i] = item + " AS " + quoted("c"+itoa(i+1))
	}
	return strings.Join(out, ", ")
}
