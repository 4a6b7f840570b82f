//go:build linux

package memorybudget

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/program"
)

// binary is the path of the program, and data of a folder with a model and its data.
var binary, data string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "memorybudget")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	data = filepath.Join(folder, "bakery")
	if binary, err = program.Build(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := writeBakery(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

const bakeryModel = `version: 0.2.0.dev0
name: bakery
datasets:
  - name: batches
    source: batches
    primary_key: [batch]
    fields:
      - {name: batch, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: batch}]}}
      - {name: oven, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: oven}]}}
      - {name: loaves, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: loaves}]}}
  - name: sales
    source: sales
    primary_key: [sale]
    fields:
      - {name: sale, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: sale}]}}
      - {name: receipt, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: sale + 1}]}}
      - {name: price, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: price}]}}
      - {name: sold_on, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: sold_on}]}}
metrics:
  - {name: loaves_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(batches.loaves)}]}}
  - {name: takings, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.price)}]}}
`

const (
	batchCount = 6000 // in three ovens
	saleCount  = 200_000
)

func writeBakery() error {
	if err := os.MkdirAll(filepath.Join(data, "files"), 0o755); err != nil {
		return err
	}
	var csv strings.Builder
	csv.WriteString("batch,oven,loaves\n")
	for i := range batchCount {
		fmt.Fprintf(&csv, "%d,%s,%d\n", i, []string{"brick", "steel", "stone"}[i%3], i%17)
	}
	if err := os.WriteFile(filepath.Join(data, "files", "batches.csv"), []byte(csv.String()), 0o600); err != nil {
		return err
	}
	csv.Reset()
	csv.WriteString("sale,price,sold_on\n")
	for i := range saleCount {
		fmt.Fprintf(&csv, "%d,%d,2024-%02d-%02d\n", i, i%90, 1+i%2, 1+i%28)
	}
	if err := os.WriteFile(filepath.Join(data, "files", "sales.csv"), []byte(csv.String()), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, "bakery.yaml"), []byte(bakeryModel), 0o600)
}

// server is a process in a control group.
type server struct {
	base, port string // URL, and address of the PostgreSQL port
	pid        int
	group      controlGroup
	output     *program.Output
	ended      chan struct{}
}

var (
	httpAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	portAddress = regexp.MustCompile(`PostgreSQL port" address=(127\.0\.0\.1:\d+)`)
)

// serve starts the program at the settings of the chart until the test ends.
func serve(t *testing.T) *server {
	t.Helper()
	s := &server{group: newControlGroup(t), output: &program.Output{}, ended: make(chan struct{})}
	temporary := t.TempDir()
	cmd := exec.Command("sh", "-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, s.group.folder, binary, "serve",
		"--model", filepath.Join(data, "bakery.yaml"), "--data", filepath.Join(data, "files"), "--bind", "127.0.0.1:0", "--pg-bind", "127.0.0.1:0",
		"--pg-max-sessions=200", "--pg-max-pending=200", "--memory-mib=1024", "--spill-mib=896", "--max-concurrent-executions=16", "--pool-size=8",
		"--execute-timeout-secs=60", "--request-timeout-secs=30", "--max-body-bytes=1048576", "--max-answer-bytes=33554432")
	cmd.Env = append(os.Environ(), "HOME="+temporary, "TMPDIR="+temporary, "GOMEMLIMIT=805306368")
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
	testwait.Until(t, "the server listens", func() bool {
		text := s.output.String()
		s.base = httpAddress.FindString(text)
		if found := portAddress.FindStringSubmatch(text); found != nil {
			s.port = found[1]
		}
		return s.base != "" && s.port != "" || !s.alive()
	})
	if !s.alive() {
		t.Fatalf("the server has ended\n%s", s.output)
	}
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

// residentMiB returns the memory of the process.
func (s *server) residentMiB() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.pid))
	if words := strings.Fields(string(text)); len(words) > 1 {
		pages, _ := strconv.Atoi(words[1])
		return pages * os.Getpagesize() >> 20
	}
	return 0
}

// response is a status with the first bytes of a body; status 0 where there is none.
type response struct {
	status int
	body   string
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// post sends a body and reads the response. It keeps the beginning of a long one.
func (s *server) post(ctx context.Context, path, body string) response {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+path, strings.NewReader(body))
	if err != nil {
		return response{body: err.Error()}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	got, err := client.Do(r)
	if err != nil {
		return response{body: err.Error()}
	}
	defer got.Body.Close()
	text, err := io.ReadAll(io.LimitReader(got.Body, 300))
	if err == nil {
		_, err = io.Copy(io.Discard, got.Body)
	}
	if err != nil {
		return response{body: err.Error()}
	}
	return response{got.StatusCode, string(text)}
}

func (s *server) get(ctx context.Context, path string) response {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	if err != nil {
		return response{body: err.Error()}
	}
	got, err := client.Do(r)
	if err != nil {
		return response{body: err.Error()}
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return response{body: err.Error()}
	}
	return response{got.StatusCode, string(text)}
}

var refusedPart = regexp.MustCompile(`(?m)^semlayer_memory_refused_total\{part="(\w+)"\} ([1-9].*)$`)

// rejections returns how often each part of the memory has rejected a request. Parts that rejected none are missing.
func (s *server) rejections(ctx context.Context) map[string]string {
	counts := map[string]string{}
	for _, found := range refusedPart.FindAllStringSubmatch(s.get(ctx, "/metrics").body, -1) {
		counts[found[1]] = found[2]
	}
	return counts
}
