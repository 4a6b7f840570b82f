package cli_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
)

// endlessRows is a model whose one metric counts the rows of a query without end.
const endlessRows = `version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT n FROM (WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t)
    fields: [{name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}]
metrics:
  - {name: rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(a.n)}]}}
`

func TestInterrupt_CtrlCEndsAQueryWithItsOwnExitCode(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(model, []byte(endlessRows), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "semlayer") // which TestMain is under this name
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "query", "--model", model, "--metrics", "rows")
	terminal, err := pty.Start(cmd)
	if err != nil {
		cli.WithoutTerminal(t, err)
	}
	defer terminal.Close()
	seen := make(chan string, 1)
	running := make(chan struct{})
	go func() {
		var text strings.Builder
		chunk := make([]byte, 4096)
		for {
			n, err := terminal.Read(chunk)
			before := text.Len()
			text.Write(chunk[:n])
			if before == 0 && n > 0 {
				close(running) // the progress line
			}
			if err != nil {
				seen <- text.String()
				return
			}
		}
	}()
	testwait.Receive(t, "the progress line", running)
	if _, err := terminal.Write([]byte{3}); err != nil { // Ctrl-C
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
	if text := <-seen; !strings.HasSuffix(text, "semlayer: interrupted\r\n") || strings.Contains(text, "timeout") {
		t.Errorf("the terminal shows %q", text)
	}
}

// countdown is a context that ends after its state was read that many times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A command that describes a model or judges one ends with its context, also when the
// model is open already.
func TestInterrupt_EndsADescription(t *testing.T) {
	looks := func(left int64, args ...string) (looked int64, code int, out string) {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(left)
		var text strings.Builder
		code = cli.Run(ctx, args, cli.Streams{Out: &text, Err: io.Discard}, "v0.0.0-test")
		return left - ctx.left.Load(), code, text.String()
	}
	const plenty = 1 << 30
	const model = "../../../examples/retail/model.yaml"
	opening, _, _ := looks(plenty, "list", "datasets", "--model", model)
	for _, args := range [][]string{
		{"list", "metrics"}, {"list", "dimensions"}, {"list", "dimensions", "--metric", "revenue"}, {"lineage"}, {"lineage", "revenue"},
	} {
		args = append(args, "--model", model)
		all, code, _ := looks(plenty, args...)
		if code != 0 || all < opening+2 {
			t.Errorf("%v: exit code %d, %d looks at the context, %d to open the model", args, code, all, opening)
		}
		if _, code, out := looks(opening+1, args...); code == 0 || out != "" {
			t.Errorf("%v: exit code %d after its context had ended: %s", args, code, out)
		}
	}
	if _, code, out := looks(2, "validate", model); code == 0 || out != "" {
		t.Errorf("validate: exit code %d: %s", code, out)
	}
}

// SIGHUP ended the server at once, with the requests that it was answering.
func TestServe_StaysAtSIGHUPAndLogsIt(t *testing.T) {
	child := exec.CommandContext(t.Context(), childBinary(t), "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	log := new(testwait.Log)
	child.Stderr = log
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`http://[0-9.:]+`)
	testwait.Until(t, "the server starts", func() bool { return address.FindString(log.String()) != "" })
	for range 2 {
		if err := child.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	testwait.Until(t, "the signal is logged", func() bool {
		return strings.Contains(log.String(), "SIGHUP: the model files and new connection profiles are read")
	})
	got, err := http.Get(address.FindString(log.String()) + "/health")
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Body.Close()
	if got.StatusCode != 200 {
		t.Errorf("status %d", got.StatusCode)
	}
}

func TestDemo_LeavesSIGHUPAlone(t *testing.T) {
	// A child inherits a signal that is ignored, as nohup starts programs, but not one
	// that is caught.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	child := exec.CommandContext(t.Context(), childBinary(t), "demo", "--bind", "127.0.0.1:0")
	out := new(testwait.Log)
	child.Stdout = out
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the demo starts", func() bool { return strings.Contains(out.String(), "http://127.0.0.1:") })
	if err := child.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil || !strings.Contains(err.Error(), "hangup") {
		t.Errorf("%v", err)
	}
}
