package compile_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// An entry in a language that is not SQL is carried and never parsed; alone it is a
// metric without a SQL entry.
func TestDialects_LanguagesThatAreNotSQLAreNotParsed(t *testing.T) {
	for _, language := range []string{"MDX", "TABLEAU", "MAQL", "DAX", "SIGMA", "THOUGHTSPOT", "LOOKML", "MALLOY", "dax"} {
		other := "{dialect: " + language + ", expression: \"CALCULATE([x], {{ y }\"}"
		model := func(entries string) string {
			return hostileHead + "- {name: d, source: t, fields: [{name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: f}]}}]}\n" +
				"metrics:\n- {name: m, expression: {dialects: [" + entries + "]}}\n"
		}
		doc := load(t, model(other+", {dialect: ANSI_SQL, expression: SUM(d.f)}"))
		if errs := catalogOf(t, doc, compile.Options{}).Errors; len(errs) > 0 || len(validated(t, doc)) > 0 {
			t.Errorf("%s beside SQL: %v", language, errs)
		}
		if issues := validated(t, load(t, model(other))); len(issues) != 1 || issues[0].Code != modelspec.CodeMissingSQLDialect {
			t.Errorf("%s alone: %v", language, issues)
		}
	}
}
