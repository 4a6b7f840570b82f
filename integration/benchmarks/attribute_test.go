package benchmarks

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

// facts makes a table of that many rows over two months, with five dimensions of
// few to a thousand members.
const facts = `CREATE TABLE facts AS SELECT
  DATE '2024-01-01' + CAST(i %% 60 AS INTEGER) AS day,
  CAST(i * 7919 %% 4 AS INTEGER) AS d1,
  'c' || (i * 104729 %% 12) AS d2,
  CAST(i * 1299709 %% 50 AS INTEGER) AS d3,
  'k' || (i * 15485863 %% 200) AS d4,
  CAST(i * 32452843 %% 1000 AS INTEGER) AS d5,
  CAST(i %% 100 AS INTEGER) AS amount,
  CAST(i %% 7 AS INTEGER) AS quantity
FROM range(%d) AS r(i);`

const factsModel = `version: 0.2.0.dev0
name: facts
datasets:
  - name: facts
    source: facts
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: d1, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: d1}]}}
      - {name: d2, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: d2}]}}
      - {name: d3, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: d3}]}}
      - {name: d4, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: d4}]}}
      - {name: d5, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: d5}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: quantity, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: quantity}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(facts.amount)}]}}
  - {name: unit_amount, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(facts.amount) / SUM(facts.quantity)}]}}
`

// byHand returns what a person would write for one dimension ("" for the totals).
func byHand(dimension, sums string) string {
	key, group := "", ""
	if dimension != "" {
		key, group = dimension+", ", " GROUP BY "+dimension
	}
	return "SELECT " + key + sums + " FROM facts WHERE day >= DATE '2024-01-01' AND day < DATE '2024-03-01'" + group
}

const (
	inJanuary  = "CASE WHEN day < DATE '2024-02-01' THEN "
	inFebruary = "CASE WHEN day >= DATE '2024-02-01' THEN "
	revenues   = "SUM(" + inJanuary + "amount END), SUM(" + inFebruary + "amount END)"
	quantities = ", SUM(" + inJanuary + "quantity END), SUM(" + inFebruary + "quantity END)"
)

// BenchmarkAttribution sets attributions over ten million rows (SEMLAYER_BENCH_ROWS)
// and five dimensions beside the queries that a person would write for them, run one
// after the other. The two take turns; ratio is the quotient of their medians. It needs
// a minute and SEMLAYER_BENCH_LARGE=1.
func BenchmarkAttribution(b *testing.B) {
	if os.Getenv("SEMLAYER_BENCH_LARGE") == "" {
		b.Skip("set SEMLAYER_BENCH_LARGE=1")
	}
	ctx := context.Background()
	path := fileOf(b, fmt.Sprintf(facts, factRows(b)))
	db, err := duckdb.Open(ctx, duckdb.Options{Path: path})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	e, err := engine.Open(ctx, engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(factsModel), DBPath: path})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	for _, m := range []struct{ metric, sums string }{{"revenue", revenues}, {"unit_amount", revenues + quantities}} {
		q, err := query.DecodeAttribute([]byte(`{"metric":"` + m.metric + `","dimensions":["d1","d2","d3","d4","d5"],"max_values_per_dimension":1000,
			"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(m.metric, func(b *testing.B) {
			attribute := func() {
				if _, err := e.Attribute(ctx, q); err != nil {
					b.Fatal(err)
				}
			}
			hand := func() {
				for _, d := range []string{"", "d1", "d2", "d3", "d4", "d5"} {
					drain(b, db, byHand(d, m.sums))
				}
			}
			attribute()
			hand()
			var ours, theirs []time.Duration
			for b.Loop() {
				ours, theirs = append(ours, measureDuration(attribute)), append(theirs, measureDuration(hand))
			}
			b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
			b.ReportMetric(float64(median(ours))/1e6, "attribute-ms")
			b.ReportMetric(float64(median(theirs))/1e6, "hand-ms")
		})
	}
}

func drain(b *testing.B, db *duckdb.Executor, sql string) {
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for {
		batch, err := rows.Next(context.Background())
		if err != nil {
			return // io.EOF: the rows are of no interest
		}
		batch.Release()
	}
}
