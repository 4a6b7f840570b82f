package restapi_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// echo answers with what it was sent.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public")
	w.Header().Set("Mcp-Session-Id", "s1")
	w.WriteHeader(http.StatusAccepted)
	w.WriteHeader(http.StatusTeapot) // too late
	_, _ = w.Write([]byte(r.Method + " " + r.URL.Path + " " + r.Header.Get("Mcp-Session-Id") + " " + r.Host + " " + string(body)))
})

func TestMCP_MessagesReachHandler(t *testing.T) {
	s := serve(t, answering(), restapi.Config{MCP: echo})
	got := do(t, s, request("POST", "/mcp", `{"id":1}`, "Mcp-Session-Id", "abc"))
	if got.status != 202 || got.body != `POST /mcp abc example.com {"id":1}` {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Mcp-Session-Id": "s1"} {
		if values := got.header.Values(name); len(values) != 1 || values[0] != want {
			t.Errorf("%s: %v", name, values)
		}
	}
	if got.header.Get("X-Request-Id") == "" {
		t.Error(got.header)
	}
}

func TestMCP_NeedsToken(t *testing.T) {
	s := serve(t, answering(), restapi.Config{MCP: echo, Tokens: []string{"token"}})
	for header, status := range map[string]int{"": 401, "Bearer wrong": 401, "Bearer token": 202} {
		if got := do(t, s, request("POST", "/mcp", `{}`, "Authorization", header)); got.status != status {
			t.Errorf("%q: %+v", header, got)
		}
	}
}

func TestMCP_OnlyBoundedPosts(t *testing.T) {
	eachForm(t, testMCPOnlyBoundedPosts)
}

func testMCPOnlyBoundedPosts(t *testing.T, live form) {
	base := live(t, serve(t, answering(), restapi.Config{MCP: echo, MaxBodyBytes: 10}))
	for _, c := range []struct {
		method, body string
		status       int
	}{{"POST", "0123456789", 202}, {"POST", "0123456789a", 413}, {"GET", "", 405}, {"DELETE", "", 405}} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, base+"/mcp", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if got := send(t, r); got.status != c.status {
			t.Errorf("%s %s: %+v", c.method, c.body, got)
		}
	}
	if got := do(t, serve(t, answering(), restapi.Config{}), request("POST", "/mcp", `{}`)); got.status != 404 || !strings.Contains(got.body, `"bad_request"`) {
		t.Errorf("%+v", got)
	}
}

func TestMCP_HandlerPanicIsError(t *testing.T) {
	s := serve(t, answering(), restapi.Config{MCP: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a defect") })})
	if got := do(t, s, request("POST", "/mcp", `{}`)); got.status != 500 || !strings.Contains(got.body, `"internal"`) || strings.Contains(got.body, "a defect") {
		t.Errorf("%+v", got)
	}
}

// A client that hangs up is noticed while its message is worked on, and one that
// waits is not taken for gone, however much it has sent ahead.
func TestMCP_DisconnectEndsWork(t *testing.T) { eachForm(t, testMCPDisconnectEndsWork) }

func testMCPDisconnectEndsWork(t *testing.T, live form) {
	begun, ended := make(chan string, 2), make(chan struct{}, 2)
	release := make(chan struct{})
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); !ok || !strings.HasPrefix(local.String(), "127.0.0.1:") {
			t.Error("the handler does not know the address:", local)
		}
		begun <- r.Header.Get("X-Who")
		select {
		case <-r.Context().Done():
			ended <- struct{}{}
		case <-release:
		}
	})
	address := strings.TrimPrefix(live(t, serve(t, answering(), restapi.Config{MCP: handler})), "http://")
	dial := func(who, ahead string) net.Conn {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Who: "+who+"\r\nContent-Length: 2\r\n\r\n{}"+ahead)
		if err != nil {
			t.Fatal(err)
		}
		if got := <-begun; got != who {
			t.Fatal(got)
		}
		return c
	}
	patient := dial("patient", "GET /health HTTP/1.1\r\n")
	defer patient.Close()
	gone := dial("gone", "")
	_ = gone.Close()
	testwait.Receive(t, "the end of the request whose client is gone", ended)
	testwait.ExpectNothing(t, "the request of a client that waits ends", ended)
	close(release)
	_ = patient.SetReadDeadline(time.Now().Add(testwait.Deadline))
	head := make([]byte, 12)
	if _, err := io.ReadFull(patient, head); err != nil || string(head) != "HTTP/1.1 200" {
		t.Errorf("%s %v", head, err)
	}
}
