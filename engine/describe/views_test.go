package describe_test

import (
	"encoding/json"
	"testing"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

const views = `custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "views": [
        {"name": "sales", "label": "Sales", "description": "For people.", "ai_context": {"synonyms": ["turnover"]}, "fields": ["orders.region", "orders.day"],
         "joins": [], "where": "region IS NOT NULL", "filters": ["orders.amount > 0"], "time_range": {"start": "2024-01-01"},
         "labels": {"orders.region": "Place"}, "folders": [{"name": "People", "items": [], "folders": [{"name": "Staff", "items": ["orders.region"]}]}],
         "hierarchies": [{"name": "h", "levels": ["orders.region", "orders.day"]}]},
        {"name": "broken", "fields": ["orders.nothing"]}]}
`

func TestViews_AreListedWithoutBrokenOnes(t *testing.T) {
	doc, err := modelspec.Parse([]byte(model + views))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(cat.Views) != 1 {
		t.Fatal(cat.Errors)
	}
	d := describe.NewDescriber(cat, planner.New(cat), planner.Target{Dialect: "duckdb"})
	list := d.Views()
	if len(list) != 1 || list[0].Metrics != len(cat.Metrics) {
		t.Fatalf("%+v", list)
	}
	list[0].Metrics = 0
	got, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"sales","label":"Sales","description":"For people.","ai_context":{"synonyms":["turnover"]},"metrics":0,"dimensions":2,"joins":[],` +
		`"where":"region IS NOT NULL","filters":["orders.amount \u003e 0"],"time_range":{"start":"2024-01-01"},"labels":{"orders.region":"Place"},` +
		`"folders":[{"name":"People","items":[],"folders":[{"name":"Staff","items":["orders.region"]}]}],"hierarchies":[{"name":"h","levels":["orders.region","orders.day"]}]}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
