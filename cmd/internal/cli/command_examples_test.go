package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/executor/testwait"
)

func TestHelp_ShowsExamplesThatRun(t *testing.T) {
	clearVariables(t)
	t.Setenv("HOME", t.TempDir())
	data := t.TempDir()
	if got := runLine(t, "init", data); got.Code != exitOK {
		t.Fatal(got.Err)
	}
	if err := os.CopyFS(data, os.DirFS("testdata/import")); err != nil {
		t.Fatal(err)
	}
	model, err := os.ReadFile(filepath.Join(data, "retail.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "before.yaml"), model, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range commandExamples["semlayer rollup refresh"][:1] { // whose table others check
		runExample(t, line, data)
	}
	root := new(app).rootCommand()
	rejectUnknownCommands(root)
	addCommandExamples(root)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" { // cobra's own, whose help holds its commands
			return
		}
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			lines := strings.Split(cmd.Example, "\n")
			if len(lines) < 2 {
				t.Fatalf("%d examples, want two:\n%s", len(lines), cmd.Example)
			}
			for _, line := range lines {
				runExample(t, strings.TrimSpace(line), data)
			}
		})
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(root)
}

func TestHelp_NamesTheExamplesOfACommand(t *testing.T) {
	got := runLine(t, "query", "--help")
	for _, line := range commandExamples["semlayer query"] {
		if !strings.Contains(got.Out, "\n  "+line+"\n") {
			t.Errorf("the help of query does not show %s:\n%s", line, got.Out)
		}
	}
}

// runExample runs a line of a help text beside the bundled model and data. What
// listens does so on a free port and ends when it has printed its address.
func runExample(t *testing.T, line, data string) {
	t.Helper()
	args := shellWords(t, line)
	t.Chdir(data)
	switch args[0] {
	case "init":
		if !slices.Contains(args, "--"+fromFlag) {
			t.Chdir(t.TempDir())
		}
	case "serve", "demo":
		if at := slices.Index(args, "--bind"); at >= 0 { // each --bind is one more address, and that of the example may be taken
			args = slices.Delete(args, at, at+2)
		}
		if code, text := serveExample(t, append(args, "--bind", "127.0.0.1:0"), func(string) {}); code != exitOK {
			t.Errorf("%s\nexit code %d:\n%s", line, code, text)
		}
		return
	case "check":
		var got commandResult
		serveExample(t, []string{"demo", "--bind", "127.0.0.1:0"}, func(address string) {
			got = runLine(t, append(args, "--url", address)...)
		})
		if got.Code != exitOK {
			t.Errorf("%s\nexit code %d:\n%s", line, got.Code, got.Err)
		}
		return
	}
	if got := runLine(t, args...); got.Code != exitOK || got.Out == "" && !slices.Contains(args, "-o") && args[0] != "mcp" && args[0] != "fmt" {
		t.Errorf("%s\nexit code %d:\n%s%s", line, got.Code, got.Out, got.Err)
	}
}

// shellWords returns the words of a command line after the name of the program.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	line, found := strings.CutPrefix(line, "semlayer ")
	if !found {
		t.Fatalf("%q does not begin with the program", line)
	}
	words, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\0' `+line).Output()
	if err != nil {
		t.Fatalf("a shell does not take %s: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(words), "\x00"), "\x00")
}

// serveExample runs a command that serves, calls use with its address and ends it.
func serveExample(t *testing.T, args []string, use func(address string)) (code int, text string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out testwait.Log
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, args, Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "v")
	}()
	address := regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)
	testwait.Until(t, strings.Join(args, " ")+" prints its address", func() bool { return address.MatchString(out.String()) })
	use(address.FindString(out.String()))
	cancel()
	return <-ended, out.String()
}
