package diff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// priced is a model with prices that are valid for a time.
const priced = `version: 0.2.0.dev0
name: shop
datasets:
  - name: sales
    source: sales
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: sent, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: sent}]}}
      - {name: qty, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: qty}]}}
  - name: price
    source: price
    fields:
      - {name: sku, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: until, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: until}]}}
relationships:
  - {name: priced_on, from: sales, to: price, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "valid": {"at": "day", "from": "since", "to": "until"}}'}]}
metrics:
  - {name: sold, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.qty)}]}}
`

func TestCompare_ValidityOfRelationships(t *testing.T) {
	for _, c := range []struct {
		edit [2]string
		want []string
	}{
		{[2]string{`"at": "day"`, `"at": "sent"`}, []string{"changed relationship priced_on valid"}},
		{[2]string{`, "to": "until"`, ``}, []string{"changed relationship priced_on valid"}},
		{[2]string{`"valid": {"at": "day", "from": "since", "to": "until"}`, `"cardinality": "many_to_one"`}, []string{"changed relationship priced_on valid"}},
	} {
		got := summaries(entries(t, priced, strings.Replace(priced, c.edit[0], c.edit[1], 1)))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s\n%s", c.edit[1], d)
		}
	}
}
