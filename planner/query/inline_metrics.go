package query

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/limits"
)

// InlineMetric is an item of metrics that has an expression.
type InlineMetric struct {
	Name          string `json:"name"`
	Expression    string `json:"expression"`
	Dataset       string `json:"dataset,omitempty"`        // the home of COUNT(*)
	TimeDimension string `json:"time_dimension,omitempty"` // what metric_time means for it
	At            *At    `json:"at,omitempty"`             // the level of the metric; nil for that of the query
	Index         int    `json:"-"`                        // the position in Metrics
	// JoinsTexts allows LISTAGG, whose text has no bound, to a statement in SQL. A request has no key for it.
	JoinsTexts bool `json:"-"`
}

var inlineMetricKeyReaders = []keyReader[InlineMetric]{
	{bodyKey{"name", bodyKeyValueText, nil}, func(s *scanner, m *InlineMetric) error { return s.readResultColumnName(&m.Name) }},
	{bodyKey{expressionKey, bodyKeyValueText, nil}, func(s *scanner, m *InlineMetric) error { return readNonEmptyText(s, &m.Expression) }},
	{bodyKey{"dataset", bodyKeyValueText, nil}, func(s *scanner, m *InlineMetric) error { return readNonEmptyName(s, &m.Dataset) }},
	{bodyKey{"time_dimension", bodyKeyValueText, nil}, func(s *scanner, m *InlineMetric) error { return readNonEmptyName(s, &m.TimeDimension) }},
	{bodyKey{"at", bodyKeyValueFixedKeysObject, keysOfReaders(atKeyReaders)}, func(s *scanner, m *InlineMetric) error { return readAt(s, &m.At) }},
}

const inlineMetricExample = `{"name": "large", "expression": "SUM(orders.amount)"}`

// readMetrics reads names and inline metrics.
func readMetrics(s *scanner, q *MetricQuery) error {
	return s.readArray(limits.QueryMetrics, "an array of strings or of objects such as "+inlineMetricExample, func(i int) error {
		if s.peek() == '{' {
			return readInlineMetric(s, q, i)
		}
		var name string
		if err := s.readRequiredText(&name, "a string or an object such as "+inlineMetricExample); err != nil {
			return err
		}
		q.Metrics = append(q.Metrics, name)
		return s.checkNameLength(name)
	})
}

func readInlineMetric(s *scanner, q *MetricQuery, index int) error {
	if len(q.InlineMetrics) == limits.QueryInlineMetrics {
		s.path = s.path[:len(s.path)-1]
		return badRequestError(s.pathText() + " may hold at most " + strconv.Itoa(limits.QueryInlineMetrics) + " inline metrics")
	}
	m := InlineMetric{Index: index}
	if err := readObject(s, inlineMetricKeyReaders, &m); err != nil {
		return err
	}
	q.Metrics = append(q.Metrics, m.Name)
	q.InlineMetrics = append(q.InlineMetrics, m)
	if err := s.requireKeyValue(m.Name, "a name", inlineMetricExample); err != nil {
		return err
	}
	return s.requireKeyValue(m.Expression, "an expression", inlineMetricExample)
}

// MetricItems are the items of metrics: names, of which those of Inline are inline metrics. It
// marshals as the value of the key.
type MetricItems struct {
	Names  []string
	Inline []InlineMetric // in the order of Names, each with its index there
}

// MetricItemsNamed returns the items of a list of names, in which the inline metrics of the query
// stay whole. A fragment that replaces metrics holds it.
func (q *MetricQuery) MetricItemsNamed(names []string) MetricItems {
	out := MetricItems{Names: names}
	if len(q.InlineMetrics) == 0 {
		return out
	}
	for i, name := range names {
		at := slices.IndexFunc(q.InlineMetrics, func(m InlineMetric) bool { return m.Name == name })
		if at >= 0 {
			m := q.InlineMetrics[at]
			m.Index = i
			out.Inline = append(out.Inline, m)
		}
	}
	return out
}

// MarshalJSON writes ["name", {"name": …, "expression": …}].
func (items MetricItems) MarshalJSON() ([]byte, error) {
	inline := items.Inline
	all := make([]any, len(items.Names))
	for i, name := range items.Names {
		if all[i] = name; len(inline) > 0 && inline[0].Index == i {
			all[i], inline = inline[0], inline[1:]
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(all)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
