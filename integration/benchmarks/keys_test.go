package benchmarks

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/planner"
)

// keyCost is a query with one key, and the same query without it.
type keyCost struct{ name, with, without string }

const (
	costedRegions = `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]`
	costedBuyers  = `{"metrics":["buyers"],"group_by":[{"field":"customers.region"}]`
	costedYear    = `"time_range":{"start":"2023-01-01","end":"2024-01-01","dimension":"orders.order_date"}`
	costedDays    = `{"metrics":[{"name":"paid","expression":"SUM(payments.amount)"}],"group_by":[{"field":"payments.paid_at","grain":"day"}]`
	costedHours   = `{"metrics":[{"name":"paid","expression":"SUM(payments.amount)"}],"group_by":[{"field":"payments.paid_at","grain":"hour"}]`
)

var keyCosts = []keyCost{
	{"grand total", costedRegions + `,"totals":[[]]}`, costedRegions + `}`},
	{"grand total of distinct values", costedBuyers + `,"totals":[[]]}`, costedBuyers + `}`},
	{"share of the whole", costedRegions + `,"shares":[{"metric":"revenue"}]}`, costedRegions + `}`},
	{"top with other values", costedRegions + `,"top":{"dimension":"region","n":5}}`, costedRegions + `}`},
	{
		"comparison without grouped time",
		costedRegions + `,` + costedYear + `,"compare":{"offset":{"count":1,"unit":"year"}}}`,
		costedRegions + `,` + costedYear + `}`,
	},
	{"days of a time zone", costedDays + `,"time_zone":"Europe/Berlin"}`, costedDays + `}`},
	{"hours of a time zone", costedHours + `,"time_zone":"Asia/Kolkata"}`, costedHours + `}`},
	{"recomputed distinct count of 12 months", buyersByMonth("buyers_of_year"), buyersByMonth("buyers")},
	{"recomputed distinct count so far", buyersByMonth("buyers_so_far"), buyersByMonth("buyers")},
}

func buyersByMonth(metric string) string {
	return `{"metrics":["` + metric + `"],"group_by":[{"field":"orders.order_date","grain":"month"}]}`
}

// paymentsModel returns the model of the big tables with payments, whose time is an instant, and with distinct counts over
// windows.
func paymentsModel() string {
	var b strings.Builder
	writeDatasetYAML(&b, "payments", "payment_id", "paid_at:DateTimeTz", "amount:Decimal")
	model := strings.Replace(bigTablesModelText(), "    relationships:\n", b.String()+"    relationships:\n", 1)
	for _, window := range [][2]string{{"buyers_of_year", "12"}, {"buyers_so_far", `"unbounded"`}} {
		model += fmt.Sprintf("      - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT orders.customer_id)}]}, "+
			"custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"window\": {\"recompute\": {\"periods\": %s}}}'}]}\n", window[0], window[1])
	}
	return model
}

// openWithPayments opens the big tables with a payment for each order.
func openWithPayments(tb testing.TB, rows int) executor.Executor {
	tb.Helper()
	payments := `CREATE TABLE payments AS SELECT order_id AS payment_id, amount,
		TIMESTAMPTZ '2022-01-01 00:00:00+00' + (hash(order_id + 8) % 94694400)::BIGINT * INTERVAL 1 SECOND AS paid_at FROM orders`
	db, err := duckdb.Open(context.Background(), duckdb.Options{Setup: append(createBigTablesSQL(rows), payments)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

// BenchmarkKeys runs a query with a key and without it in turn; ratio is the quotient of the
// medians.
func BenchmarkKeys(b *testing.B) {
	db := openWithPayments(b, factRows(b))
	p, d := planner.New(load(b, paymentsModel())), dialect(b)
	for _, c := range keyCosts {
		b.Run(strings.ReplaceAll(c.name, " ", "_"), func(b *testing.B) {
			with, without := compileSQL(b, p, d, []byte(c.with)), compileSQL(b, p, d, []byte(c.without))
			var ours, theirs []time.Duration
			measure := func() {
				ours = append(ours, queryDuration(b, db, with))
				theirs = append(theirs, queryDuration(b, db, without))
			}
			for b.Loop() {
				measure()
			}
			for len(ours) < 5 {
				measure()
			}
			b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
			b.ReportMetric(float64(median(ours))/1e6, "with-ms")
			b.ReportMetric(float64(median(theirs))/1e6, "without-ms")
		})
	}
}

// costedMonths is a plain query, and costedKeys the same metrics, groups and conditions with every key.
const (
	costedMonths = `{"metrics":["revenue","order_count","avg_order_value"],"group_by":[{"field":"customers.region"},{"field":"products.category"},{"field":"orders.order_date","grain":"month"}],` +
		`"where_sql":"customers.segment = 'segment 1' AND orders.amount > 100","time_range":{"start":"2023-01-01","end":"2024-01-01"},"order_by":[{"key":"revenue","desc":true}],"limit":100`
	costedKeys = `{"metrics":["revenue","order_count",{"name":"mean","expression":"revenue / order_count"}],` +
		`"group_by":[{"field":"customers.region"},{"name":"kind","expression":"COALESCE(products.category, 'none')"},{"field":"orders.order_date","grain":"month"}],` +
		`"with":[{"dataset":"orders","name":"large","expression":"amount > 100"}],"where_sql":"customers.segment = 'segment 1' AND orders.large",` +
		`"time_range":{"start":"2023-01-01","end":"2024-01-01"},"order_by":[{"key":"revenue","desc":true}],"limit":100,"offset":5,` +
		`"totals":[["region"],[]],"shares":[{"metric":"revenue"}],"compare":{"offset":{"count":1,"unit":"month"},"metrics":["revenue"]},` +
		`"top":{"dimension":"region","n":5},"time_zone":"Europe/Berlin","week_start":"sunday"`
)

// BenchmarkCompile_Keys compiles a query with every key and the plain one in turn; ratio is the
// quotient of the medians. Both turns take about as long, so that the garbage collector stops
// each of them as often as its allocations request.
func BenchmarkCompile_Keys(b *testing.B) {
	const everyBatch, plainBatch = 20, 80
	p, d := planner.New(load(b, bigTablesModelText())), dialect(b)
	compile := func(body string, batch int) time.Duration {
		return measureDuration(func() {
			for range batch {
				compileSQL(b, p, d, []byte(body))
			}
		}) / time.Duration(batch)
	}
	var every, plain []time.Duration
	for b.Loop() {
		every, plain = append(every, compile(costedKeys+"}", everyBatch)), append(plain, compile(costedMonths+"}", plainBatch))
	}
	b.ReportMetric(float64(median(every))/float64(median(plain)), "ratio")
	b.ReportMetric(float64(median(every))/1e3, "every-key-µs")
	b.ReportMetric(float64(median(plain))/1e3, "plain-µs")
}

// A query with a key gives rows, and others than the query without it.
func TestKeys_CostedQueriesGiveRows(t *testing.T) {
	db := openWithPayments(t, 20_000)
	p, d := planner.New(load(t, paymentsModel())), dialect(t)
	for _, c := range keyCosts {
		t.Run(c.name, func(t *testing.T) {
			with, without := cells(t, db, compileSQL(t, p, d, []byte(c.with))), cells(t, db, compileSQL(t, p, d, []byte(c.without)))
			if len(with) == 0 || len(without) == 0 || fmt.Sprint(with) == fmt.Sprint(without) {
				t.Errorf("%d rows with the key and %d without", len(with), len(without))
			}
		})
	}
}
