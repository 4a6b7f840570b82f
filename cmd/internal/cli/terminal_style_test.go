package cli

import (
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// onATerminal runs a command whose output and errors are a terminal, and returns
// what a person would see, line ends as programs write them.
func onATerminal(t *testing.T, args ...string) (string, int) {
	t.Helper()
	return onATerminalOf(t, 0, args...)
}

// WithoutTerminal skips a test, but not where CI runs: there it would stay skipped unseen.
func WithoutTerminal(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("no pseudo-terminal: %v", err)
	}
	t.Skipf("no pseudo-terminal: %v", err)
}

// onATerminalOf is onATerminal with so many columns.
func onATerminalOf(t *testing.T, columns uint16, args ...string) (string, int) {
	t.Helper()
	master, terminal, err := pty.Open()
	if err != nil {
		WithoutTerminal(t, err)
	}
	defer master.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 25, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	seen := make(chan string)
	go func() {
		// Reading fails once no process has the terminal open.
		text, _ := io.ReadAll(master)
		seen <- string(text)
	}()
	code := Run(t.Context(), args, Streams{In: strings.NewReader(""), Out: terminal, Err: terminal}, "v")
	if err := terminal.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(<-seen, "\r\n", "\n"), code
}

var (
	duration = regexp.MustCompile(`\d+ ms`)
	// progress is what a query writes, and removes, that a busy machine answers late.
	progress = regexp.MustCompile(`(?:\r.[^\r\n]* s, Ctrl-C to cancel\x1b\[K)+\r\x1b\[K`)
)

func TestTerminal_ColoursTables(t *testing.T) {
	query := []string{"query", "--model", "testdata/shop.yaml", "--metrics", "revenue", "--group-by", "status", "--order", "status"}
	plain := "status     revenue\n---------  -------\ncancelled       50\ncompleted      100\nNULL             8\n3 rows, T ms\n"
	painted := "\x1b[1mstatus\x1b[0m     \x1b[1mrevenue\x1b[0m\n\x1b[2m---------\x1b[0m  \x1b[2m-------\x1b[0m\ncancelled       50\ncompleted      100\n\x1b[2mNULL\x1b[0m             8\n\x1b[2m3 rows, T ms\x1b[0m\n"
	wrong := []string{"query", "--model", "testdata/shop.yaml", "--metrics", "revenu"}
	for _, c := range []struct {
		name, term, noColor string
		table, failure      string
	}{
		{"colours", "xterm", "", painted, "\x1b[1;31merror:\x1b[0m \x1b[1munknown_metric:\x1b[0m "},
		{"NO_COLOR", "xterm", "1", plain, "error: unknown_metric: "},
		{"a terminal without colours", "dumb", "", plain, "error: unknown_metric: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TERM", c.term)
			t.Setenv("NO_COLOR", c.noColor)
			got, code := onATerminal(t, query...)
			if got = duration.ReplaceAllString(progress.ReplaceAllString(got, ""), "T ms"); code != exitOK || got != c.table {
				t.Errorf("exit code %d:\n%q, want\n%q", code, got, c.table)
			}
			if got, code := onATerminal(t, wrong...); code != exitFailure || !strings.HasPrefix(got, c.failure) {
				t.Errorf("exit code %d: %q", code, got)
			}
		})
	}
}

func TestTerminal_TableIsCutToItsWidth(t *testing.T) {
	t.Setenv("TERM", "dumb")
	args := []string{"query", "--model", "testdata/shop.yaml", "--metrics", "revenue,order_count", "--group-by", "status", "--order", "status"}
	got, code := onATerminalOf(t, 22, args...)
	want := "status     revenue  …\n---------  -------  …\ncancelled       50  …\ncompleted      100  …\nNULL             8  …\n" +
		"2 of 3 columns fit; --format csv shows all of them\n3 rows, T ms\n"
	if got = duration.ReplaceAllString(got, "T ms"); code != exitOK || got != want {
		t.Errorf("exit code %d:\n%s, want\n%s", code, got, want)
	}
	if got, _ := onATerminalOf(t, 22, append(args, "--format", "csv")...); !strings.Contains(got, "status,revenue,order_count\n") || strings.Contains(got, " ms") {
		t.Errorf("csv in a narrow terminal:\n%s", got)
	}
}

func TestTerminal_SQLIsPretty(t *testing.T) {
	compile := []string{"compile", "--model", "testdata/shop.yaml", "--metrics", "revenue"}
	sql := []string{"select", "--model", "testdata/shop.yaml", "--from", "orders", "--fields", "order_id", "--sql"}
	for _, args := range [][]string{compile, sql} {
		if got, code := onATerminal(t, args...); code != exitOK || !strings.Contains(got, "\nFROM ") {
			t.Errorf("%s: exit code %d:\n%s", args[0], code, got)
		}
		if got, _ := onATerminal(t, append(args, "--pretty=false")...); strings.Contains(got, "\nFROM ") {
			t.Errorf("%s --pretty=false:\n%s", args[0], got)
		}
		if got := runLine(t, append(args, "--format", "table")...); strings.Contains(got.Out, "\nFROM ") {
			t.Errorf("%s into a pipe:\n%s", args[0], got.Out)
		}
	}
}

func TestTerminal_RejectsArrowStream(t *testing.T) {
	t.Run("a binary stream is not written to a terminal", func(t *testing.T) {
		got, code := onATerminal(t, "query", "--model", "testdata/shop.yaml", "--metrics", "revenue", "--format", "arrow")
		if code != exitUsage || !strings.Contains(got, "not for a terminal") {
			t.Errorf("exit code %d: %s", code, got)
		}
		if _, code := onATerminal(t, "query", "--model", "testdata/shop.yaml", "--metrics", "revenue", "-o", os.DevNull, "--format", "arrow"); code != exitOK {
			t.Errorf("a stream to a file ends with %d", code)
		}
	})
}

// written is what was written, kept for a test.
type written struct {
	mu sync.Mutex
	b  strings.Builder
	at chan struct{}
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b.Write(p)
	select {
	case w.at <- struct{}{}:
	default:
	}
	return len(p), nil
}

func TestProgress_ClearedAtEnd(t *testing.T) {
	w := &written{at: make(chan struct{}, 1)}
	now := time.Unix(0, 0)
	done := startSpinner(w, func() time.Time { return now }, 0, time.Hour)
	<-w.at
	done()
	done()
	if got, want := w.b.String(), "\r| running for 0.0 s, Ctrl-C to cancel\x1b[K\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgress_HiddenOnShortWait(t *testing.T) {
	w := &written{at: make(chan struct{}, 1)}
	startSpinner(w, time.Now, time.Hour, time.Hour)()
	if got := w.b.String(); got != "" {
		t.Errorf("%q", got)
	}
}

func TestShellWords_RoundTripThroughShell(t *testing.T) {
	for text, want := range map[string]string{
		"revenue,order_count": "revenue,order_count",
		"a > 1":               "'a > 1'",
		"it's":                `'it'\''s'`,
		"":                    "''",
		"$HOME":               "'$HOME'",
		"-x":                  "-x",
		"ü":                   "'ü'",
	} {
		if got := quoteShellWord(text); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}
