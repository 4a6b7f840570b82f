//go:build linux

package memorybudget

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// httpAttacks are those of clients of HTTP and MCP.
func httpAttacks() []attack {
	megabyte := strings.Repeat("0,", 500_000) + "0"
	nested := map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": "run_sql", "arguments": map[string]any{"sql": "SELECT 1", "more": json.RawMessage("[" + megabyte + "]")},
	}}
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("b%d: &b%d [%s]", i, i, strings.Repeat("1,", 100)))
	}
	return []attack{
		{name: "messages of MCP in one request", long: true, send: mcpBatch("tools/list", nil, 18_000)},
		{name: "calls of MCP in one request", long: true, send: mcpBatch("tools/call", map[string]any{
			"name": "run_sql", "arguments": map[string]any{"sql": "SELECT oven, MEASURE(loaves_total) FROM batches GROUP BY 1"},
		}, 1500)},
		{name: "messages of MCP that grow when they are read", long: true, door: doorMCP, part: "messages", send: together(16, posted("/mcp", nested))},
		{name: "queries that grow when they are read", long: true, send: together(16, posted("/v1/query/execute", map[string]any{
			"metrics": []string{"loaves_total"}, "params": map[string]any{"p": json.RawMessage("[" + megabyte + "]")},
		}))},
		{name: "models of a megabyte", long: true, send: together(4, posted("/v1/validate", map[string]any{"model": "version: 0.2.0.dev0\nname: m\n" + strings.Join(names, "\n")}))},
		{name: "models whose aliases grow", long: true, send: together(4, posted("/v1/validate", map[string]any{"model": aliases()}))},
		{name: "bodies of idle connections", send: connections(300, wholeBody)},
		{name: "bodies that do not end", long: true, send: connections(300, bodyWithoutEnd)},
		{name: "responses that nobody reads", long: true, door: doorJSON, part: "results", send: connections(40, unreadResponse)},
		{name: "idle connections", long: true, send: connections(500, noRequest)},
	}
}

// aliases writes a model whose aliases repeat a list up to the limit of its nodes.
func aliases() string {
	var out strings.Builder
	out.WriteString("version: 0.2.0.dev0\nname: m\na0: &a0 [1,1,1,1,1,1,1,1,1,1]\n")
	for i := 1; i < 5; i++ {
		fmt.Fprintf(&out, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	out.WriteString("last: [*a4,*a4,*a4,*a4,*a4,*a4,*a4]\n")
	return out.String()
}

func compiled(sql string) func(context.Context, *server, int, func(ending)) {
	return posted("/v1/sql/compile", map[string]any{"sql": sql})
}

func executed(sql string) func(context.Context, *server, int, func(ending)) {
	return posted("/v1/sql/execute", map[string]any{"sql": sql})
}

func posted(path string, body any) func(context.Context, *server, int, func(ending)) {
	text, err := json.Marshal(body)
	return func(ctx context.Context, s *server, _ int, end func(ending)) {
		for range 3 {
			begun := time.Now()
			got := s.post(ctx, path, string(text))
			end(ending{fmt.Sprintf("%d %.200s", got.status, got.body), time.Since(begun), errors.Join(err, defect(got))})
		}
	}
}

// together sends the same several times at once.
func together(count int, send func(context.Context, *server, int, func(ending))) func(context.Context, *server, int, func(ending)) {
	return func(ctx context.Context, s *server, client int, end func(ending)) {
		var all sync.WaitGroup
		for range count {
			all.Go(func() { send(ctx, s, client, end) })
		}
		all.Wait()
	}
}

// defect returns an error for a missing response, and for one of code internal.
func defect(got response) error {
	if got.status == 0 || got.status == http.StatusInternalServerError {
		return fmt.Errorf("status %d: %.300s", got.status, got.body)
	}
	return nil
}

func mcpBatch(method string, params any, count int) func(context.Context, *server, int, func(ending)) {
	var batch []map[string]any
	for i := range count {
		message := map[string]any{"jsonrpc": "2.0", "id": i, "method": method}
		if params != nil {
			message["params"] = params
		}
		batch = append(batch, message)
	}
	return posted("/mcp", batch)
}

// connections opens many connections, sends something on each, and keeps them open until it has been sent on all.
func connections(count int, send func(net.Conn) (string, error)) func(context.Context, *server, int, func(ending)) {
	return func(ctx context.Context, s *server, _ int, end func(ending)) {
		var all sync.WaitGroup
		defer all.Wait()
		places := make(chan struct{}, 8)
		var open []net.Conn
		defer func() {
			for _, c := range open {
				_ = c.Close()
			}
		}()
		for range count {
			begun := time.Now()
			c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(s.base, "http://"))
			if err != nil {
				end(ending{"no connection", time.Since(begun), err})
				return
			}
			open = append(open, c)
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				begun := time.Now()
				what, err := send(c)
				end(ending{what, time.Since(begun), err})
			})
		}
		all.Wait()
	}
}

const bodyBytes = 1 << 20

// wholeBody sends a request with a long body and reads the response.
func wholeBody(c net.Conn) (string, error) {
	if _, err := fmt.Fprintf(c, "POST /v1/sql/compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", bodyBytes, strings.Repeat(" ", bodyBytes)); err != nil {
		return "the connection was closed", nil //nolint:nilerr // the server may close it
	}
	return readStatus(c)
}

func readStatus(c net.Conn) (string, error) {
	got, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return "the connection was closed", nil
	}
	defer got.Body.Close()
	text, err := io.ReadAll(io.LimitReader(got.Body, 200))
	return fmt.Sprintf("%s %s", got.Status, text), err
}

// bodyWithoutEnd sends all but the last byte of a body.
func bodyWithoutEnd(c net.Conn) (string, error) {
	if _, err := fmt.Fprintf(c, "POST /v1/sql/compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", bodyBytes, strings.Repeat(" ", bodyBytes-1)); err != nil {
		return "the connection was closed", nil //nolint:nilerr // the server may close it
	}
	return "sent", nil
}

// unreadResponse asks for 20 MB and reads the first byte.
func unreadResponse(c net.Conn) (string, error) {
	body, err := json.Marshal(map[string]any{"sql": "SELECT batch, '" + strings.Repeat("x", 20_000) + "' AS text FROM batches LIMIT 1000"})
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(c, "POST /v1/sql/execute HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		return "the connection was closed", nil //nolint:nilerr // the server may close it
	}
	first := make([]byte, 15)
	_, err = io.ReadFull(c, first)
	return string(first), err
}

func noRequest(net.Conn) (string, error) { return "open", nil }
