package local

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// localFieldOrMetricNameTakenError returns the error of a field or a metric of the query whose name the model, or an item
// before it, has. The retry renames the item. Where another text of the query has the name, the
// retry is in words: beside a renamed item the text would mean what had the name first.
func localFieldOrMetricNameTakenError(failure *modelspec.CompileError, cat *catalog.Catalog, with []query.LocalField, q *query.MetricQuery) error {
	out := &planerr.Error{
		Code: failure.Code, Message: failure.Message, Location: failure.Location,
		SuggestedRetry: "choose another name for the item, also where the query uses it",
	}
	item := strings.TrimSuffix(failure.Location, "/name")
	for i, f := range with {
		// The other queries have texts that are not here.
		if localFieldLocation(i) == item && q != nil && !containsNameAsWord(f.Name, queryTextsThatMayNameField(with, i, q)) {
			out.Fragment = renameLocalFieldRetry(cat, with, i)
		}
	}
	if q == nil {
		return out
	}
	for i, m := range q.InlineMetrics {
		if inlineMetricLocation(m) == item {
			out.Metrics = []string{m.Name}
			if !containsNameAsWord(m.Name, queryTextsThatMayNameMetric(q, i)) {
				out.Fragment = retry.AliasMetric(q, m.Name, unusedMetricName(cat, q, m.Name))
			}
		}
	}
	return out
}

func localFieldLocation(i int) string { return "with/" + strconv.Itoa(i) }

func inlineMetricLocation(m query.InlineMetric) string { return "metrics/" + strconv.Itoa(m.Index) }

// queryTextsThatMayNameField returns the texts that may name a field of with.
func queryTextsThatMayNameField(with []query.LocalField, at int, q *query.MetricQuery) []string {
	texts := []string{q.WhereSQL, q.ContextFilter}
	for _, f := range with[at+1:] {
		texts = append(texts, f.Expression)
	}
	for _, m := range q.InlineMetrics {
		texts = append(texts, m.Expression)
	}
	for _, g := range q.GroupBy {
		texts = append(texts, g.Field, g.Expression)
	}
	return texts
}

// queryTextsThatMayNameMetric returns the texts that may name an inline metric.
func queryTextsThatMayNameMetric(q *query.MetricQuery, at int) []string {
	texts := []string{q.WhereSQL}
	for _, m := range q.InlineMetrics[at+1:] {
		texts = append(texts, m.Expression)
	}
	return texts
}

// containsNameAsWord reports whether a name is a word of one of the texts.
func containsNameAsWord(name string, texts []string) bool {
	separates := func(r rune) bool { return r < 0x80 && !isNameByte(byte(r)) }
	for _, text := range texts {
		same := func(word string) bool { return strings.EqualFold(word, name) }
		if slices.ContainsFunc(strings.FieldsFunc(text, separates), same) {
			return true
		}
	}
	return false
}

func isNameByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

func renameLocalFieldRetry(cat *catalog.Catalog, with []query.LocalField, at int) map[string]any {
	var taken []string
	if d := cat.Dataset(with[at].Dataset); d != nil {
		for f := range cat.FieldsOf(d) {
			taken = append(taken, f.Name)
		}
	}
	for _, f := range with {
		taken = append(taken, f.Name)
	}
	renamed := slices.Clone(with)
	renamed[at].Name = numberedName(with[at].Name, taken)
	return map[string]any{"with": renamed}
}

func unusedMetricName(cat *catalog.Catalog, q *query.MetricQuery, name string) string {
	taken := slices.Clone(q.Metrics)
	for m := range cat.AllMetrics() {
		taken = append(taken, m.Name)
	}
	return numberedName(name, taken)
}

// numberedName returns a taken name with a number that makes it free.
func numberedName(name string, taken []string) string {
	names := naming.NewNamer()
	names.UniqueName(name)
	for _, other := range taken {
		if !strings.EqualFold(other, name) {
			names.UniqueName(other)
		}
	}
	return names.UniqueName(name)
}
