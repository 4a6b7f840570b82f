package integration_test

import (
	"context"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

const codedModel = `
version: 0.2.0.dev0
semantic_model:
  - name: coded
    datasets:
      - name: readings
        source: readings
        primary_key: [id]
        fields:
          - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - name: day_code
            datatype: Integer
            expression: {dialects: [{dialect: ANSI_SQL, expression: day_code}]}
            custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","requires":["time"],"time":{"format":"yyyyMMdd"}}'}]
          - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
    metrics:
      - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(readings.amount)}]}}
`

// TestTimeRange_EncodedColumnUsesIndex asks PostgreSQL how it runs a time range
// over dates that are stored as numbers: by the index on the stored column.
func TestTimeRange_EncodedColumnUsesIndex(t *testing.T) {
	t.Run("a time range over encoded dates uses the index of the stored column", func(t *testing.T) {
		pg := postgreSQL()
		pg.start(t)
		db, err := pg.load(t.Context(), "coded/index", `
		CREATE TABLE readings (id INTEGER, day_code INTEGER, amount INTEGER);
		INSERT INTO readings SELECT i, 20200101 + i % 365 * 97, i FROM generate_series(1, 50000) AS s(i);
		CREATE INDEX readings_day ON readings (day_code);
		ANALYZE readings;`)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close(); _ = pg.drop(t.Context(), "coded/index") })

		doc, err := modelspec.Parse([]byte(codedModel))
		if err != nil {
			t.Fatal(err)
		}
		q, err := query.DecodeMetric([]byte(`{"metrics":["total"],"time_range":{"start":"2020-01-01","end":"2020-02-01"}}`))
		if err != nil {
			t.Fatal(err)
		}
		cat, err := compile.Compile(t.Context(), doc, compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		planned, err := planner.New(cat).PlanMetrics(context.Background(), q, planner.Target{Dialect: "postgres"})
		if err != nil {
			t.Fatal(err)
		}
		d, _ := sqlemit.LookupDialect("postgres")
		sql, err := sqlemit.Emit(t.Context(), planned.Root, d, sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := db.Query(t.Context(), "EXPLAIN "+sql)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := jsonrows.CollectResult(t.Context(), rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(plan.Rows), "readings_day") {
			t.Errorf("the index is not used by\n%s\n%s", sql, plan.Rows)
		}
	})
}
