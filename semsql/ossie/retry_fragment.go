package ossie

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// QueryWithRetryFragment returns the query of the profile with a fragment of the planner's retry merged in. ok is false where the
// profile has no clause for the result.
func (t *Translation) QueryWithRetryFragment(fragment map[string]any) (q *Query, ok bool) {
	if t.Metric != nil {
		patched, ok := t.Metric.ApplyRetryFragment(fragment)
		if !ok {
			return nil, false
		}
		return t.metricQueryToOssieQuery(&patched)
	}
	patched, ok := t.Detail.ApplyRetryFragment(fragment)
	if !ok || patched.From != t.Detail.From {
		return nil, false
	}
	return t.detailQueryToOssieQuery(&patched)
}

// metricQueryToOssieQuery writes a metric query in the clauses of the profile.
func (t *Translation) metricQueryToOssieQuery(m *query.MetricQuery) (*Query, bool) {
	if m.From != "" || m.ContextFilter != "" || m.TimeRange != nil || len(m.TimeRanges)+len(m.Totals)+len(m.Shares)+len(m.Params)+len(m.With) > 0 ||
		m.Compare != nil || m.Top != nil || m.Fill != nil || m.FanOut != "" || m.Saved != "" || m.Offset > 0 {
		return nil, false
	}
	out := &Query{Limit: t.query.Limit}
	for _, g := range m.GroupBy {
		text := g.Expression
		switch {
		case g.Grain != "":
			text = dateTruncText(g.Field, g.Grain)
		case g.Field != "":
			text = g.Field
		}
		out.Dimensions = append(out.Dimensions, withAlias(text, g.Name))
	}
	for i, name := range m.Metrics {
		text := name
		if at := slices.IndexFunc(m.InlineMetrics, func(in query.InlineMetric) bool { return in.Index == i }); at >= 0 {
			in := m.InlineMetrics[at]
			if in.Dataset != "" || in.TimeDimension != "" {
				return nil, false
			}
			text = withAlias(in.Expression, in.Name)
		}
		out.Measures = append(out.Measures, text)
	}
	out.OrderBy = toProfileOrderKeys(m.OrderBy)
	if m.WhereSQL == t.Metric.WhereSQL {
		out.Where, out.Having = t.query.Where, t.query.Having
		return out, true
	}
	return out, out.addConditions(m.WhereSQL, m.Metrics)
}

func (q *Query) addConditions(text string, measures []string) (ok bool) {
	if text == "" {
		return true
	}
	e, err := parseExpression("where", text)
	if err != nil {
		return false
	}
	for _, c := range sqlexpr.SplitConjuncts(e) {
		onMeasures := slices.ContainsFunc(sqlexpr.ColumnReferences(c), func(c *sqlexpr.Column) bool {
			name, bare := singlePartColumnName(c)
			return bare && slices.Contains(measures, name)
		})
		if onMeasures {
			q.Having = append(q.Having, sqlexpr.Format(c))
		} else {
			q.Where = append(q.Where, sqlexpr.Format(c))
		}
	}
	return true
}

// detailQueryToOssieQuery writes a detail query in the clauses of the profile. Its fields keep their aliases.
func (t *Translation) detailQueryToOssieQuery(d *query.DetailQuery) (*Query, bool) {
	if d.TimeRange != nil || d.Saved != "" || d.Offset > 0 || len(d.Params) > 0 {
		return nil, false
	}
	out := &Query{Limit: t.query.Limit, Where: t.query.Where, OrderBy: toProfileOrderKeys(d.OrderBy)}
	for i, f := range d.Fields {
		text := f
		if at := strings.LastIndex(f, ":"); at >= 0 {
			text = dateTruncText(f[:at], f[at+1:])
		}
		for _, w := range d.With {
			if f == sqlexpr.FormatPath(w.Dataset, w.Name) {
				text = withAlias(w.Expression, w.Name)
			}
		}
		if len(d.Fields) == len(t.Headers) {
			text = withAlias(text, t.Headers[i])
		}
		out.Fields = append(out.Fields, text)
	}
	if d.WhereSQL != t.Detail.WhereSQL {
		out.Where = nil
		return out, out.addConditions(d.WhereSQL, nil)
	}
	return out, true
}

func dateTruncText(field, grain string) string {
	return "DATE_TRUNC(" + sqlexpr.Format(&sqlexpr.String{Value: grain}) + ", " + field + ")"
}

func withAlias(text, alias string) string {
	if alias == "" {
		return text
	}
	return text + " AS " + sqlexpr.FormatPath(alias)
}

func toProfileOrderKeys(all []query.OrderBy) (out []OrderKey) {
	for _, o := range all {
		key := OrderKey{Field: sqlexpr.FormatPath(o.Key), Direction: ascending, Nulls: nullsLast}
		if o.Desc {
			key.Direction = descending
		}
		out = append(out, key)
	}
	return out
}
