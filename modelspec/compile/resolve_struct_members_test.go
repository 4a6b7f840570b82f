package compile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestNativeName_DottedIsMemberUnlessQualified(t *testing.T) {
	cat := sound(t, `
datasets:
  - name: d
    source: t
    fields:
      - {name: plain, expression: {dialects: [{dialect: DUCKDB, expression: d.amount}]}}
      - {name: city, expression: {dialects: [{dialect: DUCKDB, expression: addr.city}]}}
      - {name: deep, expression: {dialects: [{dialect: DUCKDB, expression: d.addr.geo.lat}]}}
      - {name: home, expression: {dialects: [{dialect: ANSI_SQL, expression: "'?'"}, {dialect: BIGQUERY, expression: "UPPER(town.city)"}]}}
      - {name: town, expression: {dialects: [{dialect: BIGQUERY, expression: "places[0]"}]}}
`)
	got := map[string]string{}
	for _, f := range cat.Fields {
		got[f.Name] = sqlexpr.Format(f.Expr.ForDialect("bigquery"))
	}
	want := map[string]string{
		"plain": "amount", "city": "(addr).city", "deep": "(addr).geo.lat",
		"home": "UPPER(places[0].city)", "town": "places[0]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNativeName_DottedStaysInItsDataset(t *testing.T) {
	cat := compiled(t, `
datasets:
  - {name: e, source: e, fields: [{name: b, expression: {dialects: [{dialect: DUCKDB, expression: b}]}}]}
  - name: d
    source: t
    fields:
      - {name: a, expression: {dialects: [{dialect: DUCKDB, expression: e.b}]}}
      - {name: p, expression: {dialects: [{dialect: ANSI_SQL, expression: addr.city}]}}
`)
	want := []string{
		"cross_dataset_aggregate datasets[1].fields[0].expression",
		"unknown_dataset datasets[1].fields[1].expression",
	}
	if d := cmp.Diff(want, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
}
