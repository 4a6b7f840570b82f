package compile_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

const freshModel = `version: 0.2.0.dev0
name: m
datasets:
  - name: o
    source: o
    fields: [{name: x, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "freshness": "FRESHNESS"}'}]
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(o.x)}]}}
`

func TestFreshness_IsAnAggregateOverColumns(t *testing.T) {
	for text, want := range map[string]string{
		"MAX(loaded_at)": "",
		"COUNT(*)":       "",
		"CONCAT(CAST(MAX(a) AS STRING), COUNT(b))": "",
		"loaded_at":         "is not an aggregate over columns of its table",
		"MAX(a) + b":        "is not an aggregate over columns of its table",
		"MAX(o.loaded_at)":  "is not an aggregate over columns of its table",
		"MAX(:region)":      "is not an aggregate over columns of its table",
		"MAX(CURRENT_DATE)": "has a function of the present time or outside of the language",
		"MAX(":              "does not parse",
	} {
		cat := catalogOf(t, load(t, strings.Replace(freshModel, "FRESHNESS", text, 1)), compile.Options{})
		d := cat.Datasets[0]
		if want == "" {
			if len(cat.Errors) > 0 || d.Freshness == nil {
				t.Errorf("%s: %v %v", text, d.Freshness, cat.Errors)
			} else if sqlexpr.FirstAggregate(d.Freshness) == nil {
				t.Errorf("%s: %s", text, sqlexpr.Format(d.Freshness))
			}
			continue
		}
		if len(cat.Errors) != 1 || cat.Errors[0].Code != "invalid_vendor_extension" || !strings.Contains(cat.Errors[0].Message, want) ||
			!strings.HasPrefix(cat.Errors[0].Hint, "write an aggregate over columns of the table, such as MAX(loaded_at)") || d.Freshness != nil {
			t.Errorf("%s: %v %v", text, d.Freshness, cat.Errors)
		}
		if m := cat.Metric("n"); m == nil || m.Err != nil {
			t.Errorf("%s: the metrics of the dataset do not compile", text)
		}
	}
}
