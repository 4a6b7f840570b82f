package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
)

// shellSession is `semlayer sql` on a pseudo-terminal.
type shellSession struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File
	ended    chan struct{}
	mu       sync.Mutex
	seen     strings.Builder
	read     int // of what was seen, by expect
}

// startShell starts the shell over the model, in a window of so many columns, and waits for its prompt.
func startShell(t *testing.T, columns uint16, model string, args ...string) *shellSession {
	t.Helper()
	model, err := filepath.Abs(model)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "semlayer") // which TestMain is under this name
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	s := &shellSession{t: t, cmd: exec.CommandContext(t.Context(), program, append([]string{"sql", "--model", model}, args...)...), ended: make(chan struct{})}
	s.cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=xterm")
	if s.terminal, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 25, Cols: columns}); err != nil {
		cli.WithoutTerminal(t, err)
	}
	t.Cleanup(func() { _ = s.terminal.Close() })
	go func() {
		defer close(s.ended)
		chunk := make([]byte, 4096)
		for {
			n, err := s.terminal.Read(chunk)
			s.mu.Lock()
			s.seen.Write(chunk[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

// expect waits for a text after what was expected before, and returns all up to its end.
func (s *shellSession) expect(text string) string {
	s.t.Helper()
	shown, found := "", false
	defer func() {
		if !found {
			s.t.Logf("the terminal shows %q", shown)
		}
	}()
	testwait.Until(s.t, fmt.Sprintf("the terminal shows %q", text), func() bool {
		s.mu.Lock()
		shown = s.seen.String()[s.read:]
		s.mu.Unlock()
		var before string
		if before, _, found = strings.Cut(shown, text); found {
			s.read += len(before) + len(text)
			shown = before + text
		}
		return found
	})
	return strings.ReplaceAll(shown, "\r\n", "\n")
}

func (s *shellSession) send(keys string) {
	s.t.Helper()
	if _, err := s.terminal.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// answer types a line and returns the text up to the next prompt, without the line.
func (s *shellSession) answer(line string) string {
	s.t.Helper()
	s.send(line + "\r")
	s.expect(line + "\r\n")
	shown := shellProgress.ReplaceAllString(strings.TrimSuffix(s.expect("shop=> "), "shop=> "), "")
	return shellDuration.ReplaceAllString(shown, "T ms")
}

// exit waits for the end of the shell and returns its exit code.
func (s *shellSession) exit() int {
	s.t.Helper()
	testwait.Receive(s.t, "the end of the shell", s.ended)
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

// What a terminal shows depends on the time that a statement takes: the duration, and after half a second the progress.
var (
	shellDuration = regexp.MustCompile(`\d+ ms`)
	shellProgress = regexp.MustCompile(`(\r[-|/\\] running for [\d.]+ s, Ctrl-C to cancel\x1b\[K)+\r\x1b\[K`)
)

const shopModel = "testdata/shop.yaml"

// The keys of a terminal.
const (
	keyCtrlC = "\x03"
	keyCtrlD = "\x04"
	keyUp    = "\x1b[A"
)

func TestSQLShell_StatementsAndCommands(t *testing.T) {
	s := startShell(t, 200, shopModel)
	if got := s.expect("shop=> "); got != `Statements end with ;  \dt lists the relations, \d NAME shows the columns of one, Tab completes their names, \q ends.`+"\nshop=> " {
		t.Errorf("%q", got)
	}
	for _, c := range []struct{ line, answer string }{
		{`\dt`, "relation   columns  description\n---------  -------  ------------------\norders           8  One row per order.\ncustomers        2  \nshop            11  \n"},
		{`\d public."orders";`, "column       type     kind      description\n-----------  -------  --------  -----------------\norder_id     bigint   not null"},
		{`\d shop.public.ORDERS`, "column       type     kind      description\n-----------  -------  --------  -----------------\norder_id     bigint   not null"},
		{`\d nope`, "unknown relation nope: choose one of "},
		{`\x`, `\x is not a command; the commands are \d [NAME], \dt and \q` + "\n"},
		{`help`, "Statements end with ;"},
		{`SHOW tables;`, `SHOW tables is not a command here: write \dt` + "\n"},
		{`describe Orders`, `describe Orders is not a command here: write \d Orders` + "\n"},
		{`;`, ""},
		{`SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 1;`, "status     revenue\n---------  -------\ncancelled       50\ncompleted      100\nNULL             8\n3 rows, T ms\n"},
		{`SELECT COUNT(*) AS n FROM orders; SELECT COUNT(*) AS m FROM orders WHERE status = ';';`, "n\n-\n3\n1 row, T ms\nm\n-\n0\n1 row, T ms\n"},
		{`SELECT status, MEASURE(revenue) FROM orders;`, "error: sql_group_by_required: the column status is neither grouped nor in an aggregate\n  at: character 8\n  candidates: status\n  try: SELECT status, MEASURE(revenue) FROM orders GROUP BY status\n"},
		{`SELECT 'é😀' FROM orders;`, "?column?"},
		{`DELETE FROM orders;   SELEC;`, "error: sql_read_only: "},
	} {
		if got := s.answer(c.line); !strings.HasPrefix(got, c.answer) || (strings.HasSuffix(c.answer, "\n") || c.answer == "") && got != c.answer {
			t.Errorf("%s: %q, want %q", c.line, got, c.answer)
		}
	}
	s.send(`\q` + "\r")
	if code := s.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Tab completes the name of a relation, and lists those that fit where several do.
func TestSQLShell_TabCompletesNames(t *testing.T) {
	s := startShell(t, 200, shopModel)
	s.expect("shop=> ")
	s.send("\\d custom\t\r")
	s.expect("customers")
	s.expect("column       type")
	s.send("SELECT order_\t;\r")
	s.expect("order_count  order_date  order_id")
	s.expect("error: ")
	s.send("\\q\r")
	if code := s.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestSQLShell_StatementOverSeveralLines(t *testing.T) {
	s := startShell(t, 200, shopModel)
	s.expect("shop=> ")
	s.send("SELECT COUNT(*) AS n -- a ; in a comment\r")
	s.expect("shop-> ")
	s.send(`\d nope` + "\r") // a command between the lines
	s.expect("unknown relation nope")
	s.expect("shop-> ")
	s.send("FROM orders WHERE status = 'a\r")
	s.expect("shop-> ")
	s.send(`\q` + "\r") // inside of the quote
	s.expect("shop-> ")
	s.send("';\r")
	if got := s.expect("shop=> "); !strings.Contains(got, "n\n-\n0\n1 row") {
		t.Errorf("%q", got)
	}
	// A paste comes at once, its statements one after the other.
	s.send("SELECT COUNT(*) AS a\rFROM orders;\rSELECT COUNT(*) AS b FROM shop\r;\r")
	s.expect("a\r\n-\r\n3\r\n")
	s.expect("count_star_needs_dataset")
	s.expect("shop=> ")
	s.send("SELECT status\r")
	s.expect("shop-> ")
	s.send(`\q` + "\r")
	if code := s.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestSQLShell_History(t *testing.T) {
	s := startShell(t, 200, shopModel)
	s.expect("shop=> ")
	s.send("SELECT COUNT(*) AS n\r")
	s.expect("shop-> ")
	s.send("FROM orders;\r")
	s.expect("shop=> ")
	s.answer(`\dt`)
	s.answer(`\dt`) // once in the history
	s.send(keyUp + keyUp + "\r")
	if got := s.expect("1 row"); !strings.Contains(got, "SELECT COUNT(*) AS n FROM orders;") {
		t.Errorf("%q", got)
	}
	s.expect("shop=> ") // the key is read by the line, not by the terminal before it
	s.send(keyCtrlD)
	if code := s.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Ctrl-C cancels the line or the statement, and Ctrl-D ends the shell.
func TestSQLShell_CtrlCAndCtrlD(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model.yaml")
	text := strings.Replace(endlessRows, "metrics:", "  - {name: b, source: SELECT 7 AS k, fields: [{name: k, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: k}]}}]}\nmetrics:", 1)
	if err := os.WriteFile(model, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startShell(t, 200, model)
	s.expect("m=> ")
	s.send("SELECT garbage(" + keyCtrlC)
	s.expect("^C")
	s.expect("m=> ")
	s.send("SELECT\r")
	s.expect("m-> ")
	s.send(keyCtrlC)
	s.expect("m=> ")
	for range 2 {
		s.send("SELECT MEASURE(rows) FROM a;\r")
		s.expect("running for")
		s.send(keyCtrlC)
		s.expect("interrupted")
		s.expect("m=> ")
		s.send("SELECT k FROM b;\r")
		s.expect("k\r\n-\r\n7\r\n1 row")
		s.expect("m=> ")
	}
	s.send("SELECT k\r")
	s.expect("m-> ")
	s.send(keyCtrlD)
	if code := s.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestSQLShell_EndsWhenItIsAskedTo(t *testing.T) {
	s := startShell(t, 200, shopModel)
	s.expect("shop=> ")
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.exit(); code != 1 {
		t.Errorf("exit code %d: %q", code, s.seen.String())
	}
}

func TestSQLShell_TablesFitTheWindow(t *testing.T) {
	s := startShell(t, 30, shopModel)
	s.expect("shop=> ")
	for _, line := range []string{`\d orders`, "SELECT * FROM orders;"} {
		for got := range strings.SplitSeq(s.answer(line), "\n") {
			if len([]rune(got)) > 30 && !strings.Contains(got, "columns fit") && !strings.Contains(got, " key ") {
				t.Errorf("%s: %q", line, got)
			}
		}
	}
}

// The terminal would drop the end of a line that is too long for it: half a condition is another condition.
func TestSQLShell_RefusesALineThatTheTerminalCuts(t *testing.T) {
	s := startShell(t, 200, shopModel)
	s.expect("shop=> ")
	s.send("SELECT COUNT(*) AS n FROM orders WHERE status IN ('" + strings.Repeat("x", 4100) + "') AND 1 = 0;\r")
	s.expect("a line has at most 4095 characters here")
	s.expect("shop=> ")
	if got := s.answer("SELECT COUNT(*) AS n FROM orders;"); !strings.Contains(got, "n\n-\n3\n") {
		t.Errorf("%q", got)
	}
}

func TestSQLShell_FlagsHoldForEachStatement(t *testing.T) {
	compiling := startShell(t, 200, shopModel, "--compile", "--dialect", "mysql")
	compiling.expect("shop=> ")
	if got := compiling.answer("SELECT COUNT(*) AS n FROM orders;"); !strings.Contains(got, "COUNT(*) AS `n`") || strings.Contains(got, "1 row") {
		t.Errorf("%q", got)
	}
	bound := startShell(t, 200, shopModel, "--param", "completed", "--format", "csv")
	bound.expect("shop=> ")
	if got := bound.answer("SELECT status, COUNT(*) AS n FROM orders WHERE status = $1 GROUP BY 1;"); !strings.HasPrefix(got, "status,n\ncompleted,") {
		t.Errorf("%q", got)
	}
	if got := bound.answer("SELECT COUNT(*) AS n FROM orders;"); !strings.Contains(got, "sql_parameter") {
		t.Errorf("%q", got)
	}
}
