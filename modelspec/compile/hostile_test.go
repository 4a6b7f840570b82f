package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// hostile are models of about a megabyte each, the most that a request may
// carry, made to cost the square of their size where a pass is careless.
func hostile() map[string]string {
	object := func(name, expression string) string {
		return fmt.Sprintf("- {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: \"%s\"}]}}\n", name, expression)
	}
	model := func(fields, metrics string) string {
		return "version: 0.2.0.dev0\nname: m\ndatasets:\n- name: d\n  source: t\n  fields:\n" + fields + "metrics:\n" + metrics
	}
	many := func(n int, one func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(one(i))
		}
		return b.String()
	}
	one := "  " + object("f", "x")
	return map[string]string{
		"names that are not there": model(
			many(6000, func(i int) string { return "  " + object(fmt.Sprint("f", i), "x") }),
			many(5000, func(i int) string { return object(fmt.Sprint("m", i), fmt.Sprintf("SUM(g%d) + SUM(d.h%[1]d)", i)) })),
		"metrics over metrics": model(one, object("m0", "SUM(f)")+
			many(10_000, func(i int) string { return object(fmt.Sprint("m", i+1), fmt.Sprintf("m%d + m%d", i, i/2)) })),
		"one metric of many aggregates": model(one, object("m", "COALESCE("+many(30_000, func(i int) string { return fmt.Sprintf("SUM(f + %d), ", i) })+"1)")),
		"fields over fields": model(
			"  "+object("f0", "x")+many(10_000, func(i int) string { return "  " + object(fmt.Sprint("f", i+1), fmt.Sprintf("f%d + f%d", i, i/2)) }),
			object("m", "SUM(f0)")),
	}
}

// BenchmarkHostile: no model that a request may carry takes more than about a
// second to judge.
func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				doc, err := modelspec.Parse([]byte(text))
				if err != nil {
					b.Fatal(err)
				}
				modelspec.Validate(doc)
				compile.Compile(doc, compile.Options{Advice: true})
			}
		})
	}
}

func TestHostileModelsAreJudged(t *testing.T) {
	for name, want := range map[string]int{
		"names that are not there": 10_000, "metrics over metrics": 0, "one metric of many aggregates": 0, "fields over fields": 1,
	} {
		text := hostile()[name]
		doc, err := modelspec.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(compile.Compile(doc, compile.Options{}).Errors); got != want {
			t.Errorf("%s: %d errors, want %d", name, got, want)
		}
	}
}
