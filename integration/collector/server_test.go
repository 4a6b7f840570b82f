package collector

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const model = `version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: SELECT 1 AS id, 40 AS amount UNION ALL SELECT 2, 2
    fields:
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

// output is what a process prints.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// server is a process of the program that SEMLAYER names.
type server struct {
	t      *testing.T
	base   string
	output *output
	end    func() // and waits until it has ended
}

var printedAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve runs `semlayer serve` with variables of OpenTelemetry.
func serve(t *testing.T, variables ...string) server {
	t.Helper()
	program := os.Getenv("SEMLAYER")
	if program == "" {
		t.Fatal("SEMLAYER is the path of the program: make collector sets it")
	}
	path := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(path, []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	s := server{t: t, output: &output{}}
	cmd := exec.Command(program, "serve", "--model", path, "--bind", "127.0.0.1:0")
	cmd.Env = append([]string{"HOME=" + t.TempDir()}, variables...)
	cmd.Stdout, cmd.Stderr = s.output, s.output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.end = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v\n%s", err, s.output)
		}
	})
	t.Cleanup(s.end)
	until(t, "the server prints its address", func() bool {
		s.base = printedAddress.FindString(s.output.String())
		return s.base != ""
	})
	return s
}

// ask sends a request and returns the id of its query.
func (s server) ask(path, body, traceparent, requestID string) string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.base+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Traceparent", traceparent)
	r.Header.Set("X-Request-Id", requestID)
	status, text, header := s.send(r)
	if status != http.StatusOK || !strings.Contains(text, "42") {
		s.t.Fatalf("%s: %d %s", path, status, text)
	}
	return header.Get("X-Query-Id")
}

func (s server) metrics(accept string) string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.base+"/metrics", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	_, text, _ := s.send(r)
	return text
}

func (s server) send(r *http.Request) (status int, text string, header http.Header) {
	s.t.Helper()
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return got.StatusCode, string(body), got.Header
}

// until waits until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	next := time.NewTicker(20 * time.Millisecond)
	defer next.Stop()
	timeout := time.After(time.Minute)
	for !holds() {
		select {
		case <-next.C:
		case <-timeout:
			t.Fatalf("not within a minute: %s", what)
		}
	}
}
