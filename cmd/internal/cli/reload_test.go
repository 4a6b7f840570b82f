package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/semlayer/semlayer/executor/testwait"
)

// revisionText returns a model of many datasets whose metric total is 158 and n, and whose description is n.
func revisionText(n, datasets int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `version: 0.2.0.dev0
name: shop
description: "%[1]d"
datasets:
  - name: orders
    source: SELECT * FROM (VALUES (1, 100), (2, 50), (3, 8)) AS t(order_id, amount)
    primary_key: [order_id]
    fields: [{name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]
`, n)
	for i := range datasets {
		fmt.Fprintf(&b, "  - name: d%d\n    source: d%d\n    fields:\n", i, i)
		for f := range 8 {
			fmt.Fprintf(&b, "      - {name: f%d, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: f%d}]}}\n", f, f)
		}
	}
	fmt.Fprintf(&b, `metrics:
  - {name: total, description: "%[1]d", expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount) + %[1]d}]}}
`, n)
	return b.String()
}

// replaceFileAtomically replaces a file as editors and deployments do.
func replaceFileAtomically(path, text string) error {
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// heapInUse returns the memory in use once all that can be freed is.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// reloadLaw asks a server while its model changes, and counts.
type reloadLaw struct {
	t        *testing.T
	base     string
	answers  atomic.Int64
	mu       sync.Mutex
	observed map[int]bool
	failures atomic.Int64 // requests
	mixed    atomic.Int64 // responses that are not of exactly one good revision
}

// fail reports a request that failed.
func (l *reloadLaw) fail(format string, args ...any) {
	l.failures.Add(1)
	l.t.Errorf(format, args...)
}

// check fails unless a response is of exactly one good revision: the broken ones are multiples of ten.
func (l *reloadLaw) check(what, value, text string) {
	n, err := strconv.Atoi(value)
	if err != nil || n != 0 && n%10 == 0 || !strings.Contains(text, "+ "+value) && text != value {
		l.mixed.Add(1)
		l.t.Errorf("%s: %q and %q", what, value, text)
		return
	}
	l.answers.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.observed[n] = true
}

func (l *reloadLaw) ask(method, path, body, accept string) []byte {
	r, err := http.NewRequest(method, l.base+path, strings.NewReader(body))
	if err != nil {
		l.fail("%v", err)
		return nil
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("Content-Type", "application/json")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		l.fail("%s: %v", path, err)
		return nil
	}
	defer got.Body.Close()
	answer, err := io.ReadAll(got.Body)
	if err != nil || got.StatusCode != http.StatusOK {
		l.fail("%s: %d %v %.200s", path, got.StatusCode, err, answer)
		return nil
	}
	return answer
}

// execute requests rows: the number of the rows and that of the SQL are of one revision.
func (l *reloadLaw) execute() {
	var out struct {
		SQL  string
		Rows []struct{ Total int }
	}
	if body := l.ask("POST", "/v1/query/execute", `{"metrics":["total"]}`, "application/json"); body != nil {
		if err := json.Unmarshal(body, &out); err != nil || len(out.Rows) != 1 {
			l.fail("%v %s", err, body)
			return
		}
		l.check("rows", strconv.Itoa(out.Rows[0].Total-158), out.SQL)
	}
}

// stream requests the same as an Arrow stream.
func (l *reloadLaw) stream() {
	body := l.ask("POST", "/v1/query/execute", `{"metrics":["total"]}`, "application/vnd.apache.arrow.stream")
	if body == nil {
		return
	}
	r, err := ipc.NewReader(bytes.NewReader(body))
	if err != nil {
		l.fail("%v", err)
		return
	}
	defer r.Release()
	sql, _ := r.Schema().Metadata().GetValue("sql")
	for r.Next() {
		column := r.RecordBatch().Column(0)
		n, err := strconv.Atoi(strings.Trim(column.ValueStr(0), `"`))
		if err != nil || column.Len() != 1 {
			l.fail("%v %v", err, column)
			return
		}
		l.check("stream", strconv.Itoa(n-158), sql)
	}
}

// list requests the model, its metrics, and for a tool's answer over MCP.
func (l *reloadLaw) list() {
	var model struct{ Description string }
	if body := l.ask("GET", "/v1/model", "", "application/json"); body != nil {
		if err := json.Unmarshal(body, &model); err != nil {
			l.fail("%v %s", err, body)
			return
		}
		l.check("model", model.Description, model.Description)
	}
	var metrics []struct{ Description string }
	if body := l.ask("GET", "/v1/metrics", "", "application/json"); body != nil {
		if err := json.Unmarshal(body, &metrics); err != nil || len(metrics) != 1 {
			l.fail("%v %s", err, body)
			return
		}
		l.check("metrics", metrics[0].Description, metrics[0].Description)
	}
}

func (l *reloadLaw) tool() {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"compile_sql","arguments":{"metrics":["total"]}}}`
	var out struct {
		Result struct {
			StructuredContent struct{ SQL string }
		}
	}
	body := l.ask("POST", "/mcp", call, "application/json, text/event-stream")
	if body == nil {
		return
	}
	if err := json.Unmarshal(body, &out); err != nil {
		l.fail("%v %s", err, body)
		return
	}
	sql := out.Result.StructuredContent.SQL
	_, after, _ := strings.Cut(sql, "+ ")
	value, _, _ := strings.Cut(after, " ")
	l.check("tool", value, sql)
}

// servedRevision returns the revision of the model that a server has, by its description.
func servedRevision(t *testing.T, base string) int {
	t.Helper()
	_, body := ask(t, base+"/v1/model", "")
	var model struct{ Description string }
	if err := json.Unmarshal([]byte(body), &model); err != nil {
		t.Fatalf("%v %s", err, body)
	}
	revision, err := strconv.Atoi(model.Description)
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

// refusedReloads returns the number of changed models that a server has rejected.
func refusedReloads(t *testing.T, base string) int {
	t.Helper()
	_, metrics := ask(t, base+"/metrics", "")
	found := regexp.MustCompile(`(?m)^semlayer_model_reloads_total\{result="refused"\} (\d+)$`).FindStringSubmatch(metrics)
	if found == nil {
		t.Fatalf("no refused reloads in %s", metrics)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Requests arrive all the time while the file changes; every tenth text is broken. None fails, each response is
// of one good revision, the last good one is served at the end, and the memory stays as it was.
func TestServe_ReloadsUnderTrafficWithoutAnError(t *testing.T) {
	changes, datasets, perSecond := 11, 60, 100
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		changes, datasets, perSecond = 50, 200, 200
	}
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte(revisionText(1, datasets)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--model", path, "--bind", "127.0.0.1:0", "--watch", "--max-concurrent-executions", "64")
	l := &reloadLaw{t: t, base: s.base, observed: map[int]bool{}}
	stop := l.traffic(perSecond)
	var early uint64
	var goroutines int
	last := 1
	for i := 2; i <= changes+1; i++ {
		content := revisionText(i, datasets)
		if i%10 == 0 {
			content += "  - broken: [\n"
		} else {
			last = i
		}
		if err := replaceFileAtomically(path, content); err != nil {
			t.Fatal(err)
		}
		testwait.Until(t, fmt.Sprintf("text %d is read", i), func() bool { return servedRevision(t, s.base) == last && refusedReloads(t, s.base) == i/10 })
		enough := l.answers.Load() + int64(perSecond)/2
		testwait.Until(t, fmt.Sprintf("text %d is served to many requests", i), func() bool { return l.answers.Load() >= enough })
		if i == 4 {
			early, goroutines = heapInUse()-uint64(len(s.err())), runtime.NumGoroutine()
		}
	}
	asked := stop()
	late := heapInUse() - uint64(len(s.err()))
	t.Logf("%d requests, %d checked answers of %d revisions; heap %d KiB, then %d KiB", asked, l.answers.Load(), len(l.observed), early>>10, late>>10)
	if l.answers.Load() < asked || len(l.observed) < changes/2 {
		t.Errorf("%d requests, %d answers of revisions %v", asked, l.answers.Load(), l.observed)
	}
	if float64(late) > 1.3*float64(early) {
		t.Errorf("the heap grew from %d KiB to %d KiB", early>>10, late>>10)
	}
	t.Attr("changes", strconv.Itoa(changes))
	t.Attr("rejected", strconv.Itoa(refusedReloads(t, s.base)))
	t.Attr("requests", strconv.FormatInt(asked, 10))
	t.Attr("failed", strconv.FormatInt(l.failures.Load(), 10))
	t.Attr("unmatched", strconv.FormatInt(l.mixed.Load(), 10))
	t.Attr("matched", strconv.FormatInt(l.answers.Load(), 10))
	t.Attr("heap-ratio", fmt.Sprintf("%.2f", float64(late)/float64(early)))
	http.DefaultClient.CloseIdleConnections()
	// Not fewer: the HTTP library keeps its idle workers for ten seconds.
	testwait.Until(t, "the goroutines are not more than early on", func() bool { return runtime.NumGoroutine() <= goroutines+4 })
}

// traffic asks at a rate until stop is called, which returns how often it asked.
func (l *reloadLaw) traffic(perSecond int) (stop func() int64) {
	const workers = 8
	var asked atomic.Int64
	var wait sync.WaitGroup
	ended := make(chan struct{})
	for worker := range workers {
		wait.Go(func() {
			tick := time.NewTicker(time.Second * workers / time.Duration(perSecond))
			defer tick.Stop()
			for i := worker; ; i++ {
				select {
				case <-ended:
					return
				case <-tick.C:
				}
				asked.Add(1)
				switch i % 4 {
				case 0:
					l.stream()
				case 1:
					l.list()
				case 2:
					l.tool()
				default:
					l.execute()
				}
			}
		})
	}
	return func() int64 {
		close(ended)
		wait.Wait()
		return asked.Load()
	}
}
