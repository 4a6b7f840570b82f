package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/semlayer/semlayer/cmd/internal/cli"
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
	select {
	case <-running:
	case <-time.After(30 * time.Second):
		t.Fatal("the query does not run")
	}
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
