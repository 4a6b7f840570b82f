//go:build linux

package hostile

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/program"
)

// binary is the path of the program, and data of a directory with a model and its data.
var binary, data string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	directory, err := os.MkdirTemp("", "hostile")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(directory)
	if binary, err = program.Build(directory); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	data = filepath.Join(directory, "shop")
	if out, err := exec.Command(binary, "init", data).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// server is one process that serves.
type server struct {
	base   string
	pid    int
	output *program.Output
	ended  chan struct{}
}

// serve starts the program until the test ends, with a limit of open files.
func serve(t *testing.T, a attack) *server {
	t.Helper()
	model := filepath.Join(data, "retail.yaml")
	if a.model != nil {
		text, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		model = filepath.Join(t.TempDir(), "model.yaml")
		if err := os.WriteFile(model, []byte(a.model(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words := append([]string{
		"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, openFiles), binary,
		"serve", "--model", model, "--db", filepath.Join(data, "retail.duckdb"), "--bind", "127.0.0.1:0",
		"--db-memory-mib", "200", "--execute-timeout-secs", "2", "--request-timeout-secs", "5",
	}, a.flags...)
	cmd := exec.Command("sh", words...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), fmt.Sprintf("GOMEMLIMIT=%dMiB", goMemory))
	s := &server{output: &program.Output{}, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = s.output, s.output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.pid = cmd.Process.Pid
	go func() {
		_ = cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-s.ended
	})
	t.Cleanup(func() {
		if s.base == "" {
			t.Logf("no address in\n%s", s.output)
		}
	})
	testwait.Until(t, "the program prints its address", func() bool {
		s.base = s.output.Base()
		return s.base != ""
	})
	return s
}

func (s *server) alive() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// answer is a response with its body; status 0 where there is none.
type answer struct {
	status int
	body   string
}

var client = &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// ask sends a request, with headers as name and value; that of Host sets the host.
func (s *server) ask(ctx context.Context, method, path, body string, headers ...string) answer {
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, strings.NewReader(body))
	if err != nil {
		return answer{body: err.Error()}
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	got, err := client.Do(r)
	if err != nil {
		return answer{body: err.Error()}
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return answer{body: err.Error()}
	}
	return answer{got.StatusCode, string(text)}
}

func (s *server) execute(ctx context.Context, body string) answer {
	return s.ask(ctx, http.MethodPost, "/v1/query/execute", body)
}

// slots returns the number of executions that hold a slot; -1 where it cannot be read.
func (s *server) slots(ctx context.Context) int {
	for line := range strings.Lines(s.ask(ctx, http.MethodGet, "/metrics", "").body) {
		if value, ok := strings.CutPrefix(line, "semlayer_executions_in_flight "); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
				return n
			}
		}
	}
	return -1
}

// resident returns the memory of the process in MiB.
func (s *server) resident() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.pid))
	if words := strings.Fields(string(text)); len(words) > 1 {
		pages, _ := strconv.Atoi(words[1])
		return pages * os.Getpagesize() >> 20
	}
	return 0
}

func (s *server) files() int {
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid))
	return len(open)
}

// cpuTime returns the time of all processors that the process has taken.
func (s *server) cpuTime() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	words := strings.Fields(rest)
	if len(words) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(words[11])
	system, _ := strconv.Atoi(words[12])
	return time.Duration(user+system) * 10 * time.Millisecond // a hundred ticks a second
}
