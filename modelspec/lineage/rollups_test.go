package lineage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/lineage"
)

// A rollup is made of a table, of the rows of its datasets, and of the fields of its columns and conditions. No metric is made of it.
func TestLineage_RollupsShowWhatTheyAreMadeOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.yaml")
	const text = `version: 0.2.0.dev0
name: shop
datasets:
  - name: sales
    source: sales
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: is_test, datatype: Boolean, expression: {dialects: [{dialect: ANSI_SQL, expression: is_test}]}}
  - name: items
    source: items
    primary_key: [sku]
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: color, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: color}]}}
relationships:
  - {name: item, from: sales, to: items, from_columns: [sku], to_columns: [sku]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: '{"v": "1.10", "rollups": [{"name": "colors", "of": "sales", "source": "agg.colors", "group_by": [{"field": "items.color"}],
      "measures": [{"expression": "SUM(sales.amount)"}], "where": "sales.is_test = FALSE"}]}'
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cat := compiled(t, path)
	g := whole(t, cat)
	var got []string
	for _, e := range g.Edges {
		if e.To == "rollup:colors" {
			got = append(got, e.From+" "+string(e.Relation))
		}
	}
	want := []string{
		"table:agg.colors source", "dataset:sales rows", "field:items.color reads", "dataset:items rows", "field:sales.amount reads", "field:sales.is_test filters",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if last := g.Nodes[len(g.Nodes)-1]; last.ID != "rollup:colors" || last.Kind != lineage.KindRollup {
		t.Errorf("%+v", last)
	}
	if drawn := g.Mermaid(); !strings.Contains(drawn, `rollup_colors[["colors"]]`) {
		t.Error(drawn)
	}
	of, err := lineage.MetricGraph(t.Context(), cat, cat.Metric("revenue"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range of.Nodes {
		if n.Kind == lineage.KindRollup || n.ID == "table:agg.colors" {
			t.Errorf("revenue is made of %s", n.ID)
		}
	}
}
