//go:build linux

package hostile

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
)

var attacks = []attack{
	{name: "more connections than files", most: 400, within: 60 * time.Second, run: connections},
	{name: "patterns that backtrack", most: 400, within: 60 * time.Second, run: patterns},
	{name: "texts that grow", most: 400, within: 60 * time.Second, run: growingTexts},
	{name: "a pattern of the model that backtracks", model: withField("street", backtracking), most: 400, within: 60 * time.Second, run: modelPattern},
	{name: "a function of the model that ignores interrupts", model: withField("street", endless), most: 600, within: 60 * time.Second, run: endlessFunction, computes: true},
	{name: "a foreign host or origin", most: 400, within: 60 * time.Second, run: foreignPages},
	{name: "odd framing", most: 400, within: 60 * time.Second, run: oddFraming},
	{name: "heads of the largest file", most: 400, within: 60 * time.Second, run: manyHeads},
	{name: "deep bodies and long texts", most: 500, within: 60 * time.Second, run: longBodies},
	{name: "large answers of tools", model: withField("street", "REPEAT(channel, 250)"), flags: []string{"--execute-timeout-secs", "60", "--db-memory-mib", "500"}, most: 900, within: 60 * time.Second, run: largeAnswers},
	{name: "models of a megabyte", most: 900, within: 60 * time.Second, run: longModels},
	{name: "a text that aliases repeat", most: 900, within: 60 * time.Second, run: aliasBomb},
	{name: "more columns than a query has", most: 400, within: 60 * time.Second, run: manyColumns},
	{name: "many levels over many metrics", most: 700, within: 60 * time.Second, run: manyLevels},
	{name: "filled days over many levels and metrics", most: 700, within: 60 * time.Second, run: filledLevels},
	{name: "the largest of a million values", model: withMillion, most: 700, within: 60 * time.Second, run: topOfMillion},
	{name: "deep texts of a query", most: 500, within: 60 * time.Second, run: deepTexts},
	{name: "zones that do not exist", most: 400, within: 60 * time.Second, run: unknownZones},
	{name: "more executions than slots", most: 600, within: 60 * time.Second, run: saturation},
}

// runParallel makes n calls at once.
func runParallel(n int, call func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { call(i) })
	}
	all.Wait()
}

func (s *server) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := net.DialTimeout("tcp", strings.TrimPrefix(s.base, "http://"), testwait.Deadline)
	if err != nil {
		t.Fatalf("no connection: %v\n%s", err, s.output)
	}
	return c
}

func connections(ctx context.Context, t *testing.T, s *server) {
	const many = 1100
	open := make([]net.Conn, many)
	for i := range open {
		open[i] = s.dial(t)
	}
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	for range 5 {
		if got := s.ask(ctx, http.MethodGet, "/health", ""); got.status != http.StatusOK {
			t.Errorf("with %d connections: %d %s", many, got.status, got.body)
		}
	}
}

// expectErrors asks n times at once with a condition, and needs the code.
func expectErrors(ctx context.Context, t *testing.T, s *server, n int, condition, code string) {
	body := `{"metrics":["revenue"],"where_sql":` + strconv.Quote(condition) + `}`
	runParallel(n, func(int) {
		if got := s.execute(ctx, body); got.status != http.StatusBadRequest || !strings.Contains(got.body, `"`+code+`"`) {
			t.Errorf("%.60s: %d %.200s", condition, got.status, got.body)
		}
	})
}

func patterns(ctx context.Context, t *testing.T, s *server) {
	long := strings.Repeat("x", 100)
	expectErrors(ctx, t, s, 20, "REPLACE(CONCAT('"+long+"', orders.channel), 'x', '"+long+"') LIKE '%_x%_x%_x%_x%_b'", "unsupported_filter")
	// Within the bounds the pattern runs, and in one pass.
	for _, operator := range []string{"LIKE", "ILIKE", "NOT LIKE"} {
		body := fmt.Sprintf(`{"metrics":["revenue"],"where_sql":"CONCAT('%s', orders.channel) %s '%%_x%%_x%%_x%%_x%%_b'"}`, strings.Repeat(long, 30), operator)
		if got := s.execute(ctx, body); got.status != http.StatusOK && !strings.Contains(got.body, `"unsupported_filter"`) {
			t.Errorf("%s: %d %.200s", operator, got.status, got.body)
		}
		body = fmt.Sprintf(`{"metrics":["revenue"],"where_sql":"CONCAT('%s', orders.channel) %s '%%_x%%_x%%_x%%_x%%_b'"}`, long, operator)
		if got := s.execute(ctx, body); got.status != http.StatusOK {
			t.Errorf("%s: %d %.200s", operator, got.status, got.body)
		}
	}
}

func growingTexts(ctx context.Context, t *testing.T, s *server) {
	thousand := "'" + strings.Repeat("x", 1000) + "'"
	for _, condition := range []string{
		"REPLACE(REPLACE(CONCAT('xxxxxxxxxx', orders.channel), 'x', " + thousand + "), 'x', " + thousand + ") = 'q'",
		"CONCAT(" + strings.Repeat("orders.channel, ", 3000) + "'q') = 'q'",
		strings.Repeat("REPLACE(", 40) + "orders.channel" + strings.Repeat(", 'x', 'xxx')", 40) + " = 'q'",
		"CONTAINS(CASE WHEN orders.channel = 'web' THEN '" + strings.Repeat("x", 30_000) + "' END, '" + strings.Repeat("x", 20_000) + "b')",
	} {
		expectErrors(ctx, t, s, 8, condition, "unsupported_filter")
	}
}

const (
	backtracking = "CASE WHEN REPEAT(channel, 1000) LIKE '%_e%_e%_e%_e%_!' THEN 'a' ELSE 'b' END"
	// One row of it takes a second or more, in a single step.
	endless = "CASE WHEN CONTAINS(REPEAT('x', 1000000), CONCAT(REPEAT('x', 300000), channel)) THEN 'a' ELSE 'b' END"
)

// withField adds a field to the dataset orders.
func withField(name, expression string) func(string) string {
	return func(model string) string {
		const at = "          - {name: order_date,"
		field := "          - {name: " + name + ", expression: {dialects: [{dialect: ANSI_SQL, expression: " + strconv.Quote(expression) + "}]}}\n"
		return strings.Replace(model, at, field+at, 1)
	}
}

func modelPattern(ctx context.Context, t *testing.T, s *server) {
	if got := s.execute(ctx, `{"metrics":["order_count"],"group_by":[{"field":"orders.street"}]}`); got.status != http.StatusOK {
		t.Errorf("%d %.300s", got.status, got.body)
	}
}

func endlessFunction(ctx context.Context, t *testing.T, s *server) {
	runParallel(2, func(int) {
		got := s.execute(ctx, `{"metrics":["order_count"],"group_by":[{"field":"orders.street"}]}`)
		if got.status != http.StatusGatewayTimeout {
			t.Errorf("%d %.300s", got.status, got.body)
		}
	})
}

func foreignPages(ctx context.Context, t *testing.T, s *server) {
	for _, path := range []string{"/v1/metrics", "/v1/model", "/", "/openapi.json"} {
		if got := s.ask(ctx, http.MethodGet, path, "", "Host", "evil.example:8081"); got.status != http.StatusForbidden {
			t.Errorf("%s of another host: %d %.200s", path, got.status, got.body)
		}
	}
	const query, call = `{"metrics":["revenue"]}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, headers := range [][]string{{"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		if got := s.ask(ctx, http.MethodPost, "/v1/query/execute", query, headers...); got.status != http.StatusForbidden {
			t.Errorf("execute with %v: %d %.200s", headers, got.status, got.body)
		}
		if got := s.ask(ctx, http.MethodPost, "/mcp", call, headers...); got.status != http.StatusForbidden {
			t.Errorf("a call with %v: %d %.200s", headers, got.status, got.body)
		}
	}
}

// sendRaw sends a text over a new connection, and returns the status and whether
// the connection was closed after it.
func (s *server) sendRaw(t *testing.T, text string) (status int, closed bool) {
	c := s.dial(t)
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(testwait.Deadline))
	if _, err := io.WriteString(c, text); err != nil {
		return 0, true
	}
	in := bufio.NewReader(c)
	got, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0, true
	}
	_, _ = io.Copy(io.Discard, got.Body)
	_ = got.Body.Close()
	_, err = in.ReadByte()
	return got.StatusCode, err != nil && !os.IsTimeout(err)
}

func oddFraming(_ context.Context, t *testing.T, s *server) {
	const body = "17\r\n{\"metrics\":[\"revenue\"]}\r\n0\r\n\r\n"
	head := func(version, headers string) string {
		return "POST /v1/query/execute HTTP/" + version + "\r\nHost: localhost\r\n" + headers + "\r\n" + body
	}
	for name, text := range map[string]string{
		"an unknown coding":         head("1.1", "Transfer-Encoding: xchunked\r\n"),
		"a coding after chunked":    head("1.1", "Transfer-Encoding: chunked, identity\r\n"),
		"a coding before chunked":   head("1.1", "Transfer-Encoding: gzip, chunked\r\n"),
		"a coding in HTTP/1.0":      head("1.0", "Transfer-Encoding: chunked\r\n"),
		"a coding and a length":     head("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"),
		"two lengths":               head("1.1", "Content-Length: 5\r\nContent-Length: 6\r\n"),
		"a NUL in a header":         head("1.1", "X-A: a\x00b\r\nTransfer-Encoding: chunked\r\n"),
		"a carriage return":         head("1.1", "X-A: a\rb\r\nTransfer-Encoding: chunked\r\n"),
		"a head that does not end":  "GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: " + strings.Repeat("a", 1<<20),
		"a line that is no request": strings.Repeat("\x16\x03\x01", 100) + "\r\n\r\n",
	} {
		if status, closed := s.sendRaw(t, text); status != 0 && (status < 400 || status == 500) || !closed {
			t.Errorf("%s: status %d, closed %v", name, status, closed)
		}
	}
}

func manyHeads(ctx context.Context, t *testing.T, s *server) {
	before := s.cpuTime()
	const many = 2000
	runParallel(4, func(int) {
		for range many / 4 {
			r, err := http.NewRequestWithContext(ctx, http.MethodHead, s.base+"/docs/swagger-ui-bundle.js", nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Accept-Encoding", "identity")
			got, err := client.Do(r)
			if err != nil || got.StatusCode != http.StatusOK {
				t.Errorf("%v, %v", got, err)
				return
			}
			_ = got.Body.Close()
		}
	})
	// Unpacking the file each time took 11 ms.
	if each := (s.cpuTime() - before) / many; each > 2*time.Millisecond {
		t.Errorf("a request takes %s of CPU", each)
	}
}

func longBodies(ctx context.Context, t *testing.T, s *server) {
	megabyte := 1<<20 - 100
	for name, body := range map[string]string{
		"brackets":   `{"metrics":` + strings.Repeat("[", megabyte/2),
		"names":      `{"metrics":["` + strings.Repeat(`x","`, megabyte/8) + `x"]}`,
		"keys":       `{"` + strings.Repeat(`a":1,"`, megabyte/8) + `a":1}`,
		"a text":     `{"metrics":["revenue"],"where_sql":"` + strings.Repeat("(", megabyte) + `"}`,
		"conditions": `{"metrics":["revenue"],"where_sql":"` + strings.Repeat("orders.channel LIKE '%a%_b' OR ", 2000) + `FALSE"}`,
		"too long":   `{"metrics":["` + strings.Repeat("x", 2<<20) + `"]}`,
	} {
		runParallel(8, func(int) {
			if got := s.execute(ctx, body); got.status == http.StatusInternalServerError {
				t.Errorf("%s: %d %.200s", name, got.status, got.body)
			}
		})
	}
}

// largeAnswers calls a tool for some 15 MB, sixteen times at once: the slots that there are.
func largeAnswers(ctx context.Context, t *testing.T, s *server) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"select","arguments":{"from":"orders","fields":["order_id","street"],"limit":10000}}}`
	runParallel(16, func(int) {
		got := s.ask(ctx, http.MethodPost, "/mcp", call, "Accept", "application/json, text/event-stream")
		if got.status != http.StatusOK || !strings.Contains(got.body, "rows_shown") || len(got.body) > 1<<20 {
			t.Errorf("%d, %d bytes: %.300s", got.status, len(got.body), got.body)
		}
	})
}

// saturation sends far more queries at once than there are slots. A query without a slot is
// busy, one that takes too long is a timeout.
func saturation(ctx context.Context, t *testing.T, s *server) {
	body := `{"metrics":["revenue"],"where_sql":"` + strings.Repeat("UPPER(LOWER(orders.channel)) = 'q' OR ", 1500) + `TRUE","group_by":[{"field":"orders.order_id"}]}`
	runParallel(200, func(int) {
		switch got := s.execute(ctx, body); got.status {
		case http.StatusOK, http.StatusTooManyRequests, http.StatusGatewayTimeout:
		default:
			t.Errorf("%d %.200s", got.status, got.body)
		}
	})
}
