package restapi_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// exchanged returns the bytes that a server sends back for these bytes, until it closes the
// connection.
func exchanged(t *testing.T, base, sent string) string {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(testwait.Deadline)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(bufio.NewReader(conn))
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// A proxy in front of the server may use the other of the two lengths: the bytes left on
// the connection would then be another client's request.
func TestFraming_AmbiguousRequestRejected(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{}))
	for name, head := range map[string]string{
		"two lengths":             "Host: h\r\nContent-Length: 22\r\nContent-Length: 3\r\n",
		"two lengths, odd case":   "Host: h\r\ncontent-length: 22\r\nCONTENT-LENGTH: 3\r\n",
		"a length and chunks":     "Host: h\r\nContent-Length: 22\r\nTransfer-Encoding: chunked\r\n",
		"two hosts":               "Host: h\r\nHost: other\r\nContent-Length: 22\r\n",
		"no host":                 "Content-Length: 22\r\n",
		"no host but in a header": "X-Forwarded-Host: h\r\nContent-Length: 22\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := exchanged(t, base, "POST /v1/query/compile HTTP/1.1\r\n"+head+"\r\n{\"metrics\":[\"revenue\"]}GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
			if !strings.HasPrefix(got, "HTTP/1.1 400 ") || strings.Count(got, "HTTP/1.1 ") != 1 {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestFraming_HTTP10NeedsNoHost(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{}))
	if got := exchanged(t, base, "GET /health HTTP/1.0\r\n\r\n"); !strings.Contains(got, " 200 ") {
		t.Error(got)
	}
}

// The chunks of a body whose length the server must not believe.
func TestFraming_OddHeadsAreRefusedAndEndTheirConnection(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{}))
	const chunks = "17\r\n{\"metrics\":[\"revenue\"]}\r\n0\r\n\r\n"
	const chunkedHead = "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
	const next = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, sent := range map[string]string{
		"an unknown coding":           "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n" + chunks,
		"chunks that are not last":    "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n" + chunks,
		"compressed chunks":           "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" + chunks,
		"chunks of chunks":            "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n" + chunks,
		"identity":                    "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\n\r\n",
		"a quoted coding":             "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \"chunked\"\r\n\r\n" + chunks,
		"an empty coding":             "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\n\r\n",
		"a vertical tab and a coding": "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \x0bchunked\r\n\r\n" + chunks,
		"chunks in HTTP/1.0":          "HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
		"a blank before the colon":    "HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n" + chunks,
		"a length with a blank":       "HTTP/1.1\r\nHost: localhost\r\nContent-Length : 23\r\n\r\n",
		"a NUL in a value":            "HTTP/1.1\r\nHost: localhost\r\nX-A: a\x00b\r\nContent-Length: 0\r\n\r\n",
		"a carriage return":           "HTTP/1.1\r\nHost: localhost\r\nX-A: a\rContent-Length: 9\r\nContent-Length: 0\r\n\r\n",
		"a name with a NUL":           "HTTP/1.1\r\nHost: localhost\r\nX\x00A: a\r\nContent-Length: 0\r\n\r\n",
		"a line without a colon":      "HTTP/1.1\r\nHost: localhost\r\nnothing\r\nContent-Length: 0\r\n\r\n",
		"a line feed after a size":    chunkedHead + "17;a\n\r\n" + strings.TrimPrefix(chunks, "17\r\n"),
		"a word after a size":         chunkedHead + "17 a\r\n" + strings.TrimPrefix(chunks, "17\r\n"),
		"a folded line":               "HTTP/1.1\r\nHost: localhost\r\nX-A: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := exchanged(t, base, "POST /v1/query/compile "+sent+next)
			if !strings.HasPrefix(got, "HTTP/1.1 400 ") || strings.Count(got, "HTTP/1.1 ") != 1 || !strings.Contains(got, `"bad_request"`) {
				t.Errorf("%s", got)
			}
		})
	}
}

func TestFraming_ChunksAreReadInAnyCase(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{}))
	for _, coding := range []string{"chunked", "Chunked", " chunked\t"} {
		got := exchanged(t, base, "POST /v1/query/compile HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding:"+coding+"\r\n\r\n17\r\n"+aQuery+"\r\n0\r\n\r\n")
		if !strings.HasPrefix(got, "HTTP/1.1 200 ") {
			t.Errorf("%q: %s", coding, got)
		}
	}
}

func TestFraming_OrdinaryRequestAccepted(t *testing.T) {
	base := live(t, serve(t, answering(), restapi.Config{}))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/query/compile", io.MultiReader(strings.NewReader(`{"metrics":["revenue"]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if got := send(t, r); got.status != http.StatusOK { // in chunks, without a length
		t.Errorf("%+v", got)
	}
}
