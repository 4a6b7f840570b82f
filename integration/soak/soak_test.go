package soak_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// soakEnv names the variable of the duration, such as 30m.
const soakEnv = "SEMLAYER_TEST_SOAK"

const (
	clients  = 8
	interval = 5 * time.Millisecond // between requests: at most 200 a second
	samples  = 120
	reported = 5           // wrong answers
	deadline = time.Minute // of a wait for a state
)

// By how much the last third of the samples may be above the first.
const (
	mostHeap       = 1 << 20
	mostResident   = 48 << 20
	mostGoroutines = 2 * clients
	mostFiles      = clients
)

func TestSoak_ServerDoesNotGrow(t *testing.T) {
	length := 5 * time.Second
	if text := os.Getenv(soakEnv); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s: %v", soakEnv, err)
		}
	}
	if length < 2*time.Second {
		t.Fatalf("%s is %s, which is too short to compare anything", soakEnv, length)
	}
	e, at := start(t)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4 * clients}}
	defer client.CloseIdleConnections()

	l := load{engine: e, client: client, at: at, kinds: kinds()}
	for _, k := range l.kinds { // one after the other, so that a failure is easy to read
		if err := k.ask(t.Context(), client, at); err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
	}
	var taken []sample
	n := min(samples, int(length/(200*time.Millisecond)))
	requests := int(length / interval)
	for i := range n {
		l.sendRequests(t, i*requests/n, (i+1)*requests/n)
		taken = append(taken, l.takeSample(t))
	}

	t.Attr("length", length.String())
	t.Attr("requests", strconv.Itoa(requests))
	t.Attr("wrong", strconv.FormatInt(l.wrong.Load(), 10))
	checkSamples(t, taken[n/4:], length >= 10*time.Minute)
}

// bases are two servers over one engine: one gives executions the usual time, one next
// to none.
type bases struct{ patient, hasty string }

// start serves the model over its data until the test ends.
func start(t *testing.T) (*engine.Engine, bases) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "soak.duckdb")
	db, err := duckdb.Open(t.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{data}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model), DBPath: path, Logger: quiet, MaxExecutions: 8 * clients})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e, bases{
		patient: serving.Serve(t, e, restapi.Config{Tokens: []string{token}, Logger: quiet}),
		hasty:   serving.Serve(t, e, restapi.Config{Tokens: []string{token}, Logger: quiet, ExecuteTimeout: 20 * time.Millisecond}),
	}
}

// load is what the clients do together.
type load struct {
	engine *engine.Engine
	client *http.Client
	at     bases
	kinds  []requestKind
	wrong  atomic.Int64
}

// sendRequests lets the clients send the requests of these numbers, and returns after the last response. A machine that
// is busy with other programs answers them later.
func (l *load) sendRequests(t *testing.T, from, to int) {
	numbers := make(chan int)
	var ended sync.WaitGroup
	for range clients {
		ended.Go(func() {
			for n := range numbers {
				k := l.kinds[n%len(l.kinds)]
				if err := k.ask(t.Context(), l.client, l.at); err != nil && l.wrong.Add(1) <= reported {
					t.Errorf("%s: %v", k.name, err)
				}
			}
		})
	}
	pace := time.NewTicker(interval)
	defer pace.Stop()
	for n := from; n < to; n++ {
		<-pace.C
		numbers <- n
	}
	close(numbers)
	ended.Wait()
}

// sample is what the process takes while nothing is asked of it.
type sample struct {
	heap, resident    int64 // bytes, without garbage
	goroutines, files int64
}

// takeSample lets what is under way end, so that what is found is what is kept.
func (l *load) takeSample(t *testing.T) sample {
	t.Helper()
	waitUntil(t, "executions end that nobody waits for", func() bool { return l.engine.RunningExecutions() == 0 })
	l.client.CloseIdleConnections()
	waitUntil(t, "connections of the server end", func() bool { return countGoroutines(t, connectionFrame) == 0 })
	runtime.GC()         // the pools of package sync keep their buffers over one collection
	debug.FreeOSMemory() // it collects garbage first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("memory and files are counted where /proc is")
	}
	return sample{int64(m.HeapAlloc), resident(t), int64(runtime.NumGoroutine() - countGoroutines(t, workerFrame)), int64(len(entries))}
}

// The server of HTTP keeps the goroutines of its last load for seconds, to use them for other connections.
const (
	workerFrame     = "fasthttp.(*workerPool).workerFunc"
	connectionFrame = "fasthttp.(*Server).serveConn"
)

// countGoroutines returns the number of goroutines that run a function.
func countGoroutines(t *testing.T, function string) int {
	t.Helper()
	var text strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&text, 1); err != nil {
		t.Fatal(err)
	}
	count := 0
	for group := range strings.SplitSeq(text.String(), "\n\n") {
		if head, _, is := strings.Cut(group, " @ "); is && strings.Contains(group, function) {
			n, err := strconv.Atoi(head[strings.LastIndexByte(head, '\n')+1:])
			if err != nil {
				t.Fatal(err)
			}
			count += n
		}
	}
	return count
}

// waitUntil waits for a state, and ends the test when it does not come.
func waitUntil(t *testing.T, state string, holds func() bool) {
	t.Helper()
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for begun := time.Now(); !holds(); <-poll.C {
		if time.Since(begun) > deadline {
			t.Fatalf("after %s: %s: not yet", deadline, state)
		}
	}
}

func resident(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, "VmRSS:"); is {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatal("the kernel tells no resident memory")
	return 0
}

// checkSamples compares the medians of the last third and the first. Resident memory rises and
// falls with what allocators keep for later, by more than could leak in seconds: it is
// judged when there was time.
func checkSamples(t *testing.T, taken []sample, long bool) {
	t.Helper()
	third := len(taken) / 3
	for _, f := range []struct {
		name   string
		of     func(sample) int64
		most   int64
		unit   float64
		judged bool
	}{
		{"heap-MiB", func(s sample) int64 { return s.heap }, mostHeap, 1 << 20, true},
		{"resident-MiB", func(s sample) int64 { return s.resident }, mostResident, 1 << 20, long},
		{"goroutines", func(s sample) int64 { return s.goroutines }, mostGoroutines, 1, true},
		{"files", func(s sample) int64 { return s.files }, mostFiles, 1, true},
	} {
		values := make([]int64, len(taken))
		for i, s := range taken {
			values[i] = f.of(s)
		}
		first, last := median(values[:third]), median(values[len(values)-third:])
		t.Attr(f.name, fmt.Sprintf("%.1f", float64(last)/f.unit))
		t.Attr(f.name+"-grown", fmt.Sprintf("%.1f", float64(last-first)/f.unit))
		if f.judged && last-first > f.most {
			t.Errorf("%s: from %.1f to %.1f", f.name, float64(first)/f.unit, float64(last)/f.unit)
		}
	}
}

func median(values []int64) int64 {
	values = slices.Sorted(slices.Values(values))
	return values[len(values)/2]
}
