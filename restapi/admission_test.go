package restapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// endlessBody is a body without an end that counts the bytes read.
type endlessBody struct{ taken atomic.Int64 }

func (b *endlessBody) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	b.taken.Add(int64(len(p)))
	return len(p), nil
}

const unauthorized = `{"error":{"code":"unauthorized","message":"a valid bearer token is needed"}}`

// A request without a token gets the usual response, and gets it before the body is read:
// the client can send no more than the socket buffers hold.
func TestAdmission_BodyWithoutTokenUnread(t *testing.T) {
	eachForm(t, testAdmissionBodyWithoutTokenUnread)
}

func testAdmissionBodyWithoutTokenUnread(t *testing.T, live form) {
	const length = 512 << 20
	base := live(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}, MaxBodyBytes: 1 << 30}))
	for name, set := range map[string]func(*http.Request){
		"with a length": func(r *http.Request) { r.ContentLength = length },
		"in chunks":     func(r *http.Request) { r.ContentLength = -1 },
		"asked before":  func(r *http.Request) { r.ContentLength = length; r.Header.Set("Expect", "100-continue") },
		"with a GET":    func(r *http.Request) { r.Method = "GET"; r.ContentLength = length },
		"wrong token":   func(r *http.Request) { r.ContentLength = length; r.Header.Set("Authorization", "Bearer x") },
	} {
		t.Run(name, func(t *testing.T) {
			body := &endlessBody{}
			r, err := http.NewRequest("POST", base+"/v1/query/compile", io.LimitReader(body, length))
			if err != nil {
				t.Fatal(err)
			}
			set(r)
			got := send(t, r)
			if got.status != 401 || got.body != unauthorized || got.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%+v", got)
			}
			if body.taken.Load() > 32<<20 {
				t.Errorf("the client got rid of %d bytes", body.taken.Load())
			}
		})
	}
}

func TestAdmission_OversizedBodyUnread(t *testing.T) {
	eachForm(t, testAdmissionOversizedBodyUnread)
}

func testAdmissionOversizedBodyUnread(t *testing.T, live form) {
	const length = 512 << 20
	base := live(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}}))
	for name, size := range map[string]int64{"with a length": length, "in chunks": -1} {
		t.Run(name, func(t *testing.T) {
			body := &endlessBody{}
			r, err := http.NewRequest("POST", base+"/v1/query/compile", io.LimitReader(body, length))
			if err != nil {
				t.Fatal(err)
			}
			r.ContentLength = size
			r.Header.Set("Authorization", "Bearer t")
			got := send(t, r)
			if got.status != 413 || !strings.Contains(got.body, "limit of 1048576 bytes") {
				t.Errorf("%+v", got)
			}
			if body.taken.Load() > 32<<20 {
				t.Errorf("the client got rid of %d bytes", body.taken.Load())
			}
		})
	}
}

func TestAdmission_FullBodyNeedsToken(t *testing.T) {
	eachForm(t, testAdmissionFullBodyNeedsToken)
}

func testAdmissionFullBodyNeedsToken(t *testing.T, live form) {
	base := live(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}, MaxBodyBytes: 1 << 20}))
	body := aQuery + strings.Repeat(" ", 1<<20-len(aQuery))
	for token, want := range map[string]int{"t": 200, "x": 401} {
		r, err := http.NewRequest("POST", base+"/v1/query/compile", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		if got := send(t, r); got.status != want {
			t.Errorf("token %s: %+v", token, got)
		}
	}
}

// sendRaw sends bytes over a socket and reads one response.
func sendRaw(t *testing.T, base, text string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(testwait.Deadline))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(body)
}

func TestAdmission_UnknownMethodRejected(t *testing.T) {
	eachForm(t, testAdmissionUnknownMethodRejected)
}

func testAdmissionUnknownMethodRejected(t *testing.T, live form) {
	base := live(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}}))
	const head = "BREW /v1/model HTTP/1.1\r\nHost: h\r\n"
	if status, body := sendRaw(t, base, head+"\r\n"); status != 401 || body != unauthorized {
		t.Errorf("%d %s", status, body)
	}
	status, body := sendRaw(t, base, head+"Authorization: Bearer t\r\n\r\n")
	if status != 405 || envelope(t, body).Code != "bad_request" || !strings.Contains(body, "/v1/model does not take BREW") {
		t.Errorf("%d %s", status, body)
	}
}

func TestSlowClients_AreCutOff(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{HeadTimeout: 100 * time.Millisecond, BodyTimeout: 300 * time.Millisecond}))
	for name, c := range map[string]struct {
		text string
		at   time.Duration
	}{
		"in the head":         {"POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nContent-Le", 100 * time.Millisecond},
		"in a small body":     {"POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{", 100 * time.Millisecond},
		"in a long body":      {"POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n{", 300 * time.Millisecond},
		"in a body of chunks": {"POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			begun := time.Now()
			status, body := sendRaw(t, base, c.text)
			if took := time.Since(begun); took < c.at {
				t.Errorf("answered after %s", took)
			}
			if status != 408 || envelope(t, body).Code != "bad_request" {
				t.Errorf("%d %s", status, body)
			}
			t.Attr("status", strconv.Itoa(status))
			t.Attr("late-ms", fmt.Sprintf("%.1f", (time.Since(begun)-c.at).Seconds()*1e3))
		})
	}
}

func TestSlowClients_ManyDoNotBlockOthers(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{HeadTimeout: 2 * testwait.Deadline}))
	const slow = 200
	for i := range slow {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "POST /v1/query/compile HTTP/1.1\r\nHost: h%d\r\n", i)
	}
	begun := time.Now()
	if got := get(t, base+"/health"); got != 200 {
		t.Errorf("status %d", got)
	}
	took := time.Since(begun)
	if took > testwait.Deadline {
		t.Errorf("answered after %s", took)
	}
	t.Attr("slow", strconv.Itoa(slow))
	t.Attr("answered-ms", fmt.Sprintf("%.1f", took.Seconds()*1e3))
}

func TestAuth_ReplacedTokensApplyAtOnce(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"old"}})
	status := func(token string) int {
		return do(t, s, request("GET", "/v1/model", "", "Authorization", "Bearer "+token)).status
	}
	if err := s.ReplaceTokens([]string{"old", "new"}); err != nil || status("old") != 200 || status("new") != 200 {
		t.Errorf("both: %v", err)
	}
	if err := s.ReplaceTokens([]string{"new"}); err != nil || status("old") != 401 || status("new") != 200 {
		t.Errorf("the new one alone: %v", err)
	}
	for _, wrong := range [][]string{nil, {""}, {"a", " "}} {
		if err := s.ReplaceTokens(wrong); err == nil || status("new") != 200 || status("") != 401 {
			t.Errorf("%q was taken", wrong)
		}
	}
	open := serve(t, answering(), restapi.Config{})
	if err := open.ReplaceTokens([]string{"t"}); err == nil {
		t.Error("an open server was closed behind the back of its clients")
	}
}
