package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// The hash of a definition is another one after each edit that may change the rows of the table, and the same after all others. A refresh shows
// it: it updates the last partitions of a table of the same definition, and builds one of another from scratch.
func TestDefinition_IsTheSameWhereTheRowsAre(t *testing.T) {
	const rollup = `{"name": "r", "of": "orders", "group_by": [{"field": "orders.day", "grain": "month", "column": "m"}, {"field": "buyer.region", "column": "region"}],
 "measures": [{"expression": "SUM(orders.amount)", "column": "a"}], "where": "orders.status = 'open'", "refresh": {"partition": "month"}}`
	model := read(t, "testdata/rolled.yaml")
	at := strings.Index(model, "    datasets:")
	compose := func(model, rollup string) string {
		return model[:at] + "    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"rollups\": [" + strings.ReplaceAll(rollup, "'", "''") + "]}'}]\n" + model[at:]
	}
	whole := compose(model, rollup)
	edit := func(from, to string) string {
		t.Helper()
		if !strings.Contains(whole, from) {
			t.Fatalf("the model has no %s", from)
		}
		return strings.Replace(whole, from, to, 1)
	}
	for name, c := range map[string]struct {
		model string
		same  bool
	}{
		"nothing":              {whole, true},
		"a description":        {edit(`"name": "r"`, `"description": "x", "name": "r"`), true},
		"the greatest age":     {edit(`"name": "r"`, `"max_age": 5, "rows": 7, "name": "r"`), true},
		"the lookback":         {edit(`"partition": "month"`, `"partition": "month", "lookback": 3`), true},
		"a path":               {edit("buyer.region", "receiver.region"), false},
		"a grain":              {edit(`"grain": "month", "column": "m"`, `"grain": "day", "column": "m"`), false},
		"an aggregate":         {edit("SUM(orders.amount)\", \"column", "MAX(orders.amount)\", \"column"), false},
		"an argument":          {edit("SUM(orders.amount)\", \"column", "SUM(orders.buyer_id)\", \"column"), false},
		"a column":             {edit(`"column": "region"`, `"column": "area"`), false},
		"a condition":          {edit("''open''\"", "''closed''\""), false},
		"the zone of the time": {edit("\"v\": \"1.10\", \"rollups\"", "\"v\": \"1.10\", \"time_zone\": \"Asia/Tokyo\", \"rollups\""), false},
		"the first weekday":    {edit("\"v\": \"1.10\", \"rollups\"", "\"v\": \"1.10\", \"week_start\": \"sunday\", \"rollups\""), false},
		"a source":             {edit("source: orders\n", "source: main.orders\n"), false},
		"a joined source":      {edit("source: people\n", "source: main.people\n"), false},
		"an expression":        {edit("expression: amount}", "expression: amount + 1}"), false},
	} {
		path := filepath.Join(t.TempDir(), "w.duckdb")
		if err := duckdb.CreateDatabase(t.Context(), path, read(t, "testdata/rolled.sql")); err != nil {
			t.Fatal(err)
		}
		refresh := func(model string) string {
			e := open(t, engine.Config{ModelText: []byte(model), DBPath: path})
			defer e.Close()
			done, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{})
			if err != nil || len(done) != 1 {
				t.Fatalf("%s: %+v, %v", name, done, err)
			}
			return done[0].Action
		}
		refresh(whole)
		if got := refresh(c.model); got != map[bool]string{true: engine.RollupUpdated, false: engine.RollupBuilt}[c.same] {
			t.Errorf("%s: %s", name, got)
		}
	}
}
