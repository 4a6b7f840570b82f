package lineage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/lineage"
)

func TestLineage_JoinsShowWhenRowsAreValid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.yaml")
	const text = `version: 0.2.0.dev0
name: shop
datasets:
  - name: sales
    source: sales
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
  - name: price
    source: price
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: until, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: until}]}}
relationships:
  - {name: priced_on, from: sales, to: price, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "day", "from": "since", "to": "until"}}'}]}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range whole(t, compiled(t, path)).Edges {
		if e.Relation == lineage.RelationJoins {
			got = append(got, e.On...)
		}
	}
	want := []string{"sales.sku = price.sku", "price.since <= sales.day", "sales.day < price.until"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
