package describe

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// maxMetricsPerDefinition bounds the metrics that a definition expands. Each may appear several times, and a chain of
// them doubles at every step.
const maxMetricsPerDefinition = 50

// MetricDefinition returns what a metric computes, on one line: its arithmetic over aggregates of fields. The metrics that
// it is made of are expanded where they are arithmetic and nothing else; the others are named, and their own
// definitions follow.
func (d *Describer) MetricDefinition(m *catalog.Metric) string {
	if m.Revealed {
		return ""
	}
	w := definitionWriter{catalog: d.catalog, expanded: map[*catalog.Metric]int{}}
	w.writeDefinition("", m)
	return strings.Join(w.parts, "; ")
}

// maxListedDefinitionBytes bounds a definition in the list of metrics: many metrics may be made of one with a long expression.
const maxListedDefinitionBytes = 4096

// cutDefinition returns a definition as the list of metrics has it: a long one ends with an ellipsis.
func cutDefinition(text string) string {
	if len(text) <= maxListedDefinitionBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxListedDefinitionBytes], "") + "…"
}

// definitionWriter collects the definitions of a metric and of those that it names.
type definitionWriter struct {
	catalog  *catalog.Catalog
	parts    []string
	expanded map[*catalog.Metric]int
	total    int
}

// writeDefinition adds the definition of a metric under a name, "" for the metric itself, and of those that it names.
func (w *definitionWriter) writeDefinition(name string, m *catalog.Metric) {
	if w.expanded[m]++; w.expanded[m] > 1 && name != "" {
		return
	}
	var named []*catalog.Metric
	text := w.definitionText(m, &named)
	if name != "" {
		text = sqlexpr.FormatPath(name) + " = " + text
	}
	w.parts = append(w.parts, text)
	for _, n := range named {
		if w.total++; w.total <= maxMetricsPerDefinition {
			w.writeDefinition(n.Name, n)
		}
	}
}

// definitionText returns the text of one definition. It adds the metrics that it names.
func (w *definitionWriter) definitionText(m *catalog.Metric, named *[]*catalog.Metric) string {
	text := ""
	switch {
	case m.Derive != nil && m.Derive.Base != nil:
		*named = append(*named, m.Derive.Base)
		text = sqlexpr.FormatPath(m.Derive.Base.Name) + " where " + collapseWhiteSpace(m.Derive.Text)
	case m.Window != nil && m.Window.Base.Default != nil:
		text = sqlexpr.Format(w.measureCall(m.Window.Base.Default))
	case m.Forms.Default != nil:
		text = sqlexpr.Format(w.arithmeticExpr(m, named))
	}
	if rule := semiAdditiveRuleOf(m); rule != nil {
		text += semiAdditiveWords(rule)
	}
	if m.At != nil {
		text += " at another level: " + m.At.String()
	}
	if m.Window != nil {
		text += windowWords(m.Window)
	}
	return text + nullReplacementWords(m)
}

// arithmeticExpr returns the arithmetic of a metric over aggregates. Members that are plain arithmetic are expanded.
func (w *definitionWriter) arithmeticExpr(m *catalog.Metric, named *[]*catalog.Metric) sqlexpr.Expr {
	form := m.Forms.Default
	return sqlexpr.RewriteRefs(form.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
		switch o := form.Operands[r.ID].(type) {
		case *catalog.Measure:
			return w.measureCall(o)
		case *catalog.Metric:
			w.total++
			if isPlainArithmetic(o) && w.total <= maxMetricsPerDefinition {
				return w.arithmeticExpr(o, named)
			}
			*named = append(*named, o)
			return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: o.Name}}}
		}
		return r
	})
}

// isPlainArithmetic reports whether the arithmetic of a metric is all that it computes.
func isPlainArithmetic(m *catalog.Metric) bool {
	return m.Window == nil && m.At == nil && m.Forms.Default != nil && m.Fill == "" && semiAdditiveRuleOf(m) == nil && (m.Derive == nil || m.Derive.Base == nil && m.Derive.Fill == "")
}

// measureCall returns a measure as a call over qualified fields.
func (w *definitionWriter) measureCall(m *catalog.Measure) sqlexpr.Expr {
	overFields := func(e sqlexpr.Expr) sqlexpr.Expr {
		if e == nil {
			return nil
		}
		return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr { return w.catalog.FieldByID(r.ID).QualifiedNameExpr() })
	}
	return m.AggregateCall(overFields(m.Arg), overFields(m.OrderBy))
}

// collapseWhiteSpace returns a text with its runs of white space as single spaces.
func collapseWhiteSpace(text string) string { return strings.Join(strings.Fields(text), " ") }
