//go:build unix

package cli_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

// limited runs the command in its own process, which may open so many files, and
// returns its address and what it writes.
func limited(t *testing.T, files int, args ...string) (base string, output *testwait.Log, ended <-chan error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(t.TempDir(), "semlayer")
	if err := os.Symlink(self, named); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), named}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	output = new(testwait.Log)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	address := regexp.MustCompile(`http://[0-9.:\[\]]+`)
	return awaitAddress(t, address, output.String), output, done
}

func TestServe_AnswersWithMoreConnectionsThanFiles(t *testing.T) {
	const files, connections = 256, 1100
	base, output, ended := limited(t, files, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--log-format", "json")
	for i := range connections {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatalf("connection %d: %v\n%s", i, err, output)
		}
		t.Cleanup(func() { _ = c.Close() })
	}
	client := &http.Client{Timeout: testwait.Deadline}
	for _, path := range []string{"/health", "/v1/metrics", "/health"} {
		got, err := client.Get(base + path)
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, output)
		}
		_, _ = io.Copy(io.Discard, got.Body)
		_ = got.Body.Close()
		if got.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", path, got.StatusCode)
		}
	}
	if status, body := post(t, base+"/v1/query/execute", `{"metrics":["revenue"]}`); status != http.StatusOK {
		t.Errorf("a query: %d %s", status, body)
	}
	select {
	case err := <-ended:
		t.Errorf("the server ended: %v\n%s", err, output)
	default:
	}
}
