package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// commandRunner runs commands. One command may measure several promises: it runs once.
type commandRunner struct {
	root    string
	report  io.Writer
	short   bool
	machine string
	commit  string
	done    map[string]commandRun
}

// commandRun is a run and its output.
type commandRun struct {
	testOutput
	promiseRun
}

func newCommandRunner(ctx context.Context, root string, report io.Writer, short bool) *commandRunner {
	return &commandRunner{root: root, report: report, short: short, machine: describeMachine(), commit: currentCommit(ctx, root), done: map[string]commandRun{}}
}

// measurePromise runs the command of a promise and keeps the values that it speaks of. The
// error is one of the tool: a command that fails is a result.
func (m *commandRunner) measurePromise(ctx context.Context, x promise) (promiseRun, error) {
	key := x.run.reproduceCommandLine(m.short)
	if _, is := m.done[key]; !is {
		fmt.Fprintf(m.report, "%-12s %s\n", x.name, key)
		ran, err := m.runCommandOnce(ctx, x.run)
		if err != nil {
			return promiseRun{}, err
		}
		m.done[key] = ran
	}
	ran := m.done[key]
	r := ran.promiseRun
	rows, err := regexp.Compile(x.rows)
	if err != nil {
		return promiseRun{}, fmt.Errorf("%s: %w", x.name, err)
	}
	for _, e := range ran.events {
		if rows.MatchString(e.Test) && slices.ContainsFunc(x.figures, func(f figureDefinition) bool { return f.key == e.Key }) {
			r.Events = append(r.Events, e)
		}
	}
	return r, nil
}

func (m *commandRunner) runCommandOnce(ctx context.Context, c measurementCommand) (commandRun, error) {
	words := c.programAndArguments(m.short)
	if c.script == nil {
		goTool := "go"
		if own := os.Getenv("GO"); own != "" {
			goTool = own
		}
		words = slices.Concat([]string{goTool, "test", "-json"}, words[2:])
	} else {
		words[0] = filepath.Join(m.root, words[0])
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = filepath.Join(m.root, filepath.FromSlash(c.dir))
	cmd.Env = append(os.Environ(), c.environmentSettings(m.short, os.LookupEnv)...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return commandRun{}, err
	}
	before, begun := systemProcessorBusyTime(), time.Now()
	if err := cmd.Start(); err != nil {
		return commandRun{}, err
	}
	said, readErr := parseTestOutput(pipe)
	ended := cmd.Wait()
	if ctx.Err() != nil {
		return commandRun{}, ctx.Err()
	}
	took := time.Since(begun)
	r := promiseRun{
		Command: c.reproduceCommandLine(m.short), Date: begun.UTC().Format(time.DateOnly), Commit: m.commit, Machine: m.machine, Short: m.short,
		Seconds: math.Round(took.Seconds()*10) / 10,
		Others:  otherProcessesShare(before, took, cmd.ProcessState),
		Failure: said.failureText(ended),
	}
	if readErr != nil && r.Failure == "" {
		r.Failure = "its output could not be read"
	}
	if r.Failure != "" {
		fmt.Fprintln(m.report, strings.Join(said.failureLines(), "\n"))
	}
	return commandRun{said, r}, nil
}

// failureText returns a short reason why a run proves nothing, "" if it succeeded.
func (o testOutput) failureText(ended error) string {
	switch {
	case len(o.failed) > 1:
		return fmt.Sprintf("%d tests failed, the first of them %s", len(o.failed), o.failed[0])
	case len(o.failed) > 0:
		return o.failed[0] + " failed"
	case ended != nil:
		return "the command ended with " + ended.Error()
	case o.broken:
		return "a package failed"
	}
	return ""
}
