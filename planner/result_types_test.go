package planner_test

import (
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/internal/plancases"
	"github.com/semlayer/semlayer/planner/query"
)

const typedModel = `
version: 0.2.0.dev0
semantic_model:
  - name: typed
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "sold"}'}]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: region, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}, datatype: String}
          - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}, datatype: Decimal}
          - {name: pieces, expression: {dialects: [{dialect: ANSI_SQL, expression: pieces}]}, datatype: Integer}
          - {name: weight, expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}, datatype: Float}
          - {name: paid, expression: {dialects: [{dialect: ANSI_SQL, expression: paid}]}, datatype: Boolean}
          - {name: sold, expression: {dialects: [{dialect: ANSI_SQL, expression: sold}]}, datatype: Date}
          - {name: booked, expression: {dialects: [{dialect: ANSI_SQL, expression: booked}]}, datatype: DateTimeTz}
          - {name: untyped, expression: {dialects: [{dialect: ANSI_SQL, expression: untyped}]}}
      - name: returns
        source: returns
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: sale, expression: {dialects: [{dialect: ANSI_SQL, expression: sale}]}, datatype: Integer}
    relationships:
      - {name: returned, from: returns, to: sales, from_columns: [sale], to_columns: [id]}
    metrics:
      - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
      - {name: pieces_sold, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.pieces)}]}}
      - {name: total_weight, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.weight)}]}}
      - {name: total_untyped, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.untyped)}]}}
      - {name: sales_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.id)}]}}
      - {name: return_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(returns.id)}]}}
      - {name: kept, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.id) - COUNT(returns.id)}]}}
      - {name: return_rate, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(returns.id) / COUNT(sales.id)}]}}
      - {name: average, expression: {dialects: [{dialect: ANSI_SQL, expression: AVG(sales.pieces)}]}}
      - {name: last_sale, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(sales.sold)}]}}
      - {name: fewest, expression: {dialects: [{dialect: ANSI_SQL, expression: MIN(sales.pieces)}]}}
      - {name: all_paid, expression: {dialects: [{dialect: ANSI_SQL, expression: BOOL_AND(sales.paid)}]}}
      - {name: regions, expression: {dialects: [{dialect: ANSI_SQL, expression: "LISTAGG(sales.region, ',')"}]}}
      - {name: whole, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}, datatype: Integer}
      - {name: weighted, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount) * SUM(sales.weight)}]}}
`

func TestResultTypes_AreThoseOfTheMetricsAndGroups(t *testing.T) {
	cat, err := plancases.Compile([]byte(typedModel))
	if err != nil {
		t.Fatal(err)
	}
	p := planner.New(cat)
	want := map[string]string{
		"region": "text", "sold__month": "date", "booked__hour": "timestamptz", "untyped": "text", "paid": "boolean", "length": "integer", "pieces": "bigint",
		"revenue": "numeric", "pieces_sold": "numeric", "total_weight": "double precision", "total_untyped": "text", "sales_count": "bigint", "return_count": "bigint",
		"kept": "numeric", "return_rate": "double precision", "average": "double precision", "last_sale": "date", "fewest": "bigint", "all_paid": "boolean",
		"regions": "text", "whole": "bigint", "weighted": "double precision",
	}
	groups := []query.GroupBy{
		{Field: "sales.region"}, {Field: "sales.sold", Grain: "month"}, {Field: "sales.booked", Grain: "hour"}, {Field: "sales.untyped"}, {Field: "sales.paid"},
		{Name: "length", Expression: "LENGTH(sales.region)"}, {Field: "sales.pieces"},
	}
	queries := map[string]*query.MetricQuery{
		"one branch": {
			Metrics: []string{"revenue", "pieces_sold", "total_weight", "total_untyped", "sales_count", "average", "last_sale", "fewest", "all_paid", "regions", "whole", "weighted"},
			GroupBy: groups,
		},
		"two branches": {Metrics: []string{"kept", "return_rate", "sales_count", "return_count", "revenue", "whole"}, GroupBy: []query.GroupBy{{Field: "sales.region"}}},
		"no groups":    {Metrics: []string{"kept", "sales_count", "last_sale"}},
	}
	for name, q := range queries {
		t.Run(name, func(t *testing.T) {
			planned, err := p.PlanMetrics(t.Context(), q, duckdb)
			if err != nil {
				t.Fatal(err)
			}
			types := p.ResultTypes(planned)
			if len(types) != len(planned.Columns) {
				t.Fatalf("%d types of %d columns", len(types), len(planned.Columns))
			}
			for i, c := range planned.Columns {
				if got := types[i].String(); got != want[c.Name] {
					t.Errorf("%s is %s, want %s", c.Name, got, want[c.Name])
				}
			}
		})
	}
}

func TestResultTypes_OfRowsAreThoseOfTheFields(t *testing.T) {
	cat, err := plancases.Compile([]byte(typedModel))
	if err != nil {
		t.Fatal(err)
	}
	p := planner.New(cat)
	planned, err := p.PlanDetail(t.Context(), &query.DetailQuery{From: "sales", Fields: []string{"region", "amount", "pieces", "weight", "paid", "sold", "booked", "untyped", "booked:day"}}, duckdb)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"text", "numeric", "bigint", "double precision", "boolean", "date", "timestamptz", "text", "date"}
	for i, got := range p.ResultTypes(planned) {
		if got.String() != want[i] {
			t.Errorf("%s is %s, want %s", planned.Columns[i].Name, got, want[i])
		}
	}
}
