package restapi_test

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// A model without rollups has no line about them; one with a rollup names it in the log, and counts what branches read.
func TestRollups_LogAndMetric(t *testing.T) {
	model, err := os.ReadFile("testdata/orders.yaml")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/orders.sql")
	if err != nil {
		t.Fatal(err)
	}
	rollup := `    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "rollups": [{"name": "statuses", "of": "orders", "group_by": [{"field": "orders.status"}], "measures": [{"expression": "SUM(orders.amount)", "column": "a"}]}]}'}]` + "\n"
	at := strings.Index(string(model), "    datasets:")
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(string(model[:at]) + rollup + string(model[at:])), Drivers: drivers(), Logger: slog.New(slog.DiscardHandler),
		Setup: []string{string(script), "CREATE TABLE statuses AS SELECT status, SUM(amount) AS a FROM orders GROUP BY status"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var log testwait.Log
	s := logged(t, e, &log)
	for _, body := range []string{aQuery, aQuery, `{"metrics":["order_count"]}`} {
		if r := do(t, s, request("POST", "/v1/query/execute", body)); r.status != 200 {
			t.Fatal(r.body)
		}
	}
	if text := log.String(); strings.Count(text, "rollups=statuses") != 2 {
		t.Errorf("the log is %s", text)
	}
	metrics := do(t, s, request("GET", "/metrics", "")).body
	for _, line := range []string{`semlayer_rollup_branches_total{result="rollup"} 2`, `semlayer_rollup_branches_total{result="base"} 1`} {
		if !strings.Contains(metrics, "\n"+line) {
			t.Errorf("%s is missing", line)
		}
	}
	without := serve(t, engineOf(t, "orders", engine.Config{}), restapi.Config{})
	do(t, without, request("POST", "/v1/query/execute", aQuery))
	if text := do(t, without, request("GET", "/metrics", "")).body; strings.Contains(text, "semlayer_rollup") {
		t.Error("a model without rollups has their metric")
	}
}
