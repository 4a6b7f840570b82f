package querysql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/relations"
)

// Model is the model of the queries. Dialect chooses the expressions whose parameters are bound.
type Model struct {
	Catalog   *catalog.Catalog
	Relations *relations.Schema
	Dialect   string
}

// Statement is one spelling of a query. Form is what it is over.
type Statement struct {
	Form   string
	SQL    string
	Params []query.ParamValue // of $1 and so on
}

// metricTime is the reference that means each metric's own time axis.
const metricTime = relations.MetricTime

// fieldRef is a reference of a query: a field with the relationships that are named, or metric_time.
type fieldRef struct {
	text  string
	path  []catalog.JoinStep
	field *catalog.Field // nil for metric_time
}

// parseRef resolves a reference; ok is false for one that SQL has no name for.
func (m Model) parseRef(text string) (fieldRef, bool) {
	out := fieldRef{text: text}
	parts := strings.Split(text, ".")
	if strings.Contains(text, `"`) {
		return out, false
	}
	last := parts[len(parts)-1]
	switch {
	case text == metricTime:
		return out, true
	case len(parts) == 1:
		if found := m.Catalog.FieldsNamed(text); len(found) == 1 {
			out.field = found[0]
		}
	case len(parts) == 2 && m.Catalog.Dataset(parts[0]) != nil:
		out.field = m.Catalog.Dataset(parts[0]).Field(last)
	default:
		at := m.Catalog.Relationship(parts[0])
		for _, name := range parts[:len(parts)-1] {
			rel := m.Catalog.Relationship(name)
			if rel == nil || len(out.path) > 0 && at.To != rel.From {
				return out, false
			}
			at = rel
			out.path = append(out.path, catalog.JoinStep{Rel: rel})
		}
		out.field = at.To.Field(last)
	}
	return out, out.field != nil
}

// quoteName returns a name in double quotes.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoteNamesJoinedByDots(parts ...string) string {
	list := make([]string, len(parts))
	for i, p := range parts {
		list[i] = quoteName(p)
	}
	return strings.Join(list, ".")
}

// paramNamesOfMetric lists the parameters of a metric.
func (m Model) paramNamesOfMetric(metric *catalog.Metric) []string {
	var out []string
	for _, p := range m.Catalog.ParamsOfMetric(metric, m.Dialect) {
		out = append(out, p.Name)
	}
	return out
}

// bindsOnlyMetricParams reports whether every value is bound once and to metrics alone: a field takes no parameter in SQL.
func (m Model) bindsOnlyMetricParams(params query.Bindings, metrics []string) bool {
	for _, p := range params {
		ofMetric := slices.ContainsFunc(metrics, func(name string) bool {
			metric := m.Catalog.Metric(name)
			return metric != nil && slices.Contains(m.paramNamesOfMetric(metric), p.Name)
		})
		if p.List || !ofMetric || m.isLODFieldParam(p.Name) {
			return false
		}
	}
	return true
}

func (m Model) isLODFieldParam(name string) bool {
	return slices.ContainsFunc(m.Catalog.Fields, func(f *catalog.Field) bool {
		return f.LOD != nil && slices.ContainsFunc(f.LOD.Params, func(p *catalog.Param) bool { return p.Name == name })
	})
}

// quoteText returns a text literal.
func quoteText(s string) string { return sqlexpr.Format(&sqlexpr.String{Value: s}) }

func itoa(n int) string { return strconv.Itoa(n) }
