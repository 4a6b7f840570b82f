package format

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// MissingField is a column that a model names and does not declare as a field of its dataset.
type MissingField struct {
	Dataset, Name string
	// Expression is the column in SQL.
	Expression string
	// NamedBy is the first object that names it: relationship firing_potter.
	NamedBy  string
	Datatype modelspec.Datatype // "" where it is not known
}

// MissingFields lists the columns that relationships and metrics name and that no dataset declares, in the order of the model. A name without its
// dataset is one of the only dataset of the model.
func MissingFields(m *modelspec.SemanticModel) []MissingField {
	f := missingFieldFinder{model: m, known: map[string]bool{}}
	for _, d := range m.Datasets {
		for _, field := range d.Fields {
			f.known[fieldKey(d.Name.Value, field.Name.Value)] = true
		}
	}
	for _, r := range m.Relationships {
		by := "relationship " + r.Name.Value
		for _, side := range []struct {
			dataset string
			columns []modelspec.LocatedText
		}{{r.From.Value, r.FromColumns}, {r.To.Value, r.ToColumns}} {
			for _, column := range side.columns {
				f.add(side.dataset, sqlexpr.FormatPath(column.Value), column.Value, by)
			}
		}
	}
	for _, metric := range m.Metrics {
		f.addColumnsOfMetric(metric)
	}
	return f.found
}

// missingFieldFinder collects missing fields. known has the fields that are declared, and those found.
type missingFieldFinder struct {
	model *modelspec.SemanticModel
	known map[string]bool
	found []MissingField
}

func fieldKey(dataset, field string) string {
	return strings.ToLower(dataset) + "\x00" + strings.ToLower(field)
}

// add adds a column of a dataset, if the model has the dataset and not the field.
func (f *missingFieldFinder) add(dataset, expression, name, by string) {
	i := slices.IndexFunc(f.model.Datasets, func(d *modelspec.Dataset) bool { return strings.EqualFold(d.Name.Value, dataset) })
	if i < 0 || name == "" || f.known[fieldKey(dataset, name)] {
		return
	}
	f.known[fieldKey(dataset, name)] = true
	f.found = append(f.found, MissingField{Dataset: f.model.Datasets[i].Name.Value, Name: name, Expression: expression, NamedBy: by})
}

func (f *missingFieldFinder) addColumnsOfMetric(m *modelspec.Metric) {
	if m.Expression == nil {
		return
	}
	for _, entry := range m.Expression.Entries {
		dialect := sqlexpr.CanonicalDialect(entry.Dialect.Value)
		if !modelspec.IsSQLDialect(dialect) {
			continue
		}
		if modelspec.IsPortableDialect(dialect) {
			dialect = ""
		}
		e, err := sqlexpr.ParseLimited(entry.Expression.Value, sqlexpr.NativeLimits(dialect))
		if err != nil {
			continue // which validation reports
		}
		for _, column := range sqlexpr.ColumnReferences(e) {
			if dataset := f.datasetOfColumn(m, column); dataset != "" {
				name := column.Path[len(column.Path)-1]
				f.add(dataset, sqlexpr.Format(&sqlexpr.Column{Path: []sqlexpr.Name{name}}), name.Text, "metric "+m.Name.Value)
			}
		}
	}
}

// datasetOfColumn returns the dataset of a name in a metric: the one before it, or that to which the relationship before it leads. "" is a
// name that may be that of another metric.
func (f *missingFieldFinder) datasetOfColumn(in *modelspec.Metric, column *sqlexpr.Column) string {
	if len(column.Path) == 1 {
		isMetric := slices.ContainsFunc(f.model.Metrics, func(m *modelspec.Metric) bool { return m != in && strings.EqualFold(m.Name.Value, column.Path[0].Text) })
		if len(f.model.Datasets) != 1 || isMetric {
			return ""
		}
		return f.model.Datasets[0].Name.Value
	}
	parts := make([]string, len(column.Path)-1)
	for i := range parts {
		parts[i] = column.Path[i].Text
	}
	before := strings.Join(parts, ".")
	for _, d := range f.model.Datasets {
		if strings.EqualFold(d.Name.Value, before) {
			return d.Name.Value
		}
	}
	for _, r := range f.model.Relationships {
		if strings.EqualFold(r.Name.Value, parts[len(parts)-1]) {
			return r.To.Value
		}
	}
	return ""
}
