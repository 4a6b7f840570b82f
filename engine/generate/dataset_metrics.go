package generate

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// chooseFieldAggregates notes which fields take part in written relationships, and which metric a number has.
func (g *generator) chooseFieldAggregates() {
	for _, e := range g.edges {
		for _, f := range slices.Concat(e.own, e.key) {
			f.inEdge = f.inEdge || e.written
		}
	}
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if f.isNumber() && !f.inKey && !f.inEdge && !f.isTime() {
				f.metric = aggregateForFieldName(f.words)
			}
		}
	}
}

// aggregateForFieldName returns total or average for a number of that name, "" for one that does
// not add up to anything.
func aggregateForFieldName(name string) string {
	parts := splitWords(name)
	switch {
	case hasNameEnding(name, "id", "key", "year", "month", "day", "week", "quarter", "hour", "minute_of_day", "lat", "lon", "latitude", "longitude",
		"zip", "zipcode", "postcode", "phone", "version", "number", "no", "num", "code", "rank", "position", "seq", "index", "flag", "type", "status"):
		return ""
	case hasNameEnding(name, "price", "rate", "ratio", "pct", "percent", "percentage", "score", "rating", "age", "temperature", "temp",
		"avg", "average", "mean", "probability", "share"),
		len(parts) > 0 && slices.Contains([]string{"unit", "avg", "average", "mean"}, parts[0]):
		return "average"
	}
	return "total"
}

// datasetMetric is a metric with the dataset that it is computed over.
type datasetMetric struct {
	name    string
	dataset *tableDataset
	field   *columnField // nil for a count of rows
}

// listMetrics lists the metrics of each dataset: the count of its rows, then those of its numbers.
func (g *generator) listMetrics() []datasetMetric {
	var out []datasetMetric
	needed := map[string]int{}
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if f.metric != "" {
				needed[f.metric+"_"+f.name]++
			}
		}
	}
	var names []string
	for _, d := range g.datasets {
		out, names = append(out, datasetMetric{dataset: d}), append(names, d.name+"_count")
		for _, f := range d.fields {
			if f.metric == "" {
				continue
			}
			name := f.metric + "_" + f.name
			if needed[name] > 1 {
				name = f.metric + "_" + d.name + "_" + f.name
			}
			out, names = append(out, datasetMetric{dataset: d, field: f}), append(names, name)
		}
	}
	for i, name := range uniqueNames(names) {
		out[i].name = name
	}
	return out
}

// label returns the label of a metric whose name hides the words of a column or a table.
func (m datasetMetric) label() string {
	if m.field == nil {
		if words := caseWordsLabel(m.dataset.table.Name); words != "" {
			return "Count of " + words
		}
		return ""
	}
	words := caseWordsLabel(m.field.column.Name)
	if words == "" {
		return ""
	}
	return map[string]string{"average": "Average of ", "total": "Total of "}[m.field.metric] + words
}

// toDraftMetric returns the metric as it is written.
func (m datasetMetric) toDraftMetric() *draft.Metric {
	out := &draft.Metric{Name: m.name}
	out.Extension.Label = m.label()
	switch f := m.field; {
	case f == nil && len(m.dataset.key.fields) == 1:
		out.Expression = draft.ANSIExpression("COUNT(" + fieldReference(m.dataset.name, m.dataset.key.fields[0].name) + ")")
		out.Description = "Number of rows of " + m.dataset.name + "."
	case f == nil:
		out.Expression = draft.ANSIExpression("COUNT(*)")
		out.Extension.Dataset = m.dataset.name
		out.Description = "Number of rows of " + m.dataset.name + "."
	case f.metric == "average":
		out.Expression = draft.ANSIExpression("AVG(" + fieldReference(m.dataset.name, f.name) + ")")
		out.Description = "Average of " + f.qualifiedName() + ", a guess from the name of the column."
	default:
		out.Expression = draft.ANSIExpression("SUM(" + fieldReference(m.dataset.name, f.name) + ")")
		out.Description = "Sum of " + f.qualifiedName() + ", a guess from the name of the column."
	}
	return out
}
