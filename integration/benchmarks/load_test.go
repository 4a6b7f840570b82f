package benchmarks

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// clients is how many ask at once: as many as are executed at once by default.
const clients = engine.DefaultMaxExecutions

// turn is how long each side of a comparison is asked at a time.
const turn = 2 * time.Second

// BenchmarkExecuteUnderLoad asks a small query over HTTP from many connections at once
// and, in turn, with as many connections of the bare driver. The clients run beside the
// server on the same cores. Of each side the best turn counts, because other work on
// the machine only ever takes away.
func BenchmarkExecuteUnderLoad(b *testing.B) {
	path := fileOf(b, smallData)
	e := openQuiet(b, engine.Config{ModelText: []byte(Model(3)), DBPath: path})
	const asked = `{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}]}`
	q, err := engine.DecodeMetric([]byte(asked))
	if err != nil {
		b.Fatal(err)
	}
	compiled, err := e.CompileMetrics(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	address := listen(b, e, restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	served := asking(b, address, "/v1/query/execute", asked)
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
	var ours, theirs pace
	for b.Loop() {
		theirs.better(atOnce(b, bare))
		ours.better(atOnce(b, served))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ours.rate/theirs.rate, "of-driver")
	b.ReportMetric(ours.rate, "req/s")
	b.ReportMetric(ours.p99.Seconds()*1e3, "p99-ms")
	b.ReportMetric(theirs.rate, "driver-req/s")
	b.ReportMetric(theirs.p99.Seconds()*1e3, "driver-p99-ms")
}

// BenchmarkLargeModelUnderLoad compiles over HTTP against a model of 1000 datasets and,
// in turn, against one of 3.
func BenchmarkLargeModelUnderLoad(b *testing.B) {
	quiet := restapi.Config{Logger: slog.New(slog.DiscardHandler)}
	address := map[int]string{}
	for _, n := range []int{3, 1000} {
		address[n] = listen(b, openQuiet(b, engine.Config{ModelText: []byte(Model(n))}), quiet)
	}
	for _, q := range []struct{ name, body string }{{"Q1", Q1}, {"Q3", Q3}} {
		b.Run(q.name, func(b *testing.B) {
			small, large := asking(b, address[3], "/v1/query/compile", q.body), asking(b, address[1000], "/v1/query/compile", q.body)
			var ofSmall, ofLarge pace
			for b.Loop() {
				ofSmall.better(atOnce(b, small))
				ofLarge.better(atOnce(b, large))
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
	c.Logger = slog.New(slog.DiscardHandler)
	e, err := engine.Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	return e
}

// pace is how fast one side was.
type pace struct {
	rate float64 // a second
	p99  time.Duration
}

func (p *pace) better(than pace) {
	if than.rate > p.rate {
		*p = than
	}
}

// atOnce lets everyone ask over and over for a turn.
func atOnce(b *testing.B, askers []func() error) pace {
	b.Helper()
	var (
		mu  sync.Mutex
		all []time.Duration
		wg  sync.WaitGroup
	)
	begun := time.Now()
	for _, ask := range askers {
		wg.Go(func() {
			var took []time.Duration
			for last := time.Now(); last.Sub(begun) < turn; {
				if err := ask(); err != nil {
					b.Error(err)
					return
				}
				now := time.Now()
				took = append(took, now.Sub(last))
				last = now
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	wg.Wait()
	lasted := time.Since(begun)
	if b.Failed() || len(all) == 0 {
		b.Fatal("no answers")
	}
	slices.Sort(all)
	return pace{float64(len(all)) / lasted.Seconds(), all[len(all)*99/100]}
}

// asking are connections that send one request and read its answer. They parse no more
// than they must: a real client would take time from the server.
func asking(b *testing.B, address, path, body string) []func() error {
	b.Helper()
	request := post(path, body)
	out := make([]func() error, clients)
	for i := range out {
		ask := connect(b, address)
		out[i] = func() error {
			_, err := ask(request)
			return err
		}
	}
	return out
}

// post is the text of a request.
func post(path, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}

// connect opens a connection that sends a request and reads the body of the answer,
// which is good until the next.
func connect(b *testing.B, address string) func(request []byte) ([]byte, error) {
	b.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	in := bufio.NewReader(conn)
	var body bytes.Buffer
	return func(request []byte) ([]byte, error) {
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		body.Reset()
		err := readAnswer(in, &body)
		return body.Bytes(), err
	}
}

func readAnswer(in *bufio.Reader, body *bytes.Buffer) error {
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
	_, err = io.CopyN(body, in, int64(length))
	return err
}
