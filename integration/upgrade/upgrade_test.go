package upgrade_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/program"
)

const (
	workers = 8
	// shortRequests are those of a run of the default length; longRequests those of `make proof`.
	shortRequests = 600
	longRequests  = 10_000
	// revisions is how many processes follow each other.
	revisions = 6
)

// model returns revision n of a model, which its one row shows.
func model(n int) string {
	return fmt.Sprintf(`version: 0.2.0.dev0
semantic_model:
  - name: counts
    datasets:
      - name: number
        source: SELECT %d AS n
        primary_key: [n]
        fields:
          - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
    metrics:
      - {name: revision, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(number.n)}]}}
`, n)
}

// process is a server that runs.
type process struct {
	cmd *exec.Cmd
	at  *url.URL
	log program.Output
}

// start starts a server of a revision and waits until it is ready.
func start(t *testing.T, binary string, revision int) *process {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(file, []byte(model(revision)), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(binary, "serve", "--model", file, "--bind", "127.0.0.1:0")}
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	testwait.Until(t, "the server is ready", func() bool {
		if p.log.Base() == "" {
			return false
		}
		response, err := http.Get(p.log.Base() + "/ready")
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	at, err := url.Parse(p.log.Base())
	if err != nil {
		t.Fatal(err)
	}
	p.at = at
	return p
}

// stop asks a process to end, and waits for it.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("a server ended with %v\n%s", err, p.log.String())
	}
}

// proxy sends requests to the processes that are ready in turn, as the Service of a cluster does.
type proxy struct {
	mu    sync.Mutex
	ready []*process
	next  int
}

func (p *proxy) set(ready ...*process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready = ready
}

func (p *proxy) choose() *url.URL {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	return p.ready[p.next%len(p.ready)].at
}

// serve returns the address of the proxy. It keeps connections to the processes and sends nothing twice.
func (p *proxy) serve(t *testing.T) string {
	t.Helper()
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(p.choose()) }}
	server := &http.Server{Handler: forward, ReadHeaderTimeout: time.Minute}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + l.Addr().String()
}

// askRevision executes the metric, and returns the revision of the process that answered.
func askRevision(ctx context.Context, client *http.Client, base string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/query/execute", strings.NewReader(`{"metrics":["revision"]}`))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	var answer struct{ Rows []struct{ Revision int } }
	if err := json.Unmarshal(body, &answer); err != nil || response.StatusCode != http.StatusOK || len(answer.Rows) != 1 {
		return 0, fmt.Errorf("%d %.300s", response.StatusCode, body)
	}
	return answer.Rows[0].Revision, nil
}

func TestUpgrade_LosesNoRequest(t *testing.T) {
	requests := int64(shortRequests)
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		requests = longRequests
	}
	binary, err := program.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ready := &proxy{}
	current := start(t, binary, 1)
	ready.set(current)
	base := ready.serve(t)

	var asked, lost atomic.Int64
	var seen [revisions + 1]atomic.Int64
	var clients sync.WaitGroup
	upgraded := make(chan struct{})
	for range workers {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
			defer client.CloseIdleConnections()
			for {
				n := asked.Add(1)
				select {
				case <-upgraded:
					if n > requests {
						return
					}
				default: // requests go on while processes are replaced
				}
				revision, err := askRevision(context.Background(), client, base)
				if err != nil {
					lost.Add(1)
					t.Errorf("request %d: %v", n, err)
					return
				}
				seen[revision].Add(1)
			}
		})
	}
	for revision := 2; revision <= revisions; revision++ {
		wait := int64(revision-1) * requests / revisions // the load goes on between two upgrades
		testwait.Until(t, "clients ask", func() bool { return asked.Load() >= wait || lost.Load() == workers })
		next := start(t, binary, revision)
		ready.set(current, next)
		testwait.Until(t, "both serve", func() bool { return seen[revision].Load() > 0 || lost.Load() == workers })
		ready.set(next)
		moved := seen[revision].Load() + workers // what was on its way to the old one has reached it
		testwait.Until(t, "requests go to the next server", func() bool { return seen[revision].Load() >= moved || lost.Load() == workers })
		current.stop(t)
		current = next
	}
	close(upgraded)
	clients.Wait()
	current.stop(t)
	for revision := 1; revision <= revisions; revision++ {
		if seen[revision].Load() == 0 {
			t.Errorf("no answer is of revision %d", revision)
		}
	}
	t.Logf("%d requests over %d upgrades, %d lost", asked.Load()-workers, revisions-1, lost.Load())
}
