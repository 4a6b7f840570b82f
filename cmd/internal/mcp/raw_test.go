package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
)

// reply is a message of a server, as far as the tests look into it.
type reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Result struct {
		ProtocolVersion string `json:"protocolVersion"`
		ServerInfo      struct{ Name, Version string }
		Tools           []struct{ Name string }
		Content         []struct{ Type, Text string }
		IsError         bool
	} `json:"result"`
}

// exchange is a raw message and what must come back.
type exchange struct {
	what, send string
	id         string // of the reply; "" if none is expected
	code       int    // of its error; 0 for none
	check      func(reply) bool
}

var exchanges = []exchange{
	{"initialize", hello, "0", 0, func(r reply) bool {
		return r.Result.ProtocolVersion == "2025-06-18" && r.Result.ServerInfo.Name == "semlayer" && r.Result.ServerInfo.Version == "v0.0.0-test"
	}},
	{"initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", 0, nil},
	{"ping", `{"jsonrpc":"2.0","id":"p","method":"ping"}`, `"p"`, 0, func(reply) bool { return true }},
	{"tools/list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "1", 0, func(r reply) bool { return len(r.Result.Tools) == 18 }},
	{"tools/call", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"compile_sql","arguments":{"metrics":["revenue"]}}}`, "2", 0, func(r reply) bool {
		return !r.Result.IsError && len(r.Result.Content) == 1 && strings.HasPrefix(r.Result.Content[0].Text, `{"dialect":"duckdb","sql":"SELECT `)
	}},
	{"a failure", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"compile_sql","arguments":{"metrics":["revenu"]}}}`, "3", 0, func(r reply) bool {
		return r.Result.IsError && strings.HasPrefix(r.Result.Content[0].Text, `{"code":"unknown_metric",`)
	}},
	{"arguments of another shape", `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"compile_sql","arguments":{"metric":"revenue"}}}`, "4", 0, func(r reply) bool {
		return r.Result.IsError && strings.HasPrefix(r.Result.Content[0].Text, `{"code":"unknown_query_key",`)
	}},
	{"an unknown tool", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"drop_table","arguments":{}}}`, "5", -32602, nil},
	{"an unknown method", `{"jsonrpc":"2.0","id":6,"method":"tables/drop"}`, "6", -32601, nil},
	{"no JSON", `{"jsonrpc":`, "null", -32700, nil},
	{"no message", `{"hello":"world"}`, "null", -32600, nil},
	{"an empty array", `[]`, "null", -32600, nil},
	{"and still there", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_datasets"}}`, "7", 0, func(r reply) bool { return !r.Result.IsError }},
}

func (x exchange) judge(t *testing.T, text string) {
	t.Helper()
	var r reply
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.Version != "2.0" || string(r.ID) != x.id || r.Error.Code != x.code || (x.code != 0) != (r.Error.Message != "") {
		t.Errorf("%s: %v %s", x.what, err, text)
		return
	}
	if x.check != nil && !x.check(r) {
		t.Errorf("%s: %s", x.what, text)
	}
}

// The test waits for the reply to a line before it sends the next.
func TestProtocol_StdioLines(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server(retail(t), mcp.Config{}).ServeMessageLines(t.Context(), in, out) }()
	d := json.NewDecoder(fromServer)
	for _, x := range exchanges {
		if _, err := io.WriteString(toServer, x.send+"\n"); err != nil {
			t.Fatal(err)
		}
		if x.id == "" {
			continue
		}
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			t.Fatal(x.what, err)
		}
		x.judge(t, string(text))
	}
	_ = toServer.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestProtocol_HTTPPosts(t *testing.T) {
	front := httptest.NewServer(server(retail(t), mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls)))
	defer front.Close()
	session := ""
	for _, x := range exchanges {
		res, text := post(t, front.URL, session, x.send)
		if got := res.Header.Get("Mcp-Session-Id"); got != "" {
			session = got
		}
		want := http.StatusOK
		switch x.id {
		case "":
			want = http.StatusAccepted
		case "null":
			want = http.StatusBadRequest
		}
		if res.StatusCode != want {
			t.Errorf("%s: status %d: %s", x.what, res.StatusCode, text)
		}
		if x.id == "" {
			if text != "" {
				t.Errorf("%s: %s", x.what, text)
			}
			continue
		}
		if got := res.Header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: %s", x.what, got)
		}
		x.judge(t, text)
	}
}

func TestProtocol_RejectsOtherHTTPRequests(t *testing.T) {
	t.Run("requests of another method, content type or origin are rejected", func(t *testing.T) {
		front := httptest.NewServer(server(fake{}, mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls)))
		defer front.Close()
		for _, c := range []struct {
			what, method, host, contentType, accept string
			status                                  int
		}{
			{"a stream is asked for", "GET", "", "", "text/event-stream", 405},
			{"a session is ended", "DELETE", "", "", "*/*", 405},
			{"a form", "POST", "", "application/x-www-form-urlencoded", "*/*", 415},
			{"no stream is accepted", "POST", "", "application/json", "text/html", 400},
			{"a name of the page's own", "POST", "evil.example", "application/json", "*/*", 403},
			{"all is well", "POST", "", "application/json", "*/*", 200},
		} {
			r, err := http.NewRequestWithContext(t.Context(), c.method, front.URL, strings.NewReader(hello))
			if err != nil {
				t.Fatal(err)
			}
			r.Host = c.host
			r.Header.Set("Content-Type", c.contentType)
			r.Header.Set("Accept", c.accept)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			var got reply
			if err := json.NewDecoder(res.Body).Decode(&got); err != nil || res.StatusCode != c.status || (c.status >= 400) != (got.Error.Code == -32600) {
				t.Errorf("%s: %d %+v %v", c.what, res.StatusCode, got, err)
			}
			_ = res.Body.Close()
		}
	})
}

// The calls of a batch would share one request, with its limits and its slot.
func TestProtocol_RefusesBatches(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_query","arguments":{"metrics":["n"]}}}`
	for _, batch := range []string{"[" + call + "]", " [" + call + "," + call + "] ", "[]"} {
		executed := fake{execute: func(context.Context) (*engine.Result, error) {
			t.Errorf("%s: a call is executed", batch)
			return &engine.Result{Rows: json.RawMessage(`[]`)}, nil
		}}
		front := httptest.NewServer(server(executed, mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls)))
		t.Cleanup(front.Close)
		res, text := post(t, front.URL, "", batch)
		if res.StatusCode != http.StatusBadRequest || !strings.Contains(text, `"id":null,"error":{"code":-32600,"message":"a batch of messages is not accepted`) {
			t.Errorf("%s: %d %s", batch, res.StatusCode, text)
		}
		var out bytes.Buffer
		if err := server(executed, mcp.Config{}).ServeMessageLines(t.Context(), strings.NewReader(hello+"\n"+batch+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.Count(got, "a batch of messages is not accepted") != 1 || strings.Contains(got, `"id":1`) {
			t.Errorf("%s: %s", batch, got)
		}
	}
}

// readerWithEnd closes a channel when its text has been read to the end.
type readerWithEnd struct {
	io.Reader
	ended chan struct{}
	once  sync.Once
}

func (r *readerWithEnd) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		r.once.Do(func() { close(r.ended) })
	}
	return n, err
}

// A client that closes the input right after its messages still gets its replies.
func TestProtocol_EOFWaitsForResponses(t *testing.T) {
	t.Run("closing the input still delivers the responses to earlier messages", func(t *testing.T) {
		closed := make(chan struct{})
		slow := fake{execute: func(ctx context.Context) (*engine.Result, error) {
			select {
			case <-closed:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return &engine.Result{Rows: json.RawMessage(`[]`)}, nil
		}}
		var out bytes.Buffer
		in := hello + "\r\n\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_query","arguments":{"metrics":["n"]}}}`
		if err := server(slow, mcp.Config{}).ServeMessageLines(t.Context(), &readerWithEnd{strings.NewReader(in), closed, sync.Once{}}, &out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[1], `"id":1`) || !strings.Contains(lines[1], `\"row_count\":0`) {
			t.Error(cmp.Diff(2, len(lines)), out.String())
		}
	})
}

func TestProtocol_ServingEndsWithContext(t *testing.T) {
	w, f := newWaiting()
	in, toServer := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server(f, mcp.Config{}).ServeMessageLines(ctx, in, io.Discard) }()
	for _, line := range []string{hello, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_query","arguments":{"metrics":["n"]}}}`} {
		if _, err := io.WriteString(toServer, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	testwait.Receive(t, "the execution", w.begun)
	stop()
	testwait.Receive(t, "its end", w.ended)
	if err := testwait.Receive(t, "the end of serving", ended); err != nil {
		t.Error(err)
	}
}

func TestProtocol_SkipsOverlongMessage(t *testing.T) {
	var out bytes.Buffer
	in := hello + "\n" + `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 17<<20) + `"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"
	if err := server(fake{}, mcp.Config{}).ServeMessageLines(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is longer than 16 MiB"}}`) || !strings.Contains(got, `"id":2,"result"`) {
		t.Error(got)
	}
}
