package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// shellCommandsHelp names what the shell reads besides statements.
const shellCommandsHelp = `\d [NAME], \dt and \q`

const shellHelp = `Statements end with ;  \dt lists the relations, \d NAME shows the columns of one, Tab completes their names, \q ends.`

// lineReader reads lines behind a prompt.
type lineReader interface {
	// readLine returns io.EOF at the end of the input, and errLineCancelled for Ctrl-C.
	readLine(prompt string) (string, error)
	// restoreTerminalMode gives the terminal its usual mode while a line is read.
	restoreTerminalMode()
	// addToHistory adds to the lines that the up key brings back.
	addToHistory(entry string)
}

// errLineCancelled is Ctrl-C at the prompt.
var errLineCancelled = errors.New("the line was cancelled")

// sqlShell is the session of `semlayer sql` on a terminal.
type sqlShell struct {
	*app
	engine *engine.Engine
	flags  statementFlags
	lines  lineReader
	// pending is the text of a statement that has no semicolon yet, and entered what was typed since the
	// last statement ended.
	pending, entered string
}

// runSQLShell reads statements and commands from the terminal until \q or the end of the input. A
// statement that fails or is cancelled does not end it.
func (a *app) runSQLShell(ctx context.Context, e *engine.Engine, q statementFlags) error {
	in, ok := a.std.In.(*os.File)
	if !ok {
		return errors.New("standard input is not a terminal")
	}
	fmt.Fprintln(a.std.Err, shellHelp)
	ctx, stop := contextIgnoringInterrupts(ctx)
	defer stop()
	s := &sqlShell{app: a, engine: e, flags: q, lines: newTerminalLineReader(in, a.std.Out, newNameCompleter(e.Relations()))}
	return s.run(ctx)
}

func (s *sqlShell) run(ctx context.Context) error {
	name := s.engine.Model().Name
	for ctx.Err() == nil {
		prompt := name + "=> "
		if s.pending != "" {
			prompt = name + "-> "
		}
		line, err := s.readLine(ctx, prompt)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLineCancelled):
			s.pending, s.entered = "", ""
			continue
		case err != nil:
			return err
		}
		if s.runLine(ctx, line) {
			return nil
		}
	}
	return ctx.Err()
}

// readLine ends with ctx as well, though the terminal is still read then.
func (s *sqlShell) readLine(ctx context.Context, prompt string) (string, error) {
	type result struct {
		line string
		err  error
	}
	read := make(chan result, 1)
	go func() {
		line, err := s.lines.readLine(prompt)
		read <- result{line, err}
	}()
	select {
	case r := <-read:
		return r.line, r.err
	case <-ctx.Done():
		s.lines.restoreTerminalMode()
		return "", ctx.Err()
	}
}

// runLine runs what a line completes and reports whether the line ends the shell.
func (s *sqlShell) runLine(ctx context.Context, line string) (ends bool) {
	if command := strings.TrimRight(strings.TrimSpace(line), "; "); s.isShellCommand(command) {
		s.lines.addToHistory(command)
		switch command {
		case `\q`, "quit", "exit":
			return true
		}
		if err := s.runShellCommand(command); err != nil {
			s.printError(err)
		}
		return false
	}
	if s.entered != "" {
		s.entered += "\n"
	}
	s.entered += line
	s.pending = s.runCompleteStatements(ctx, s.pending+line+"\n")
	if s.pending == "" && strings.TrimSpace(s.entered) != "" {
		for _, entry := range historyEntriesOfStatementLines(s.entered) {
			s.lines.addToHistory(entry)
		}
	}
	if s.pending == "" {
		s.entered = ""
	}
	return false
}

// isShellCommand reports whether a line is a command: it begins with a backslash that no quote or comment holds, or is a
// word of other shells where no statement has begun.
func (s *sqlShell) isShellCommand(line string) bool {
	if strings.HasPrefix(line, `\`) {
		return s.pending == "" || wouldSemicolonEndStatement(s.pending)
	}
	return s.pending == "" && (line == "help" || line == "quit" || line == "exit" || commandOfOtherShells(line) != "")
}

// commandOfOtherShells returns the command that lists what a line of other shells lists; "" for another line.
func commandOfOtherShells(line string) string {
	words := strings.Fields(strings.ToLower(line))
	switch {
	case len(words) == 2 && words[0] == "show" && (words[1] == "tables" || words[1] == "relations"):
		return `\dt`
	case len(words) == 2 && (words[0] == "describe" || words[0] == "desc"):
		return `\d ` + strings.Fields(line)[1]
	}
	return ""
}

// runCompleteStatements runs the statements that have their semicolon and returns the rest.
func (s *sqlShell) runCompleteStatements(ctx context.Context, text string) (pending string) {
	for {
		statement, rest, complete := engine.SplitFirstSQLStatement(text)
		if !complete {
			if strings.TrimSpace(text) == "" {
				return ""
			}
			return text
		}
		if strings.Trim(statement, "; \t\n") != "" {
			s.runStatementInterruptibly(ctx, strings.TrimSpace(statement))
		}
		text = rest
	}
}

// runStatementInterruptibly runs a statement until it ends or Ctrl-C is pressed.
func (s *sqlShell) runStatementInterruptibly(ctx context.Context, statement string) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	switch err := s.runStatement(ctx, s.engine, s.flags, statement); {
	case err == nil:
	case ctx.Err() != nil:
		fmt.Fprintln(s.std.Err, "interrupted")
	default:
		s.printError(err)
	}
}

// runShellCommand runs a command that ends nothing.
func (s *sqlShell) runShellCommand(command string) error {
	name, argument, _ := strings.Cut(command, " ")
	argument = strings.TrimSpace(argument)
	switch {
	case name == `\dt`, name == `\d` && argument == "":
		return s.printRelationNames(s.engine.Relations())
	case name == `\d`:
		return s.printRelationByName(s.engine.Relations(), s.engine.Model().Name, argument)
	case name == `\?`, name == "help":
		fmt.Fprintln(s.std.Err, shellHelp)
		return nil
	}
	if meant := commandOfOtherShells(command); meant != "" {
		return fmt.Errorf("%s is not a command here: write %s", command, meant)
	}
	return fmt.Errorf("%s is not a command; the commands are %s", name, shellCommandsHelp)
}
