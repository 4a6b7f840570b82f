package compile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// FuzzCompile: an expression and a payload, each on a field and on a metric of a
// model, compile or report an error. A failed object is empty, and any other is
// complete.
func FuzzCompile(f *testing.F) {
	for _, list := range cases {
		for _, r := range list {
			for _, line := range strings.Split(r.model, "\n") {
				line = strings.TrimSpace(line)
				if expression, ok := strings.CutPrefix(line, "~ x: "); ok {
					f.Add(expression, `{"v": "1.9"}`)
				} else if payload, ok := strings.CutPrefix(line, "@ "); ok {
					f.Add("SUM(amount)", payload)
				}
			}
		}
	}
	f.Add("CASE WHEN status = 'x' THEN revenue ELSE order_count END", ltv)
	f.Fuzz(func(t *testing.T, expression, payload string) {
		text := expand(strings.Replace(derived("1", "2"), "  ~ x: 1\n    @ 2\n", "", 1))
		quote := func(s string) string {
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
		}
		object := "name: fuzzed, expression: {dialects: [{dialect: ANSI_SQL, expression: " + quote(expression) + "}]}, custom_extensions: [{vendor_name: SEMLAYER, data: " + quote(payload) + "}]"
		text = strings.Replace(text, "metrics:\n", "metrics:\n  - {"+object+"}\n", 1)
		text = strings.Replace(text, "  - name: region\n", "  - {"+object+"}\n      - name: region\n", 1)
		doc, err := modelspec.Parse([]byte(text))
		var loadErr *modelspec.LoadError
		if errors.As(err, &loadErr) {
			return // control characters
		}
		for _, basic := range []bool{false, true} {
			check(t, catalogOf(t, doc, compile.Options{Basic: basic, Advice: true}))
		}
	})
}

func check(t *testing.T, c *catalog.Catalog) {
	for _, e := range c.Errors {
		if e.Code == "" || e.Message == "" || e.Location == "" || e.Position.Line == 0 && e.Location != "semantic_model" {
			t.Errorf("incomplete: %+v", e)
		}
	}
	for i, f := range c.Fields {
		switch {
		case f.ID != i:
			t.Errorf("%s has ID %d at %d", f.QualifiedName(), f.ID, i)
		case f.Err != nil && (f.Expr.Default != nil || f.LOD != nil):
			t.Errorf("%s failed and is not empty", f.QualifiedName())
		case f.Err == nil && (f.Expr.Default == nil) == (f.LOD == nil):
			t.Errorf("%s has neither an expression nor a level of detail, or both", f.QualifiedName())
		}
	}
	for _, m := range c.Metrics {
		filter := m.Derive != nil && m.Derive.Base != nil
		switch {
		case m.Err != nil && (m.Forms.Default != nil || m.Derive != nil || m.Window != nil):
			t.Errorf("%s failed and is not empty", m.Name)
		case m.Err == nil && filter == (m.Forms.Default != nil):
			t.Errorf("%s has neither a form nor a base, or both", m.Name)
		case m.Err == nil && len(m.LeafMeasures()) == 0:
			t.Errorf("%s computes nothing", m.Name)
		case m.Err == nil && m.Kind == "":
			t.Errorf("%s has no kind", m.Name)
		}
		for _, form := range m.FormsOfAllDialects() {
			sqlexpr.Walk(form.Expr, func(e sqlexpr.Expr) bool {
				switch e := e.(type) {
				case *sqlexpr.Ref:
					if e.ID >= len(form.Operands) {
						t.Errorf("%s refers to operand %d of %d", m.Name, e.ID, len(form.Operands))
					}
				case *sqlexpr.Column, *sqlexpr.WindowCall, *sqlexpr.Subquery:
					t.Errorf("%s still holds %s", m.Name, sqlexpr.Format(e))
				}
				return true
			})
		}
	}
}

// FuzzDocument: any document compiles without a panic, those with structural
// errors too, and the catalog is consistent.
func FuzzDocument(f *testing.F) {
	for _, list := range cases {
		for _, r := range list {
			f.Add([]byte(expand(r.model)))
		}
	}
	f.Add([]byte("version: 0.2.0.dev0\nname: m\ndatasets: [{name: a, fields: [{name: x}, {}]}, {name: a}, {}]\nmetrics: [{name: m, custom_extensions: [{vendor_name: DATUS, data: '{\"v\":\"1.9\",\"derive\":{\"type\":\"compose\",\"expr\":\"m\"}}'}]}]\nrelationships: [{from: a, to: a, from_columns: [x]}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := modelspec.Parse(text)
		if err != nil {
			return
		}
		for _, basic := range []bool{false, true} {
			check(t, catalogOf(t, doc, compile.Options{Basic: basic, Advice: true}))
		}
	})
}
