package describe_test

import (
	"encoding/json"
	"testing"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

const rollups = `custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "rollups": [
        {"name": "daily", "of": "orders", "source": "agg.daily", "where": "region <> 'x'", "rows": 10, "max_age": 60, "description": "By day.",
         "group_by": [{"field": "orders.day", "grain": "month", "column": "m"}, {"field": "region"}],
         "measures": [{"expression": "SUM(orders.amount)", "column": "a"}, {"expression": "COUNT(*)", "column": "n"}, {"expression": "MAX(orders.amount)", "column": "high"},
                      {"expression": "MIN(orders.day)", "column": "first"}, {"expression": "AVG(orders.amount)", "column": "mean"}, {"expression": "COUNT(DISTINCT orders.region)", "column": "d"}]},
        {"name": "broken", "of": "order", "measures": [{"expression": "COUNT(*)"}]},
        {"name": "file", "of": "orders", "store": "local", "measures": [{"expression": "COUNT(*)", "column": "n"}]}]}
`

func TestRollups_AreListedWithoutBrokenOnes(t *testing.T) {
	doc, err := modelspec.Parse([]byte(model + rollups))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := describe.NewDescriber(cat, planner.New(cat), planner.Target{Dialect: "duckdb"})
	got, err := json.Marshal(d.Rollups())
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"daily","of":"orders","source":"agg.daily","store":"connection",` +
		`"group_by":[{"field":"orders.day","grain":"month","column":"m"},{"field":"region","column":"region"}],` +
		`"measures":[{"measure":"orders_amount_sum","column":"a","combines":"sum"},{"measure":"orders_count","column":"n","combines":"sum"},` +
		`{"measure":"orders_amount_max","column":"high","combines":"max"},{"measure":"orders_day_min","column":"first","combines":"min"},` +
		`{"measure":"orders_amount_avg","column":"mean","combines":"same_groups"},{"measure":"orders_region_count_distinct","column":"d","combines":"same_groups"}],` +
		`"where":"region \u003c\u003e 'x'","rows":10,"max_age":60,"description":"By day.","states":[]},` +
		`{"name":"file","of":"orders","source":"file","store":"local","group_by":[],"measures":[{"measure":"orders_count","column":"n","combines":"sum"}],"states":[]}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, r := range d.WithoutSources().Rollups() {
		if r.Source != "" {
			t.Errorf("a reader without sources sees %s", r.Source)
		}
	}
}
