package cli_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
)

// startWithLogPipe starts a server whose log is a pipe, and returns its address and the end of the pipe that is read.
func startWithLogPipe(t *testing.T) (child *exec.Cmd, base string, log io.ReadCloser) {
	t.Helper()
	child = exec.CommandContext(t.Context(), childBinary(t), "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	child.Stderr = writer
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	_ = writer.Close()
	t.Cleanup(func() {
		_ = reader.Close()
		_ = child.Process.Kill()
	})
	address := regexp.MustCompile(`http://127[0-9.:]+`)
	for lines := bufio.NewReaderSize(reader, 16); base == ""; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		base = address.FindString(line)
	}
	return child, base, reader
}

// patient is a client whose requests fail after a minute.
var patient = &http.Client{Timeout: time.Minute}

// compileRevenue sends a request that is logged.
func compileRevenue(t *testing.T, client *http.Client, base string) {
	t.Helper()
	got, err := client.Post(base+"/v1/query/compile", "application/json", strings.NewReader(`{"metrics":["revenue"],"dialect":"duckdb"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	if _, err := io.Copy(io.Discard, got.Body); err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("status %d %v", got.StatusCode, err)
	}
}

func droppedLogLines(t *testing.T, client *http.Client, base string) string {
	t.Helper()
	got, err := client.Get(base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(regexp.MustCompile(`(?m)^semlayer_log_lines_dropped_total .*$`).Find(text))
}

func stopByTerm(t *testing.T, child *exec.Cmd) {
	t.Helper()
	if err := child.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	if err := testwait.Receive(t, "the end of the server", ended); err != nil {
		t.Error(err)
	}
}

func TestServe_SurvivesTheEndOfItsLogReader(t *testing.T) {
	child, base, log := startWithLogPipe(t)
	if got, want := droppedLogLines(t, patient, base), "semlayer_log_lines_dropped_total 0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		compileRevenue(t, patient, base)
	}
	testwait.Until(t, "the lines are counted", func() bool { return droppedLogLines(t, patient, base) == "semlayer_log_lines_dropped_total 3" })
	stopByTerm(t, child)
}

// A server whose log is on a full disk responds, and counts the lines that are lost.
func TestServe_AnswersWhileTheDiskOfItsLogIsFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("the system has no full disk: ", err)
	}
	defer func() { _ = full.Close() }()
	socket := filepath.Join(t.TempDir(), "http") // the log cannot name a free port
	child := exec.CommandContext(t.Context(), childBinary(t), "serve", "--model", "testdata/shop.yaml", "--bind", "unix:"+socket)
	child.Stderr = full
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	defer client.CloseIdleConnections()
	testwait.Until(t, "the server listens", func() bool {
		got, err := client.Get("http://localhost/ready")
		if err != nil {
			return false
		}
		_ = got.Body.Close()
		return true
	})
	testwait.Until(t, "the line about the start is counted", func() bool {
		return droppedLogLines(t, client, "http://localhost") == "semlayer_log_lines_dropped_total 1"
	})
	for range 3 {
		compileRevenue(t, client, "http://localhost")
	}
	testwait.Until(t, "the lines of the requests are counted", func() bool {
		return droppedLogLines(t, client, "http://localhost") == "semlayer_log_lines_dropped_total 4"
	})
	client.CloseIdleConnections()
	stopByTerm(t, child)
}

// The log of these requests is longer than the pipe and the queue together.
func TestServe_AnswersWhileNobodyReadsItsLog(t *testing.T) {
	child, base, _ := startWithLogPipe(t)
	for n := 0; droppedLogLines(t, patient, base) == "semlayer_log_lines_dropped_total 0"; n++ {
		if n > 100 {
			t.Fatal("no line was dropped after 10000 requests")
		}
		for range 100 {
			compileRevenue(t, patient, base)
		}
	}
	stopByTerm(t, child)
}
