package runbooktest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
)

// evidence is what an operator sees of a symptom.
type evidence struct{ log, metrics func() string }

// server is a command that serves for the length of the test.
type server struct {
	t      *testing.T
	base   string
	output *testwait.Log
	client *http.Client
}

var printedAddress = regexp.MustCompile(`https?://127\.0\.0\.1:\d+`)

// serve runs `semlayer serve` with flags for the length of the test.
func serve(t *testing.T, flags ...string) server {
	t.Helper()
	output := new(testwait.Log)
	return serveTo(t, output, output, flags...)
}

// serveTo is serve for a test that has its own standard error, in front of the buffer that keeps what is written.
func serveTo(t *testing.T, output *testwait.Log, errs io.Writer, flags ...string) server {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	code := make(chan int, 1)
	go func() {
		args := append([]string{"serve", "--bind", "127.0.0.1:0"}, flags...)
		code <- cli.Run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: output, Err: errs}, "v0.0.0-test")
	}()
	t.Cleanup(func() {
		stop()
		if got := <-code; got != 0 {
			t.Errorf("the server ended with %d: %s", got, output)
		}
	})
	s := testServer(t, "", output)
	testwait.Until(t, "the server prints its address", func() bool {
		s.base = printedAddress.FindString(output.String())
		return s.base != ""
	})
	return s
}

// serveTLS is serve with HTTPS and a certificate that is valid to the end of 2099.
func serveTLS(t *testing.T, flags ...string) server {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 12, 31, 23, 59, 59, 0, time.UTC),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	authorities := x509.NewCertPool()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	authorities.AppendCertsFromPEM(certificate)
	dir := t.TempDir()
	s := serve(t, append([]string{
		"--tls-cert", write(t, filepath.Join(dir, "tls.crt"), string(certificate)),
		"--tls-key", write(t, filepath.Join(dir, "tls.key"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))),
	}, flags...)...)
	s.client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}
	return s
}

// testServer is the server at an address, with a buffer of its output.
func testServer(t *testing.T, base string, output *testwait.Log) server {
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	return server{t, base, output, client}
}

// metrics reads the metrics as Prometheus does. They are empty while the server rejects connections.
func (s server) metrics() string {
	got, err := s.client.Get(s.base + "/metrics")
	if err != nil {
		return ""
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return ""
	}
	return string(text)
}

func (s server) evidence() evidence { return evidence{s.output.String, s.metrics} }

var postgresPort = regexp.MustCompile(`serving the PostgreSQL port" address=(\S+)`)

// postgresAddress returns the address of the PostgreSQL port, which a test can use as a warehouse.
func (s server) postgresAddress() (address string) {
	s.t.Helper()
	testwait.Until(s.t, "the PostgreSQL port is open", func() bool {
		if found := postgresPort.FindStringSubmatch(s.output.String()); found != nil {
			address = found[1]
		}
		return address != ""
	})
	return address
}

// ask sends a request and returns its status.
func (s server) ask(path, body string, header ...string) int {
	s.t.Helper()
	status, err := s.askUntil(s.t.Context(), path, body, header...)
	if err != nil {
		s.t.Fatal(err)
	}
	return status
}

// askUntil is ask for a request that ends with a context.
func (s server) askUntil(ctx context.Context, path, body string, header ...string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	defer got.Body.Close()
	_, err = io.Copy(io.Discard, got.Body)
	return got.StatusCode, err
}

// write writes a file as deployments do: the new one takes the place of the old one.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	return path
}

// model is a model with one metric, revenue, and the expression of that metric.
func model(expression string) string {
	return `version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: SELECT 1 AS id, 40 AS amount UNION ALL SELECT 2, 2
    fields:
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: returns
    source: warehouse.returns
    fields:
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: ` + expression + `}]}}
  - {name: returned, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(returns.amount)}]}}
`
}

const revenue = `{"metrics":["revenue"],"connection":"warehouse"}`

// modelFile writes the model.
func modelFile(t *testing.T) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "shop.yaml"), model("SUM(orders.amount)"))
}

// profile writes connections with one profile of PostgreSQL, warehouse, at an address.
func profile(t *testing.T, address, password string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return writeProfile(t, host, port, `password: "`+password+`"`)
}

func writeProfile(t *testing.T, host, port, credential string) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "connections.yaml"), `datasources:
  warehouse: {type: postgres, host: "`+host+`", port: `+port+`, username: reader, `+credential+`, database: shop, sslmode: disable}
`)
}

// silentWarehouse is a server that accepts connections for the length of the test, and sends nothing.
type silentWarehouse struct {
	address  string
	accepted atomic.Int64
}

func listenSilently(t *testing.T) *silentWarehouse {
	t.Helper()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	w := &silentWarehouse{address: ln.Addr().String()}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			w.accepted.Add(1)
			defer func() { _ = c.Close() }()
		}
	}()
	return w
}

// occupy sends requests to the warehouse, which hold their slots until they are freed or the test ends.
func (w *silentWarehouse) occupy(t *testing.T, s server, requests int) (free func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var sent sync.WaitGroup
	for range requests {
		// The request ends with its context, and so with an error.
		sent.Go(func() { _, _ = s.askUntil(ctx, "/v1/query/execute", revenue) })
	}
	free = func() {
		cancel()
		sent.Wait()
	}
	t.Cleanup(free)
	testwait.Until(t, "the requests wait for the warehouse", func() bool { return w.accepted.Load() == int64(requests) })
	return free
}
