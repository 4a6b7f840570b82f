package benchmarks

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// clients is how many ask at once: as many as are executed at once by default.
const clients = engine.DefaultMaxExecutions

// BenchmarkHTTP_ExecuteUnderLoad asks a small query over HTTP from many connections at once
// and, in turn, with as many connections of the bare driver. The clients run beside the
// server on the same cores. The best turn of each side counts, because other work on
// the machine only ever takes away.
func BenchmarkHTTP_ExecuteUnderLoad(b *testing.B) {
	path := fileOf(b, smallData)
	e := openQuiet(b, engine.Config{ModelText: []byte(LargeModelText(3)), DBPath: path})
	const asked = `{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}]}`
	q, err := query.DecodeMetric([]byte(asked))
	if err != nil {
		b.Fatal(err)
	}
	compiled, err := prepare.SQL(b.Context(), e, q)
	if err != nil {
		b.Fatal(err)
	}
	address := listen(b, e, restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	served := newRequesters(b, clients, address, "/v1/query/execute", asked)
	driver := bareConnections(b, path, clients)
	bare := make([]func() error, clients)
	for i := range bare {
		bare[i] = func() error {
			if n := driver[i](compiled.SQL); n != 5 {
				return fmt.Errorf("%d rows", n)
			}
			return nil
		}
	}
	var ours, theirs measuredPace
	for b.Loop() {
		theirs.better(measureThroughput(b, bare))
		ours.better(measureThroughput(b, served))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ours.rate/theirs.rate, "of-driver")
	b.ReportMetric(ours.rate, "req/s")
	b.ReportMetric(ours.p99.Seconds()*1e3, "p99-ms")
	b.ReportMetric(theirs.rate, "driver-req/s")
	b.ReportMetric(theirs.p99.Seconds()*1e3, "driver-p99-ms")
}

// BenchmarkHTTP_LargeModelUnderLoad compiles over HTTP against a model of 1000 datasets and,
// in turn, against one of 3. Nothing is remembered, so that every request is planned.
func BenchmarkHTTP_LargeModelUnderLoad(b *testing.B) {
	quiet := restapi.Config{Logger: slog.New(slog.DiscardHandler)}
	address := map[int]string{}
	for _, n := range []int{3, 1000} {
		address[n] = listen(b, openQuiet(b, engine.Config{ModelText: []byte(LargeModelText(n)), StatementCache: -1}), quiet)
	}
	for _, q := range []struct{ name, body string }{{"Q1", OneMetricQuery}, {"Q3", ThreeMetricsQuery}} {
		b.Run(q.name, func(b *testing.B) {
			small, large := newRequesters(b, clients, address[3], "/v1/query/compile", q.body), newRequesters(b, clients, address[1000], "/v1/query/compile", q.body)
			var ofSmall, ofLarge measuredPace
			for b.Loop() {
				ofSmall.better(measureThroughput(b, small))
				ofLarge.better(measureThroughput(b, large))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ofLarge.rate/ofSmall.rate, "ratio")
			b.ReportMetric(ofSmall.rate, "small-req/s")
			b.ReportMetric(ofLarge.rate, "large-req/s")
			b.ReportMetric(ofLarge.p99.Seconds()*1e3, "large-p99-ms")
		})
	}
}

func openQuiet(b *testing.B, c engine.Config) *engine.Engine {
	b.Helper()
	c.Logger, c.Drivers = slog.New(slog.DiscardHandler), []warehouse.Driver{duckdb.Driver()}
	e, err := engine.Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	return e
}
