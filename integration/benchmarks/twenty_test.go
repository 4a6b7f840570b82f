package benchmarks

import (
	"fmt"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// aboutTwenty is how long the bare driver is to take.
const aboutTwenty = 20 * time.Millisecond

// BenchmarkOverhead_TwentyMilliseconds is what the service adds to a query that takes the bare
// driver about 20 ms: over how many rows that is, the machine decides. The two take
// turns; ratio is the quotient of their medians.
func BenchmarkOverhead_TwentyMilliseconds(b *testing.B) {
	rows := factRows(b) // a million of them take a few milliseconds
	path := fileOf(b, fmt.Sprintf(`CREATE TABLE orders AS SELECT i AS order_id, i %% 1000 AS customer_id, i %% 100 AS product_id,
		DATE '2024-01-01' + (i %% 700)::INTEGER AS order_date, 'status ' || i %% 5 AS status, CAST(i %% 10000 AS DECIMAL(10,2)) AS amount FROM range(%d) AS t(i)`, rows))
	e := openQuiet(b, engine.Config{ModelText: []byte(LargeModelText(3)), DBPath: path})
	bare := bareDuckDB(b, path)

	var body, sql string
	over := func(n int) {
		body = fmt.Sprintf(`{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}],"where_sql":"orders.order_id < %d"}`, n)
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			b.Fatal(err)
		}
		compiled, err := prepare.SQL(b.Context(), e, q)
		if err != nil {
			b.Fatal(err)
		}
		sql = compiled.SQL
	}
	driver := func() {
		if n := bare(sql); n != 5 {
			b.Fatalf("%d rows", n)
		}
	}
	// The file is read by then, and the time of a few more queries follows the rows.
	n := rows
	for range 4 {
		over(n)
		var took []time.Duration
		for range 7 {
			took = append(took, measureDuration(driver))
		}
		n = min(rows, max(10_000, int(float64(n)*float64(aboutTwenty)/float64(median(took)))))
	}
	over(n)
	whole := executeFunc(b, e, body)
	for range 5 {
		whole()
	}
	alternateRuns(b, whole, driver, 20)
	b.ReportMetric(float64(n), "rows")
}
