package querysql

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/relations"
)

// sqlNames is how one form names fields and metrics, and counts the rows of a dataset. Each returns false for what the
// form has no name for.
type sqlNames interface {
	nameOfField(r fieldRef) (string, bool)
	nameOfMetric(m *catalog.Metric) (string, bool)
	countArgument(d *catalog.Dataset) (string, bool) // the argument of COUNT
}

// wideRelationNames are the names of the wide relation.
type wideRelationNames struct{ m Model }

func (w wideRelationNames) nameOfField(r fieldRef) (string, bool) {
	wide := w.m.Relations.Wide
	if r.field == nil {
		found := wide.FindColumns(sqlexpr.Name{Text: metricTime, Quoted: true})
		return quoteName(metricTime), len(found) == 1 && found[0].IsMetricTime()
	}
	if len(r.path) == 0 {
		if found := wide.FindColumns(sqlexpr.Name{Text: r.field.Name, Quoted: true}); len(found) == 1 && found[0].Field == r.field && len(found[0].Path) == 0 {
			return quoteName(r.field.Name), true
		}
		return quoteNamesJoinedByDots(r.field.Dataset.Name, r.field.Name), true
	}
	name := relations.RolePrefix(r.path) + r.field.Name
	found := wide.FindColumns(sqlexpr.Name{Text: name, Quoted: true})
	return quoteName(name), len(found) == 1 && found[0].Field == r.field && len(found[0].Path) > 0
}

func (w wideRelationNames) nameOfMetric(m *catalog.Metric) (string, bool) {
	return quoteName(m.Name), true
}

func (w wideRelationNames) countArgument(d *catalog.Dataset) (string, bool) {
	return quoteName(d.Name) + ".*", true
}

// semanticViewNames are the names inside of SEMANTIC_VIEW: those of the wide relation, and rel.field.
type semanticViewNames struct{ wideRelationNames }

func (v semanticViewNames) nameOfField(r fieldRef) (string, bool) {
	if len(r.path) == 1 && v.m.Catalog.Dataset(r.path[0].Rel.Name) == nil {
		return quoteNamesJoinedByDots(r.path[0].Rel.Name, r.field.Name), true
	}
	return v.wideRelationNames.nameOfField(r)
}

// datasetColumnNames are the names of the relation of one dataset.
type datasetColumnNames struct {
	m       Model
	dataset *catalog.Dataset
	axis    *catalog.Field // what metric_time means for all metrics; nil where they differ
}

func (d datasetColumnNames) nameOfField(r fieldRef) (string, bool) {
	f := r.field
	if f == nil {
		f = d.axis
	}
	return quoteName(fieldNameOrEmpty(f)), f != nil && f.Dataset == d.dataset && len(r.path) == 0
}

func fieldNameOrEmpty(f *catalog.Field) string {
	if f == nil {
		return ""
	}
	return f.Name
}

func (d datasetColumnNames) nameOfMetric(m *catalog.Metric) (string, bool) {
	found := d.m.Relations.RelationOfDataset(d.dataset).FindColumns(sqlexpr.Name{Text: m.Name, Quoted: true})
	return quoteName(m.Name), len(found) == 1 && found[0].Metric == m
}

func (d datasetColumnNames) countArgument(of *catalog.Dataset) (string, bool) {
	return "*", of == d.dataset
}

// joinedNames are the names of a root and the datasets that it reaches, each under the alias of its path. They add the
// joins that they need.
type joinedNames struct {
	datasetColumnNames
	joins *joinBuilder
}

func (j joinedNames) nameOfField(r fieldRef) (string, bool) {
	if name, ok := j.datasetColumnNames.nameOfField(r); ok {
		return j.joins.aliasOfPath(nil) + "." + name, true
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
	alias, ok := j.joins.addPath(path)
	return alias + "." + quoteName(r.field.Name), ok
}

func (j joinedNames) nameOfMetric(m *catalog.Metric) (string, bool) {
	name, ok := j.datasetColumnNames.nameOfMetric(m)
	return j.joins.aliasOfPath(nil) + "." + name, ok
}

// joinBuilder are the joins of one statement, each with an alias.
type joinBuilder struct {
	aliases map[string]string
	text    strings.Builder
}

func newJoinBuilder(root *catalog.Dataset) *joinBuilder {
	out := &joinBuilder{aliases: map[string]string{"": "r0"}}
	out.text.WriteString(quoteName(root.Name) + " AS r0")
	return out
}

func (j *joinBuilder) aliasOfPath(path []catalog.JoinStep) string {
	return j.aliases[relations.RolePrefix(path)]
}

// addPath joins along a path. SQL follows a relationship from its many rows to its one, and keeps what the model keeps.
func (j *joinBuilder) addPath(path []catalog.JoinStep) (string, bool) {
	if alias := j.aliasOfPath(path); alias != "" {
		return alias, true
	}
	before, ok := j.addPath(path[:len(path)-1])
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
	j.text.WriteString(kind + quoteName(step.Rel.To.Name) + " AS " + alias + " ON ")
	for i := range step.Rel.FromFields {
		if i > 0 {
			j.text.WriteString(" AND ")
		}
		j.text.WriteString(before + "." + quoteName(step.Rel.FromFields[i].Name) + " = " + alias + "." + quoteName(step.Rel.ToFields[i].Name))
	}
	return alias, true
}

// derivedTableColumnNames are c1, c2, … of a derived table over the wide relation.
type derivedTableColumnNames struct {
	inner wideRelationNames
	items *[]string // of the derived table
}

func (r derivedTableColumnNames) nameOfField(f fieldRef) (string, bool) {
	name, ok := r.inner.nameOfField(f)
	return r.findOrAddAlias(name), ok
}

func (r derivedTableColumnNames) nameOfMetric(m *catalog.Metric) (string, bool) {
	name, ok := r.inner.nameOfMetric(m)
	return r.findOrAddAlias(name), ok
}

func (derivedTableColumnNames) countArgument(*catalog.Dataset) (string, bool) { return "", false }

func (r derivedTableColumnNames) findOrAddAlias(name string) string {
	for i, item := range *r.items {
		if item == name {
			return quoteName("c" + itoa(i+1))
		}
	}
	*r.items = append(*r.items, name)
	return quoteName("c" + itoa(len(*r.items)))
}

// selectList returns the items of the derived table.
func (r derivedTableColumnNames) selectList() string {
	out := make([]string, len(*r.items))
	for i, item := range *r.items {
		out[i] = item + " AS " + quoteName("c"+itoa(i+1))
	}
	return strings.Join(out, ", ")
}
