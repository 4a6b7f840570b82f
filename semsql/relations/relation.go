package relations

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// MetricTime is the column of the wide relation that is each metric's own time axis.
const MetricTime = "metric_time"

// MaxListedColumns is how many columns a relation lists. Others are found by their names.
const MaxListedColumns = 1600

// Column is one column of a relation: a field, a metric, or metric_time, which has neither.
type Column struct {
	Name        string
	Type        sqltype.Type
	NotNull     bool
	Description string

	Field  *catalog.Field
	Path   []catalog.JoinStep // of a field of the wide relation that only a path of relationships tells apart
	Metric *catalog.Metric
}

// IsMetricTime reports whether the column is each metric's own time axis.
func (c *Column) IsMetricTime() bool { return c.Field == nil && c.Metric == nil }

// PrimaryOrUniqueKey is a primary or unique key.
type PrimaryOrUniqueKey struct {
	Name    string
	Columns []*Column
	Primary bool
}

// ForeignKey is a relationship whose columns on the other side are a declared key.
type ForeignKey struct {
	Name          string
	Columns       []*Column
	Target        *Relation
	TargetColumns []*Column // paired with Columns by position
}

// Relation is one table.
type Relation struct {
	Name        string
	Description string
	Dataset     *catalog.Dataset // nil for the wide relation and for views
	View        *catalog.View    // nil for the others
	// Columns are those that a catalogue lists, at most MaxListedColumns.
	Columns     []*Column
	Keys        []PrimaryOrUniqueKey // the primary key first
	ForeignKeys []ForeignKey
	// LeftOut is how many columns are beyond MaxListedColumns.
	LeftOut int

	byName map[string][]*Column // by lower-cased name, further spellings and columns that are left out too
}

// IsWide reports whether the relation is the one of the whole model, or that of a view of it.
func (r *Relation) IsWide() bool { return r.Dataset == nil }

// FindColumns lists the columns that a name means: none for an unknown name, several for one that needs
// its dataset, or quotes, to be unique. A name without quotes is found in any case.
func (r *Relation) FindColumns(name sqlexpr.Name) []*Column {
	found := r.byName[strings.ToLower(name.Text)]
	if !name.Quoted {
		return found
	}
	var exact []*Column
	for _, c := range found {
		if c.hasSpelling(name.Text) {
			exact = append(exact, c)
		}
	}
	return exact
}

// hasSpelling reports whether a text is a spelling of the column, in the case of the model.
func (c *Column) hasSpelling(text string) bool {
	return c.Name == text || c.Field != nil && (c.Field.Name == text || datasetQualifiedName(c.Field) == text)
}

// FieldColumns lists the columns that are fields.
func (r *Relation) FieldColumns() []*Column {
	var out []*Column
	for _, c := range r.Columns {
		if c.Field != nil {
			out = append(out, c)
		}
	}
	return out
}

// PrimaryKey returns the primary key; ok is false where the relation has none, or one with a column that
// is not a field.
func (r *Relation) PrimaryKey() (k PrimaryOrUniqueKey, ok bool) {
	if len(r.Keys) > 0 && r.Keys[0].Primary {
		return r.Keys[0], true
	}
	return PrimaryOrUniqueKey{}, false
}

func (r *Relation) addColumnSpelling(name string, c *Column) {
	key := strings.ToLower(name)
	r.byName[key] = append(r.byName[key], c)
}

// addColumnUnlessTaken adds a column under its name, unless the name is taken.
func (r *Relation) addColumnUnlessTaken(c *Column) bool {
	if len(r.byName[strings.ToLower(c.Name)]) > 0 && r.hasColumnOfExactName(c.Name) {
		return false
	}
	r.addColumnSpelling(c.Name, c)
	if len(r.Columns) < MaxListedColumns {
		r.Columns = append(r.Columns, c)
	} else {
		r.LeftOut++
	}
	return true
}

func (r *Relation) hasColumnOfExactName(name string) bool {
	for _, c := range r.byName[strings.ToLower(name)] {
		if c.Name == name {
			return true
		}
	}
	return false
}

// datasetQualifiedName is dataset__field.
func datasetQualifiedName(f *catalog.Field) string { return f.Dataset.Name + "__" + f.Name }

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
