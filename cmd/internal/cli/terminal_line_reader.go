package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// maxTerminalLineLength is how many characters the terminal reads in a line. It drops those beyond.
const maxTerminalLineLength = 4096

const ctrlC = 3

// terminalLineReader reads lines of a terminal with the history of the session.
type terminalLineReader struct {
	fd       int
	keys     *ctrlCDetectingReader
	out      io.Writer
	terminal *term.Terminal
	history  *inMemoryShellHistory
	names    nameCompleter
	usual    *term.State // the mode of the terminal outside of lines
}

func newTerminalLineReader(in *os.File, out io.Writer, names nameCompleter) *terminalLineReader {
	t := &terminalLineReader{fd: int(in.Fd()), keys: &ctrlCDetectingReader{in: in}, out: out, history: &inMemoryShellHistory{}, names: names}
	t.usual, _ = term.GetState(t.fd)
	t.discardBegunLine()
	return t
}

// discardBegunLine forgets the line that was begun.
func (t *terminalLineReader) discardBegunLine() {
	t.terminal = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{t.keys, t.out}, "")
	t.terminal.History = t.history
	t.terminal.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		newLine, newPos, choices := t.names.complete(line, pos)
		if len(choices) > 0 {
			_, _ = fmt.Fprintln(t.terminal, strings.Join(choices, "  "))
		}
		return newLine, newPos, true
	}
}

// readLine reads in raw mode, which ends with the line: what a statement prints, and Ctrl-C while it runs, have the
// usual mode.
func (t *terminalLineReader) readLine(prompt string) (line string, err error) {
	before, err := term.MakeRaw(t.fd)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(t.fd, before)) }()
	if width, height, err := term.GetSize(t.fd); err == nil {
		_ = t.terminal.SetSize(width, height)
	}
	t.terminal.SetPrompt(prompt)
	line, err = t.terminal.ReadLine()
	switch {
	case errors.Is(err, term.ErrPasteIndicator):
		err = nil
	case errors.Is(err, io.EOF) && t.keys.interrupted:
		t.keys.interrupted = false
		t.discardBegunLine()
		_, _ = io.WriteString(t.out, "^C\r\n")
		return "", errLineCancelled
	case errors.Is(err, io.EOF):
		_, _ = io.WriteString(t.out, "\r\n")
	}
	if utf8.RuneCountInString(line) >= maxTerminalLineLength {
		_, _ = fmt.Fprintf(t.out, "a line has at most %d characters here: write the statement in several lines, or to standard input\r\n", maxTerminalLineLength-1)
		return "", errLineCancelled
	}
	return line, err
}

func (t *terminalLineReader) restoreTerminalMode() {
	if t.usual != nil {
		_ = term.Restore(t.fd, t.usual)
	}
}

func (t *terminalLineReader) addToHistory(entry string) { t.history.addEntry(entry) }

// ctrlCDetectingReader reads the keys of a terminal. The terminal ends its input for Ctrl-C as for Ctrl-D.
type ctrlCDetectingReader struct {
	in          io.Reader
	interrupted bool // Ctrl-C was read
}

func (k *ctrlCDetectingReader) Read(buffer []byte) (int, error) {
	n, err := k.in.Read(buffer)
	k.interrupted = k.interrupted || bytes.IndexByte(buffer[:n], ctrlC) >= 0
	return n, err
}
