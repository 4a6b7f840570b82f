package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
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

// compileRevenue sends a request that is logged. It fails after a minute.
func compileRevenue(t *testing.T, base string) {
	t.Helper()
	client := http.Client{Timeout: time.Minute}
	got, err := client.Post(base+"/v1/query/compile", "application/json", strings.NewReader(`{"metrics":["revenue"],"dialect":"duckdb"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	if _, err := io.Copy(io.Discard, got.Body); err != nil || got.StatusCode != http.StatusOK {
		t.Fatalf("status %d %v", got.StatusCode, err)
	}
}

func droppedLogLines(t *testing.T, base string) string {
	t.Helper()
	got, err := http.Get(base + "/metrics")
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
	if got, want := droppedLogLines(t, base), "semlayer_log_lines_dropped_total 0"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		compileRevenue(t, base)
	}
	testwait.Until(t, "the lines are counted", func() bool { return droppedLogLines(t, base) == "semlayer_log_lines_dropped_total 3" })
	stopByTerm(t, child)
}

// The log of these requests is longer than the pipe and the queue together.
func TestServe_AnswersWhileNobodyReadsItsLog(t *testing.T) {
	child, base, _ := startWithLogPipe(t)
	for n := 0; droppedLogLines(t, base) == "semlayer_log_lines_dropped_total 0"; n++ {
		if n > 100 {
			t.Fatal("no line was dropped after 10000 requests")
		}
		for range 100 {
			compileRevenue(t, base)
		}
	}
	stopByTerm(t, child)
}
