package restapi_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const berths = `
version: 0.2.0.dev0
name: berths
datasets:
  - name: berth
    source: berth
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: quay, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: quay}]}}
      - {name: depth, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: depth}]}}
metrics:
  - {name: berths_in_all, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(berth.id)}]}}
  - {name: greatest_depth, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(berth.depth)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "views": [{"name": "deep", "metrics": ["greatest_depth"], "fields": ["berth.quay"], "where": "berth.depth > 5", "labels": {"berth.quay": "Pier"},
        "folders": [{"name": "Harbour", "items": ["greatest_depth"], "folders": [{"name": "Piers", "items": ["berth.quay"]}]}]}]}
`

func TestLists_OfAView(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), Logger: slog.New(slog.DiscardHandler), ModelText: []byte(berths), Setup: []string{`CREATE TABLE berth (id INT, quay VARCHAR, depth INT); INSERT INTO berth VALUES (1, 'n', 9), (2, 's', 3), (3, 'n', 6)`}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	s := serve(t, e, restapi.Config{})
	for path, want := range map[string]string{
		"/v1/metrics?view=deep":                          `[{"name":"greatest_depth",`,
		"/v1/dimensions?view=deep":                       `[{"name":"berth.quay","is_time":false,"is_dimension":true,"source":"inferred","datatype":"String","label":"Pier","folder":"Harbour/Piers"}]`,
		"/v1/dimensions?view=deep&metric=greatest_depth": `[{"name":"berth.quay","is_time":false,"is_dimension":true,"source":"inferred","datatype":"String","label":"Pier","folder":"Harbour/Piers"}]`,
		"/v1/find?q=pier&view=deep":                      `{"query":"pier","hits":[{"kind":"dimension","name":"berth.quay","score":1,"why":"label: pier","use":{"group_by":[{"field":"berth.quay"}],"view":"deep"}}],"total":1}`,
		"/v1/values?field=quay&view=deep":                `{"field":"berth.quay","values":[{"value":"n","count":2}],`,
		"/v1/metrics?view=dep":                           `{"error":{"code":"unknown_view","message":"the model has no view dep","candidates":["deep"],"suggested_retry":"{\"view\":\"deep\"}"}}`,
		"/v1/dimensions?view=dep":                        `{"error":{"code":"unknown_view",`,
		"/v1/find?q=pier&view=dep":                       `{"error":{"code":"unknown_view",`,
		"/v1/values?field=quay&view=dep":                 `{"error":{"code":"unknown_view","message":"the model has no view dep","candidates":["deep"],"suggested_retry":"{\"view\":\"deep\"}"}}`,
		"/v1/values?field=berth.depth&view=deep":         `{"error":{"code":"unknown_dimension",`,
	} {
		if body := do(t, s, request("GET", path, "")).body; !strings.HasPrefix(body, want) {
			t.Errorf("%s\ngot  %s\nwant %s", path, body, want)
		}
	}
	if body := do(t, s, request("GET", "/v1/metrics?view=deep", "")).body; !strings.Contains(body, `"folder":"Harbour"`) || strings.Contains(body, "berths_in_all") {
		t.Error(body)
	}
}
