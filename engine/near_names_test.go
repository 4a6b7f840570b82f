package engine_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// pottery has fields and metrics with names that are misspelt easily. Its rows are in the model.
const pottery = `
version: 0.2.0.dev0
name: pottery
datasets:
  - name: bowls
    source: SELECT 1 AS bowl_id, DATE '2024-01-05' AS fired, 'Oslo' AS town, 'blue' AS glaze, 3 AS pieces
    primary_key: [bowl_id]
    fields:
      - {name: bowl_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: bowl_id}]}}
      - {name: fired, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: fired}]}}
      - {name: town, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: glaze, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: glaze}]}}
      - {name: glazed_by, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: glaze}]}}
      - {name: pieces, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: pieces}]}}
metrics:
  - {name: pieces_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(bowls.pieces)}]}}
  - {name: bowl_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(bowls.bowl_id)}]}}
`

func TestRetries_OfNearNames(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(pottery)})
	tests := []struct{ name, body, code, first, retry string }{
		{"a metric in another case", `{"metrics":["Pieces_Total"],"group_by":[{"field":"bowls.town"}]}`, "unknown_metric", "pieces_total", `{"metrics":["pieces_total"]}`},
		{"a metric with a letter less", `{"metrics":["bowl_count","piece_total"]}`, "unknown_metric", "pieces_total", `{"metrics":["bowl_count","pieces_total"]}`},
		{"a metric and its order key", `{"metrics":["BOWL_COUNT"],"order_by":[{"key":"BOWL_COUNT","desc":true}]}`, "unknown_metric", "bowl_count", `{"metrics":["bowl_count"],"order_by":[{"key":"bowl_count","desc":true}]}`},
		{"a metric with two letters less", `{"metrics":["pces_total"]}`, "unknown_metric", "pieces_total", ""},
		{"a field with a wrong letter", `{"metrics":["bowl_count"],"group_by":[{"field":"bowls.twon"}]}`, "unknown_dimension", "bowls.town", `{"group_by":[{"field":"bowls.town"}]}`},
		{"a bare field with a wrong letter", `{"metrics":["bowl_count"],"group_by":[{"field":"twon"}]}`, "unknown_dimension", "bowls.town", `{"group_by":[{"field":"bowls.town"}]}`},
		{"a dataset with a wrong letter", `{"metrics":["bowl_count"],"group_by":[{"field":"bowl.town"}]}`, "unknown_dimension", "bowls.town", `{"group_by":[{"field":"bowls.town"}]}`},
		{"a field of a condition", `{"metrics":["bowl_count"],"where_sql":"bowls.twon = 'Oslo' AND pieces > 1"}`, "unknown_dimension", "bowls.town", `{"where_sql":"bowls.town = 'Oslo' AND pieces > 1"}`},
		{"a grain with two letters swapped", `{"metrics":["bowl_count"],"group_by":[{"field":"metric_time","grain":"monht"}]}`, "bad_request", "month", `{"group_by":[{"field":"metric_time","grain":"month"}]}`},
		{"a grain that is near to none", `{"metrics":["bowl_count"],"group_by":[{"field":"metric_time","grain":"fortnight"}]}`, "bad_request", "", ""},
		{"a descending order key", `{"metrics":["bowl_count"],"group_by":[{"field":"bowls.town"}],"order_by":[{"key":"bowl_count desc"}]}`, "unknown_order_key", "bowl_count", `{"order_by":[{"key":"bowl_count","desc":true}]}`},
		{"an ascending order key", `{"metrics":["bowl_count"],"group_by":[{"field":"bowls.town"}],"order_by":[{"key":"town ASC"}]}`, "unknown_order_key", "town", `{"order_by":[{"key":"town"}]}`},
		{"a misspelt descending order key", `{"metrics":["bowl_count"],"order_by":[{"key":"-bowl_cuont"}]}`, "unknown_order_key", "bowl_count", `{"order_by":[{"key":"bowl_count","desc":true}]}`},
		{"a text without quotes", `{"metrics":["bowl_count"],"where_sql":"bowls.town = Oslo"}`, "unknown_dimension", "", `{"where_sql":"bowls.town = 'Oslo'"}`},
		{"texts without quotes", `{"metrics":["bowl_count"],"where_sql":"town IN (Oslo, 'Bergen', Hamar) AND pieces > 1"}`, "unknown_dimension", "", `{"where_sql":"town IN ('Oslo', 'Bergen', 'Hamar') AND pieces > 1"}`},
		{"a text that orders nothing", `{"metrics":["bowl_count"],"where_sql":"town > Oslo"}`, "unknown_dimension", "", ""},
		{"a word that is like the name of a field", `{"metrics":["bowl_count"],"where_sql":"town = glazed_with"}`, "unknown_dimension", "", ""},
		{"a word near a field", `{"metrics":["bowl_count"],"where_sql":"glaze = twon"}`, "unknown_dimension", "bowls.town", `{"where_sql":"glaze = bowls.town"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := askSQL(t.Context(), e, metricQuery(t, tt.body))
			checkRetry(t, err, tt.code, tt.first, tt.retry)
		})
	}
}

func checkRetry(t *testing.T, err error, code, first, retry string) {
	t.Helper()
	var refused *planerr.Error
	if !errors.As(err, &refused) || refused.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	if first != "" && (len(refused.Candidates) == 0 || refused.Candidates[0] != first) {
		t.Errorf("candidates %q, want %s first", refused.Candidates, first)
	}
	if d := cmp.Diff(retry, refused.SuggestedRetry); d != "" {
		t.Error(d)
	}
}

func TestRetries_OfNearNamesInDetailQueries(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(pottery)})
	for _, tt := range []struct{ name, body, code, retry string }{
		{"a field and its grain", `{"from":"bowls","fields":["fried:monht","town"]}`, "bad_request", `{"fields":["bowls.fired:month","town"]}`},
		{"a field", `{"from":"bowls","fields":["Twon"]}`, "unknown_dimension", `{"fields":["bowls.town"]}`},
		{"a descending order key", `{"from":"bowls","fields":["town"],"order_by":[{"key":"town desc"}]}`, "unknown_order_key", `{"order_by":[{"key":"town","desc":true}]}`},
		{"a text without quotes", `{"from":"bowls","fields":["town"],"where_sql":"town <> Oslo"}`, "unknown_dimension", `{"where_sql":"town <> 'Oslo'"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := query.DecodeDetail([]byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			_, err = askSQL(t.Context(), e, q)
			checkRetry(t, err, tt.code, "", tt.retry)
		})
	}
}

func TestRetries_OfNearNamesInAttributions(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(pottery)})
	for _, tt := range []struct{ name, keys, code, first, retry string }{
		{"the metric", `"metric":"piece_total","dimensions":["bowls.town"]`, "unknown_metric", "pieces_total", `{"metric":"pieces_total"}`},
		{"a dimension", `"metric":"pieces_total","dimensions":["bowls.twon","glaze"]`, "unknown_dimension", "bowls.town", `{"dimensions":["bowls.town","glaze"]}`},
		{"a text without quotes", `"metric":"pieces_total","dimensions":["bowls.town"],"where_sql":"glaze = blue"`, "unknown_dimension", "", `{"where_sql":"glaze = 'blue'"}`},
		{"all of them", `"metric":"piece_total","dimensions":["bowls.twon"],"where_sql":"glaze = blue"`, "unknown_metric", "pieces_total", `{"dimensions":["bowls.town"],"metric":"pieces_total","where_sql":"glaze = 'blue'"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := query.DecodeAttribute([]byte(`{` + tt.keys + `,"time_dimension":"bowls.fired","baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
			if err != nil {
				t.Fatal(err)
			}
			checkRetry(t, e.CheckAttribution(t.Context(), a), tt.code, tt.first, tt.retry)
		})
	}
}

func TestRetries_QuoteAWordThatTheIndexHasAsAValue(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(pottery)})
	if _, err := e.IndexValues(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	for word, retry := range map[string]string{"blue": `{"where_sql":"glazed_by = 'blue'"}`, "glazed_with": ""} {
		_, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["bowl_count"],"where_sql":"glazed_by = `+word+`"}`))
		checkRetry(t, err, "unknown_dimension", "", retry)
	}
}
