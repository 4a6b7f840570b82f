package generate

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// chooseRoles notes which fields take part in written relationships, and which metric a number has.
func (g *generator) chooseRoles() {
	for _, e := range g.edges {
		for _, f := range slices.Concat(e.own, e.key) {
			f.inEdge = f.inEdge || e.written
		}
	}
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if f.isNumber() && !f.inKey && !f.inEdge && !f.isTime() {
				f.metric = aggregateOf(f.name)
			}
		}
	}
}

// aggregateOf returns total or average for a number of that name, "" for one that does
// not add up to anything.
func aggregateOf(name string) string {
	parts := words(name)
	switch {
	case hasEnding(name, "id", "key", "year", "month", "day", "week", "quarter", "hour", "minute_of_day", "lat", "lon", "latitude", "longitude",
		"zip", "zipcode", "postcode", "phone", "version", "number", "no", "num", "code", "rank", "position", "seq", "index", "flag", "type", "status"):
		return ""
	case hasEnding(name, "price", "rate", "ratio", "pct", "percent", "percentage", "score", "rating", "age", "temperature", "temp",
		"avg", "average", "mean", "probability", "share"),
		len(parts) > 0 && slices.Contains([]string{"unit", "avg", "average", "mean"}, parts[0]):
		return "average"
	}
	return "total"
}

// metric is a metric with the dataset that it is computed over.
type metric struct {
	name    string
	dataset *dataset
	field   *field // nil for a count of rows
}

// metrics lists the metrics of each dataset: the count of its rows, then those of its numbers.
func (g *generator) metrics() []metric {
	var out []metric
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
		out, names = append(out, metric{dataset: d}), append(names, d.name+"_count")
		for _, f := range d.fields {
			if f.metric == "" {
				continue
			}
			name := f.metric + "_" + f.name
			if needed[name] > 1 {
				name = f.metric + "_" + d.name + "_" + f.name
			}
			out, names = append(out, metric{dataset: d, field: f}), append(names, name)
		}
	}
	for i, name := range uniqueNames(names) {
		out[i].name = name
	}
	return out
}

// draft returns the metric as it is written.
func (m metric) draft() *draft.Metric {
	out := &draft.Metric{Name: m.name}
	switch f := m.field; {
	case f == nil && len(m.dataset.key.fields) == 1:
		out.Expression = draft.ANSI("COUNT(" + reference(m.dataset.name, m.dataset.key.fields[0].name) + ")")
		out.Description = "Number of rows of " + m.dataset.name + "."
	case f == nil:
		out.Expression = draft.ANSI("COUNT(*)")
		out.Extension.Dataset = m.dataset.name
		out.Description = "Number of rows of " + m.dataset.name + "."
	case f.metric == "average":
		out.Expression = draft.ANSI("AVG(" + reference(m.dataset.name, f.name) + ")")
		out.Description = "Average of " + f.qualified() + ", a guess from the name of the column."
	default:
		out.Expression = draft.ANSI("SUM(" + reference(m.dataset.name, f.name) + ")")
		out.Description = "Sum of " + f.qualified() + ", a guess from the name of the column."
	}
	return out
}
