package compile_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// generated returns a model of n datasets of ten fields, joined in a tree, and two
// metrics for each dataset, as YAML.
func generated(n int) []byte {
	fields := [][3]string{
		{"id", "id", "Integer"}, {"parent_id", "parent_id", "Integer"}, {"created", "created_at", "DateTime"},
		{"amount", "amount", "Decimal"}, {"qty", "qty", "Integer"}, {"status", "UPPER(status)", "String"}, {"region", "region", "String"},
		{"net", "amount - qty", "Decimal"}, {"flag", "CASE WHEN status = 'x' THEN 1 ELSE 0 END", "Integer"}, {"label", "COALESCE(label, 'none')", "String"},
	}
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nsemantic_model:\n  - name: big\n    datasets:\n")
	for i := range n {
		fmt.Fprintf(&b, "      - name: ds_%[1]d\n        source: main.table_%[1]d\n        primary_key: [id]\n        fields:\n", i)
		for _, f := range fields {
			fmt.Fprintf(&b, "          - name: %s\n            expression:\n              dialects:\n                - dialect: ANSI_SQL\n                  expression: \"%s\"\n            datatype: %s\n", f[0], f[1], f[2])
		}
	}
	b.WriteString("    relationships:\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "      - name: r_%[1]d\n        from: ds_%[1]d\n        to: ds_%[2]d\n        from_columns: [parent_id]\n        to_columns: [id]\n", i, i/2)
	}
	b.WriteString("    metrics:\n")
	for i := range n {
		for _, m := range [][2]string{
			{"total", fmt.Sprintf("SUM(ds_%d.amount)", i)},
			{"mean", fmt.Sprintf("SUM(ds_%[1]d.net) / COUNT(DISTINCT ds_%[1]d.region)", i)},
		} {
			fmt.Fprintf(&b, "      - name: %s_%d\n        expression:\n          dialects:\n            - dialect: ANSI_SQL\n              expression: %s\n", m[0], i, m[1])
		}
	}
	return []byte(b.String())
}

func asJSON(b *testing.B, text []byte) []byte {
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		b.Fatal(err)
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		b.Fatal(err)
	}
	return out
}

func loadAll(b *testing.B, text []byte) *catalog.Catalog {
	doc, err := modelspec.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	if issues := validated(b, doc); len(issues) > 0 {
		b.Fatal(issues[0])
	}
	cat := catalogOf(b, doc, compile.Options{})
	if len(cat.Errors) > 0 {
		b.Fatal(cat.Errors[0])
	}
	return cat
}

// BenchmarkLoad is parse, validate and compile of 1000 datasets with ten fields
// each and 2000 metrics. kept-MB is what the catalog holds on to.
func BenchmarkLoad(b *testing.B) {
	text := generated(1000)
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"yaml", text},
		{"json", asJSON(b, text)},
		// An anchor anywhere sends the text to the general YAML parser.
		{"yaml-with-anchors", append([]byte("dialects: &d [ANSI_SQL]\nvendors: *d\n"), text...)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			cat := loadAll(b, c.text)
			runtime.GC()
			runtime.ReadMemStats(&after)
			kept := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
			for b.Loop() {
				loadAll(b, c.text)
			}
			b.ReportMetric(kept, "kept-MB")
			runtime.KeepAlive(cat)
		})
	}
}

// thousandMetrics returns a model of ten facts that share a dimension, and 1000 metrics with a condition on a field of a name,
// in which F is the fact.
func thousandMetrics(field string) []byte {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: big\ndatasets:\n")
	dataset := func(name string, fields ...string) {
		fmt.Fprintf(&b, "  - name: %[1]s\n    source: %[1]s\n    primary_key: [%[2]s]\n    fields:\n", name, fields[0])
		for _, f := range fields {
			fmt.Fprintf(&b, "      - {name: %[1]s, expression: {dialects: [{dialect: ANSI_SQL, expression: %[1]s}]}}\n", f)
		}
	}
	for i := range 10 {
		dataset(fmt.Sprintf("fact_%d", i), "id", "customer_id", "amount", "status")
	}
	dataset("customers", "customer_id", "region")
	b.WriteString("relationships:\n")
	for i := range 10 {
		fmt.Fprintf(&b, "  - {name: r_%[1]d, from: fact_%[1]d, to: customers, from_columns: [customer_id], to_columns: [customer_id]}\n", i)
	}
	b.WriteString("metrics:\n")
	for i := range 1000 {
		fact := fmt.Sprintf("fact_%d", i%10)
		condition := fmt.Sprintf("%s = 'x%d'", strings.ReplaceAll(field, "F", fact), i)
		fmt.Fprintf(&b, "  - {name: m_%d, expression: {dialects: [{dialect: ANSI_SQL, expression: \"SUM(%s.amount) FILTER (WHERE %s)\"}]}}\n", i, fact, condition)
	}
	return []byte(b.String())
}

// BenchmarkLoad_MetricsOverJoins is a model whose conditions are on another dataset, and the same one with conditions on
// the fact.
func BenchmarkLoad_MetricsOverJoins(b *testing.B) {
	for name, field := range map[string]string{"own": "F.status", "joined": "customers.region"} {
		text := thousandMetrics(field)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				loadAll(b, text)
			}
		})
	}
}

// BenchmarkStages splits BenchmarkLoad/yaml.
func BenchmarkStages(b *testing.B) {
	text := generated(1000)
	doc, err := modelspec.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := modelspec.Parse(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("validate", func(b *testing.B) {
		for b.Loop() {
			validated(b, doc)
		}
	})
	b.Run("compile", func(b *testing.B) {
		for b.Loop() {
			catalogOf(b, doc, compile.Options{})
		}
	})
}
