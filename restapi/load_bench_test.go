package restapi_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// The two queries that docs/benchmarks.md measures.
const (
	q1 = `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`
	q3 = `{"metrics":["revenue","order_count","avg_order_value"],"group_by":[{"field":"customers.region"},{"field":"products.category"},{"field":"orders.order_date","grain":"month"}],"where_sql":"orders.status = 'completed'","time_range":{"start":"2024-01-01","end":"2025-01-01"},"order_by":[{"key":"revenue","desc":true}],"limit":100}`
)

// Compiling over HTTP as it is served, with a token, metrics and a line of log a
// request, against what fiber does with the same body when it only sends it
// back. The clients run beside the server on the same cores. Each iteration
// measures both in turn; the best of each counts, because other work on the
// machine only ever takes away. What a request takes is measured apart, at a
// steady rate of 10,000 requests a second and from the moment at which each was
// due: at full load it would only tell how many clients there are.
//
//	go test -run '^$' -bench CompileOverHTTP -benchtime 5x ./restapi
func BenchmarkCompileOverHTTP(b *testing.B) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	e := engineOf(b, "orders", engine.Config{})
	s, err := restapi.New(e, restapi.Config{Tokens: []string{"token"}, Logger: slog.New(slog.NewJSONHandler(null, nil))})
	if err != nil {
		b.Fatal(err)
	}
	ln := listen(b)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	defer func() {
		stop()
		<-ended
	}()
	echo := fiber.New(fiber.Config{DisableStartupMessage: true})
	echo.Post("/v1/query/compile", func(c *fiber.Ctx) error { return c.Send(c.Body()) })
	echoLn := listen(b)
	go func() { _ = echo.Listener(echoLn) }()
	defer func() { _ = echo.Shutdown() }()
	for _, q := range []struct{ name, body string }{{"Q1", q1}, {"Q3", q3}} {
		b.Run(q.name, func(b *testing.B) {
			var compiled, echoed throughput
			steady, echoSteady := time.Hour, time.Hour
			for b.Loop() {
				echoed.better(load(b, echoLn.Addr(), q.body))
				compiled.better(load(b, ln.Addr(), q.body))
				echoSteady = min(echoSteady, atRate(b, echoLn.Addr(), q.body))
				steady = min(steady, atRate(b, ln.Addr(), q.body))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(compiled.rate, "req/s")
			b.ReportMetric(steady.Seconds()*1000, "p99-ms")
			b.ReportMetric(echoSteady.Seconds()*1000, "echo-p99-ms")
			b.ReportMetric(compiled.p99.Seconds()*1000, "full-load-p99-ms")
			b.ReportMetric(echoed.rate, "echo-req/s")
			b.ReportMetric(compiled.rate/echoed.rate, "of-echo")
			b.ReportMetric(float64(compiled.cpu.Microseconds()), "cpu-µs/req")
			b.ReportMetric(float64(echoed.cpu.Microseconds()), "echo-cpu-µs/req")
		})
	}
}

type throughput struct {
	rate float64 // requests a second
	p99  time.Duration
	// cpu is the processor time of a request, client and server together: unlike
	// the rate it hardly depends on what else the machine does.
	cpu time.Duration
}

func (t *throughput) better(than throughput) {
	if than.rate > t.rate {
		*t = than
	}
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const (
	connections = 32
	length      = 2 * time.Second
)

func compileRequest(body string) []byte {
	return fmt.Appendf(nil, "POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// load asks one question over and over for a while, over several connections.
func load(b *testing.B, to net.Addr, body string) throughput {
	request := compileRequest(body)
	used, begun := processorTime(b), time.Now()
	all := together(b, func(int) ([]time.Duration, error) { return hammer(to, request, begun.Add(length)) })
	total, used := time.Since(begun), processorTime(b)-used
	return throughput{float64(len(all)) / total.Seconds(), all[len(all)*99/100], used / time.Duration(len(all))}
}

// atRate asks at 10,000 requests a second, spread evenly over the connections,
// and returns what 99 of 100 requests took at most.
func atRate(b *testing.B, to net.Addr, body string) time.Duration {
	const every = time.Second * connections / 10_000
	request := compileRequest(body)
	begun := time.Now()
	all := together(b, func(i int) ([]time.Duration, error) {
		return keepTime(to, request, begun.Add(every*time.Duration(i)/connections), every, begun.Add(length))
	})
	return all[len(all)*99/100]
}

// together runs every connection and returns what their requests took, in order.
func together(b *testing.B, connection func(i int) ([]time.Duration, error)) []time.Duration {
	var (
		mu  sync.Mutex
		all []time.Duration
		wg  sync.WaitGroup
	)
	for i := range connections {
		wg.Go(func() {
			took, err := connection(i)
			if err != nil {
				b.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	wg.Wait()
	if len(all) == 0 {
		b.Fatal("no answers")
	}
	slices.Sort(all)
	return all
}

// keepTime sends a request whenever one is due. One that is late because the
// last took long counts from when it was due.
func keepTime(to net.Addr, request []byte, due time.Time, every time.Duration, until time.Time) ([]time.Duration, error) {
	conn, err := net.Dial(to.Network(), to.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	var took []time.Duration
	for ; due.Before(until); due = due.Add(every) {
		time.Sleep(time.Until(due))
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := skipAnswer(in); err != nil {
			return nil, err
		}
		took = append(took, time.Since(due))
	}
	return took, nil
}

// hammer sends a request and reads its answer until the time is over. It parses
// no more than it must: a real client would take time from the server.
func hammer(to net.Addr, request []byte, until time.Time) ([]time.Duration, error) {
	conn, err := net.Dial(to.Network(), to.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	var took []time.Duration
	for last := time.Now(); last.Before(until); {
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		if err := skipAnswer(in); err != nil {
			return nil, err
		}
		now := time.Now()
		took = append(took, now.Sub(last))
		last = now
	}
	return took, nil
}

func skipAnswer(in *bufio.Reader) error {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		return errors.New(string(status))
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}
