package restapi_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// liveTLS serves over TLS until the test ends, and returns the address with a configuration that trusts it.
func liveTLS(t *testing.T, s *restapi.Server) (address string, trust *tls.Config) {
	t.Helper()
	source := httptest.NewTLSServer(nil)
	t.Cleanup(source.Close)
	pool := x509.NewCertPool()
	pool.AddCert(source.Certificate())
	ln := tls.NewListener(listen(t), &tls.Config{Certificates: source.TLS.Certificates, MinVersion: tls.VersionTLS12})
	return strings.TrimPrefix(liveOn(t, s, ln), "http://"), &tls.Config{RootCAs: pool, ServerName: "example.com", MinVersion: tls.VersionTLS12}
}

func dialPlain(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func dialTLS(t *testing.T, address string, trust *tls.Config) net.Conn {
	t.Helper()
	c := tls.Client(dialPlain(t, address), trust)
	if err := c.HandshakeContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTLS_PlainRequestIsToldSo(t *testing.T) {
	address, trust := liveTLS(t, serve(t, answering(), restapi.Config{}))
	got, err := http.Get("http://" + address + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if e := envelope(t, string(body)); err != nil || got.StatusCode != 400 || e.Code != "bad_request" || !strings.Contains(e.Message, "https://") {
		t.Errorf("%v %d %s", err, got.StatusCode, body)
	}
	if status := sendText(t, dialTLS(t, address, trust), healthRequest); status != 200 {
		t.Error(status)
	}
}

// Connections that never complete a handshake make room for those that do.
func TestTLS_UnfinishedHandshakesMakeRoom(t *testing.T) {
	var log testwait.Log
	address, trust := liveTLS(t, serve(t, answering(), restapi.Config{MaxConnections: 8, Logger: slog.New(slog.NewTextHandler(&log, nil))}))
	hello := []byte{0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3} // the begin of a first message of 512 bytes
	for i := range 100 {
		c := dialPlain(t, address)
		switch i % 3 {
		case 0: // sends nothing
		case 1:
			_, _ = c.Write(hello)
		case 2:
			_, _ = io.WriteString(c, "\x00\x01\x02 garbage")
		}
		if i%10 == 9 {
			if status := sendText(t, dialTLS(t, address, trust), healthRequest); status != 200 {
				t.Fatalf("after %d connections: %d", i, status)
			}
		}
	}
	if text := log.String(); strings.Contains(text, "ERROR") {
		t.Error(text)
	}
}

func TestTLS_SlowHandshakeEnds(t *testing.T) {
	address, _ := liveTLS(t, serve(t, answering(), restapi.Config{HeadTimeout: 50 * time.Millisecond}))
	for name, text := range map[string]string{"silence": "", "the begin of a message": "\x16\x03\x01"} {
		c := dialPlain(t, address)
		_, _ = io.WriteString(c, text)
		ended := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, c)
			ended <- err
		}()
		_ = testwait.Receive(t, "the end of the connection after "+name, ended)
	}
}

// A client that leaves sends the end of TLS before it closes. Its execution ends all the same.
func TestTLS_DisconnectEndsExecution(t *testing.T) {
	begun, ended := make(chan struct{}, 1), make(chan error, 1)
	s := fake{execute: func(ctx context.Context, _ *query.MetricQuery) (*engine.Result, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}}
	address, trust := liveTLS(t, serve(t, s, restapi.Config{}))
	c := dialTLS(t, address, trust)
	if _, err := io.WriteString(c, "POST /v1/query/execute HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{\"metrics\":[]}"); err != nil {
		t.Fatal(err)
	}
	<-begun
	_ = c.Close()
	if err := testwait.Receive(t, "the end of the execution whose client is gone", ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestServeListeners_AnswersOnAll(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	first, second := listen(t), listen(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.ServeListeners(ctx, []net.Listener{first, second}) }()
	for _, ln := range []net.Listener{first, second} {
		if status := sendText(t, dialPlain(t, ln.Addr().String()), healthRequest); status != 200 {
			t.Errorf("%s: %d", ln.Addr(), status)
		}
	}
	stop()
	if err := testwait.Receive(t, "the end of Serve", ended); err != nil {
		t.Error(err)
	}
	for _, ln := range []net.Listener{first, second} {
		if c, err := net.Dial("tcp", ln.Addr().String()); err == nil {
			_ = c.Close()
			t.Error("a listener is open:", ln.Addr())
		}
	}
	if err := s.ServeListeners(t.Context(), nil); err == nil {
		t.Error("a server without a listener serves")
	}
}
