package modeldiff_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
)

// wideModel returns a model of n datasets of ten fields with two metrics each, joined in a tree.
func wideModel(n int, amount, total string) string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: wide\ndatasets:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - name: ds_%[1]d\n    source: main.table_%[1]d\n    primary_key: [id]\n    fields:\n", i)
		for _, f := range []string{"id", "parent_id", "created", "qty", "status", "region", "flag", "label", "note"} {
			fmt.Fprintf(&b, "      - {name: %[1]s, expression: {dialects: [{dialect: ANSI_SQL, expression: %[1]s}]}}\n", f)
		}
		fmt.Fprintf(&b, "      - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", amount)
	}
	b.WriteString("relationships:\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "  - {name: r_%[1]d, from: ds_%[1]d, to: ds_%[2]d, from_columns: [parent_id], to_columns: [id]}\n", i, i/2)
	}
	b.WriteString("metrics:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {name: total_%[1]d, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(ds_%[1]d.%[2]s)}]}}\n", i, total)
		fmt.Fprintf(&b, "  - {name: mean_%[1]d, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(ds_%[1]d.amount) / COUNT(ds_%[1]d.id)}]}}\n", i)
	}
	return b.String()
}

// BenchmarkDiff_LargeModels compares 1,000 datasets with themselves, with a model whose
// fields and metrics all changed, and with one that lost a relationship at the root of its
// tree. The ratio is to the loading of both models.
func BenchmarkDiff_LargeModels(b *testing.B) {
	const n = 1000
	before := wideModel(n, "amount", "amount")
	root := "  - {name: r_1, from: ds_1, to: ds_0, from_columns: [parent_id], to_columns: [id]}\n"
	for _, c := range []struct{ name, after string }{
		{"equal", before},
		{"everything_changed", wideModel(n, "amount * 2", "qty")},
		{"relationship_removed", strings.Replace(before, root, "", 1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var load, diff time.Duration
			for b.Loop() {
				begin := time.Now()
				open(b, before)
				open(b, c.after)
				load += time.Since(begin)
				begin = time.Now()
				if _, err := engine.DiffModels(b.Context(), textOf(before), textOf(c.after), engine.DiffOptions{}); err != nil {
					b.Fatal(err)
				}
				diff += time.Since(begin)
			}
			b.ReportMetric(float64(diff)/float64(load), "ratio")
			b.ReportMetric(float64(diff.Milliseconds())/float64(b.N), "diff-ms")
			b.ReportMetric(float64(load.Milliseconds())/float64(b.N), "load-ms")
		})
	}
}

func open(b *testing.B, text string) {
	b.Helper()
	e, err := engine.Open(b.Context(), engine.Config{ModelPath: "model.yaml", ModelText: []byte(text)})
	if err != nil {
		b.Fatal(err)
	}
	_ = e.Close()
}
