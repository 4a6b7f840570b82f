package reference_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/reference"
)

// given builds a world from a model in short form and its tables:
//
//	sales(id! Integer, day Date, city String)   a dataset, its key marked
//	sales.city -> cities.city {…}               a relationship city_cities with its extension
//	total: SUM(sales.amount) {…}                a metric with its extension
func given(t *testing.T, short string, tables map[string]string) world {
	t.Helper()
	var datasets, relationships, metrics []string
	for line := range strings.Lines(strings.TrimSpace(short)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, " -> "):
			relationships = append(relationships, relationshipOf(line, relationships))
		case strings.Contains(line, ": "):
			metrics = append(metrics, metricOf(line))
		case line != "":
			datasets = append(datasets, datasetOf(line))
		}
	}
	text := "version: 0.2.0.dev0\nsemantic_model:\n- name: m\n  datasets:\n" + strings.Join(datasets, "")
	if len(relationships) > 0 {
		text += "  relationships:\n" + strings.Join(relationships, "")
	}
	w := world{model: compiled(t, text+"  metrics:\n"+strings.Join(metrics, "")), data: reference.Data{}}
	for name, table := range tables {
		w.data[name] = rows(table)
	}
	return w
}

func datasetOf(line string) string {
	line, own, found := strings.Cut(line, ") {")
	if found {
		own = "    " + strings.TrimPrefix(payloadOf("{"+own), ", ") + "\n"
	}
	name, rest, _ := strings.Cut(strings.TrimSuffix(line, ")"), "(")
	var keys, fields []string
	for _, f := range strings.Split(rest, ", ") {
		column, datatype, _ := strings.Cut(f, " ")
		datatype, payload, _ := strings.Cut(datatype, " ")
		column, isKey := strings.CutSuffix(column, "!")
		if isKey {
			keys = append(keys, column)
		}
		column, expr, computed := strings.Cut(column, "=")
		if !computed {
			expr = column
		}
		fields = append(fields, fmt.Sprintf("    - {name: %s, datatype: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}%s}\n", column, datatype, expr, payloadOf(payload)))
	}
	key := ""
	if len(keys) > 0 {
		key = "    primary_key: [" + strings.Join(keys, ", ") + "]\n"
	}
	return fmt.Sprintf("  - name: %s\n    source: %s\n%s%s    fields:\n%s", name, name, key, own, strings.Join(fields, ""))
}

func relationshipOf(line string, others []string) string {
	from, to, _ := strings.Cut(line, " -> ")
	to, payload, _ := strings.Cut(to, " ")
	a, x, _ := strings.Cut(from, ".")
	b, y, _ := strings.Cut(to, ".")
	name := x + "_" + b
	if strings.Contains(strings.Join(others, ""), "{name: "+name+",") {
		name = a + "_" + name
	}
	return fmt.Sprintf("  - {name: %s, from: %s, to: %s, from_columns: [%s], to_columns: [%s]%s}\n", name, a, b, x, y, payloadOf(payload))
}

func metricOf(line string) string {
	name, rest, _ := strings.Cut(line, ": ")
	expression, payload, found := strings.Cut(rest, " {")
	if found {
		payload = "{" + payload
	}
	return fmt.Sprintf("  - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %q}]}%s}\n", name, expression, payloadOf(payload))
}

func payloadOf(payload string) string {
	if payload == "" {
		return ""
	}
	text := strings.Replace(payload, "{", `{"v":"1.10",`, 1)
	return ", custom_extensions: [{vendor_name: SEMLAYER, data: '" + strings.ReplaceAll(text, "'", "''") + "'}]"
}
