package benchmarks

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// askers is how many connections ask a server that compiles.
const askers = 32

// BenchmarkHTTP_Compile compiles over HTTP as it is served, with a token, metrics and
// a line of log a request, against what fiber does with the same body when it only sends
// it back. The first case plans every request, "again" is what a client gets that asks the same
// as before. The clients run beside the server on the same cores. Each iteration measures
// both sides in turn; the best of each counts, because other work on the machine only ever
// takes away. The time of a request is measured separately, at a steady rate of 10,000 requests
// a second: at full load it would only reflect the number of clients. The figure beside it is
// that of an echo that keeps the processor busy for as long as compiling does, which
// is what the machine makes of such a load.
func BenchmarkHTTP_Compile(b *testing.B) {
	var busy atomic.Int64
	echo := startEchoServer(b, &busy)
	for _, way := range cacheSettings() {
		address := startCompileServer(b, way.kept)
		for _, q := range []struct{ name, body string }{{"Q1", OneMetricQuery}, {"Q3", ThreeMetricsQuery}} {
			b.Run(q.name+"/"+way.name, func(b *testing.B) {
				compareWithEcho(b, newRequesters(b, askers, address, "/v1/query/compile", q.body), newRequesters(b, askers, echo, "/v1/query/compile", q.body), &busy)
			})
		}
	}
}

// cacheSetting is how a server is asked: for something new each time, or for the same.
type cacheSetting struct {
	name string
	kept int // statements
}

func cacheSettings() []cacheSetting {
	return []cacheSetting{{"anew", -1}, {"again", engine.DefaultStatementCacheSize}}
}

func compareWithEcho(b *testing.B, compile, echo []func() error, busy *atomic.Int64) {
	const rate = 10_000
	var compiled, echoed measuredPace
	steady, echoSteady, busySteady := time.Hour, time.Hour, time.Hour
	for b.Loop() {
		echoed.better(measureThroughput(b, echo))
		compiled.better(measureThroughput(b, compile))
		echoSteady = min(echoSteady, measureAtRate(b, echo, rate))
		steady = min(steady, measureAtRate(b, compile, rate))
		busy.Store(int64(compiled.cpu - echoed.cpu))
		busySteady = min(busySteady, measureAtRate(b, echo, rate))
		busy.Store(0)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(compiled.rate, "req/s")
	b.ReportMetric(steady.Seconds()*1000, "p99-ms")
	b.ReportMetric(echoSteady.Seconds()*1000, "echo-p99-ms")
	b.ReportMetric(busySteady.Seconds()*1000, "busy-echo-p99-ms")
	b.ReportMetric(compiled.p99.Seconds()*1000, "full-load-p99-ms")
	b.ReportMetric(echoed.rate, "echo-req/s")
	b.ReportMetric(compiled.rate/echoed.rate, "of-echo")
	b.ReportMetric(float64(compiled.cpu.Microseconds()), "cpu-µs/req")
	b.ReportMetric(float64(echoed.cpu.Microseconds()), "echo-cpu-µs/req")
}

// startCompileServer returns the address of a server that keeps so many statements.
func startCompileServer(b *testing.B, kept int) string {
	b.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = null.Close() })
	e := openQuiet(b, engine.Config{ModelText: []byte(LargeModelText(3)), StatementCache: kept})
	return listen(b, e, restapi.Config{Tokens: []string{token}, Logger: slog.New(slog.NewJSONHandler(null, nil))})
}

// startEchoServer returns the address of a server that sends back what it gets, after so many
// nanoseconds of doing nothing with all its might.
func startEchoServer(b *testing.B, busy *atomic.Int64) string {
	b.Helper()
	return bareServer(b, func(app *fiber.App) {
		app.Post("/v1/query/compile", func(c *fiber.Ctx) error {
			begun, long := time.Now(), time.Duration(busy.Load())
			for time.Since(begun) < long {
				continue
			}
			return c.Send(c.Body())
		})
	})
}

// bareServer returns the address of a server of fiber's with nothing but its routes.
func bareServer(b *testing.B, routes func(*fiber.App)) string {
	b.Helper()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	routes(app)
	ln, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = app.Listener(ln) }()
	b.Cleanup(func() { _ = app.Shutdown() })
	return ln.Addr().String()
}
