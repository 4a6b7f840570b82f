package restapi_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// longForm reports whether the tests run in their long form, which `make proof` sets.
func longForm() bool { return os.Getenv("SEMLAYER_TEST_LONG") != "" }

// wide is a table whose rows are more than sockets hold, at no cost until they
// are read.
const wide = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT i, repeat('x', 1000) AS text FROM range(10000) AS t(i)
    fields:
      - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
      - {name: text, expression: {dialects: [{dialect: ANSI_SQL, expression: text}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.i)}]}}
`

func wideEngine(t *testing.T, slotCount int) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), ModelText: []byte(wide), MaxExecutions: slotCount})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if err := e.OpenEmbedded(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

// clients returns a transport with room for many connections at once.
func clients(n int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
}

// The limit holds exactly, and a request over it is rejected at once. The executions are
// streams that no client reads: they hold their slots as long as the test needs.
func TestSaturation_ExcessRejectedAtOnce(t *testing.T) {
	const (
		slotCount = 16
		asked     = 64
		soonest   = 50 * time.Millisecond
		attempts  = 5 // the machine may be busy with other tests: the calmest counts
	)
	e := wideEngine(t, slotCount)
	base := live(t, serve(t, e, restapi.Config{}))
	client := clients(asked)
	defer client.CloseIdleConnections()
	var slowest time.Duration
	for range attempts {
		if slowest = saturate(t, client, base, asked, slotCount); slowest < soonest {
			break
		}
		testwait.Until(t, "the slots are free", func() bool { return e.ExecutionStats().Running == 0 })
	}
	// The clock is judged where the machine has nothing else to do.
	if slowest >= soonest && longForm() {
		t.Errorf("a refusal took %s", slowest)
	}
	t.Attr("slowest-ms", fmt.Sprintf("%.2f", slowest.Seconds()*1e3))
	testwait.Until(t, "the slots are free", func() bool { return e.ExecutionStats().Running == 0 })
}

// saturate sends all queries at once and returns how long the slowest rejection took.
func saturate(t *testing.T, client *http.Client, base string, asked, slotCount int) time.Duration {
	t.Helper()
	type outcome struct {
		status int
		took   time.Duration
		code   string
		after  string
		body   io.Closer
	}
	// Connections are opened beforehand: their making is not what is measured.
	var warm, answered sync.WaitGroup
	answered.Add(asked)
	for range asked {
		warm.Go(func() {
			got, err := client.Get(base + "/health")
			answered.Done()
			answered.Wait() // every response holds a connection
			if err == nil {
				_, _ = io.Copy(io.Discard, got.Body)
				_ = got.Body.Close()
			}
		})
	}
	warm.Wait()
	start := make(chan struct{})
	outcomes := make(chan outcome, asked)
	for range asked {
		go func() {
			r, err := http.NewRequest("POST", base+"/v1/select/execute", strings.NewReader(`{"from":"a","fields":["i","text"],"limit":10000}`))
			if err != nil {
				outcomes <- outcome{}
				return
			}
			r.Header.Set("Accept", arrowType)
			<-start
			begun := time.Now()
			got, err := client.Do(r)
			o := outcome{took: time.Since(begun)}
			if err == nil {
				o.status, o.after, o.body = got.StatusCode, got.Header.Get("Retry-After"), got.Body
				if o.status != 200 {
					text, _ := io.ReadAll(got.Body)
					o.code = envelopeCode(text)
				}
			}
			outcomes <- o
		}()
	}
	close(start)
	var slowest time.Duration
	counted := map[int]int{}
	var bodies []io.Closer // a stream that is not read holds its slot until it is closed
	defer func() {
		for _, b := range bodies {
			_ = b.Close()
		}
	}()
	for range asked {
		o := <-outcomes
		counted[o.status]++
		if o.body != nil {
			bodies = append(bodies, o.body)
		}
		if o.status == 429 {
			slowest = max(slowest, o.took)
			if o.code != "busy" || o.after != "1" {
				t.Errorf("code %q, Retry-After %q", o.code, o.after)
			}
		}
	}
	t.Attr("answered", strconv.Itoa(counted[200]))
	t.Attr("refused", strconv.Itoa(counted[429]))
	if counted[200] != slotCount || counted[429] != asked-slotCount {
		t.Fatalf("answered %v", counted)
	}
	return slowest
}

func envelopeCode(body []byte) string {
	_, rest, _ := strings.Cut(string(body), `"code":"`)
	code, _, _ := strings.Cut(rest, `"`)
	return code
}

// The server gets the signal to stop while two hundred requests run, every fourth of them a
// stream; all of them complete normally.
func TestDrain_LosesNoRequest(t *testing.T) {
	const inFlight = 200
	var begun sync.WaitGroup
	begun.Add(inFlight)
	release := make(chan struct{})
	s := serve(t, streamer{
		fake: fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
			begun.Done()
			<-release
			return &engine.Result{Columns: []string{}, Rows: []byte("[]")}, nil
		}},
		open: func(ctx context.Context) (*engine.Stream, error) {
			source := &batches{left: 3, after: func() error {
				begun.Done()
				<-release
				return io.EOF
			}}
			return engine.NewStream(ctx, "duckdb", "SELECT 1", source)
		},
	}, restapi.Config{DrainGrace: 200 * time.Millisecond})
	ln := listen(t)
	base := "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	client := clients(inFlight)
	results := make(chan error, inFlight)
	for i := range inFlight {
		go func() { results <- complete(client, base, i%4 == 0) }()
	}
	begun.Wait()
	stop()
	testwait.Until(t, "/ready reports that it drains", func() bool { return do(t, s, request("GET", "/ready", "")).status == 503 })
	testwait.Until(t, "no new connection is taken", func() bool {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	close(release)
	lost := 0
	for range inFlight {
		if err := <-results; err != nil {
			lost++
			t.Error(err)
		}
	}
	t.Attr("requests", strconv.Itoa(inFlight))
	t.Attr("lost", strconv.Itoa(lost))
	if err := testwait.Receive(t, "the end of Serve", ended); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// complete sends one query and reads its response to the end.
func complete(client *http.Client, base string, stream bool) error {
	r, err := http.NewRequest("POST", base+"/v1/query/execute", strings.NewReader(aQuery))
	if err != nil {
		return err
	}
	if stream {
		r.Header.Set("Accept", arrowType)
	}
	got, err := client.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	switch {
	case err != nil:
		return err
	case got.StatusCode != 200:
		return fmt.Errorf("status %d: %s", got.StatusCode, body)
	case stream && !strings.HasSuffix(string(body), endMarker):
		return fmt.Errorf("a stream of %d bytes without its end", len(body))
	}
	return nil
}

// After many requests of every kind, a third of them abandoned by their clients,
// there are as many goroutines and open files as before.
func TestLeaks_NoneAfterManyRequests(t *testing.T) {
	requests := 600
	if longForm() {
		requests = 10_000
	}
	e := wideEngine(t, 16)
	client := clients(32)
	// A server from its start to its end, so that nothing is kept for later.
	round := func(n int) {
		s := serve(t, e, restapi.Config{})
		ln := listen(t)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, ln) }()
		base := "http://" + ln.Addr().String()
		var next atomic.Int64
		var wg sync.WaitGroup
		for range 32 {
			wg.Go(func() {
				for i := next.Add(1); i <= int64(n); i = next.Add(1) {
					mixed(client, base, int(i))
				}
			})
		}
		wg.Wait()
		client.CloseIdleConnections()
		testwait.Until(t, "the slots are free", func() bool { return e.ExecutionStats().Running == 0 })
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	}
	round(100) // what is made once is made here
	goroutines, files := settled(t)
	round(requests)
	testwait.Until(t, "the goroutines of the requests have ended", func() bool { return runtime.NumGoroutine() <= goroutines })
	testwait.Until(t, "the files of the requests are closed", func() bool { return openFiles(t) <= files })
	t.Attr("requests", strconv.Itoa(requests))
	t.Attr("goroutines-left", strconv.Itoa(max(0, runtime.NumGoroutine()-goroutines)))
	t.Attr("files-left", strconv.Itoa(max(0, openFiles(t)-files)))
}

// settled counts goroutines and open files once their number stays.
func settled(t *testing.T) (goroutines, files int) {
	t.Helper()
	same := 0
	testwait.Until(t, "the numbers of goroutines and files stay", func() bool {
		g, f := runtime.NumGoroutine(), openFiles(t)
		if g == goroutines && f == files {
			same++
		} else {
			same = 0
		}
		goroutines, files = g, f
		return same == 100
	})
	return goroutines, files
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("open files are counted where /proc is")
	}
	return len(entries)
}

// mixed sends one of many kinds of requests and perhaps does not wait for its
// answer, or not for all of it.
func mixed(client *http.Client, base string, i int) {
	kinds := []struct{ method, path, body, accept string }{
		{"GET", "/health", "", ""},
		{"GET", "/v1/metrics", "", ""},
		{"GET", "/metrics", "", ""},
		{"POST", "/v1/query/compile", `{"metrics":["total"]}`, ""},
		{"POST", "/v1/query/explain", `{"metrics":["total"],"group_by":[{"field":"a.i"}]}`, ""},
		{"POST", "/v1/query/execute", `{"metrics":["total"]}`, ""},
		{"POST", "/v1/query/execute", `{"metrics":["nothing"]}`, ""},
		{"POST", "/v1/query/execute", `{`, arrowType},
		{"POST", "/v1/select/execute", `{"from":"a","fields":["i","text"],"limit":2000}`, arrowType},
		{"POST", "/v1/select/execute", `{"from":"a","fields":["i"],"limit":100}`, ""},
		{"POST", "/v1/validate", `{"model":"version: 9"}`, ""},
		{"GET", "/v1/nothing", "", ""},
		{"POST", "/v1/query/compile", strings.Repeat(" ", 2<<20), ""},
	}
	k := kinds[i%len(kinds)]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if i%3 == 0 {
		time.AfterFunc(time.Duration(i%7)*time.Millisecond, cancel)
	}
	r, err := http.NewRequestWithContext(ctx, k.method, base+k.path, strings.NewReader(k.body))
	if err != nil {
		return
	}
	if k.accept != "" {
		r.Header.Set("Accept", k.accept)
	}
	got, err := client.Do(r)
	if err != nil {
		return // abandoned, and that is what it is for
	}
	if i%6 == 1 {
		_, _ = io.CopyN(io.Discard, got.Body, 10)
	} else {
		_, _ = io.Copy(io.Discard, got.Body)
	}
	_ = got.Body.Close()
}
