package reference

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// countedStoredTextBytes is the number of bytes that a stored text counts in the limit on built texts.
const countedStoredTextBytes = 256

// allowRejectionOfExpandedSize adds the codes of a query whose texts are small and grow when the names in them
// are replaced by what they mean. The reference evaluates such a query: it computes each name
// once.
func (e *evaluator) allowRejectionOfExpandedSize() {
	texts := map[string]string{}
	for _, f := range e.q.With {
		texts[strings.ToLower(f.Name)] = f.Expression
	}
	for _, g := range e.q.GroupBy {
		if g.Expression != "" {
			texts[strings.ToLower(g.Name)] = g.Expression
		}
	}
	for _, condition := range []string{e.q.WhereSQL, e.q.ContextFilter} {
		if countNamesAfterTextExpansion(condition, texts)*countedStoredTextBytes > float64(sqlexpr.QueryLimits().MaxBuilt) {
			e.addMayRejectCode("unsupported_filter")
		}
	}
	clear(texts)
	for _, x := range e.q.InlineMetrics {
		texts[strings.ToLower(x.Name)] = x.Expression
	}
	for _, x := range e.q.InlineMetrics {
		if countNamesAfterTextExpansion(x.Name, texts) > limits.QueryExpressionNodes/2 { // each name comes with an operator
			e.addMayRejectCode("bad_request")
		}
	}
}

// countNamesAfterTextExpansion returns the number of names a text has with those of texts replaced until only others are
// left. It is a float64 because it doubles with each text.
func countNamesAfterTextExpansion(text string, texts map[string]string) float64 {
	counts := map[string]float64{}
	var count func(text string) float64
	count = func(text string) float64 {
		x, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
		if err != nil {
			return 0
		}
		total := 0.0
		for _, c := range sqlexpr.ColumnReferences(x) {
			name := strings.ToLower(c.Path[len(c.Path)-1].Text)
			inner, is := texts[name]
			if _, known := counts[name]; is && !known {
				counts[name] = 1 // a text that names itself is rejected elsewhere
				counts[name] = count(inner)
			}
			if is {
				total += counts[name]
			} else {
				total++
			}
		}
		return total
	}
	return count(text)
}
