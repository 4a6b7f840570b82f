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

// meter runs commands. One command may measure several promises: it runs once.
type meter struct {
	root    string
	report  io.Writer
	short   bool
	machine string
	commit  string
	done    map[string]measurement
}

// measurement is a run and its output.
type measurement struct {
	output
	result
}

func newMeter(ctx context.Context, root string, report io.Writer, short bool) *meter {
	return &meter{root: root, report: report, short: short, machine: machineName(), commit: currentCommit(ctx, root), done: map[string]measurement{}}
}

// measure runs the command of a promise and keeps the values that it speaks of. The
// error is one of the tool: a command that fails is a result.
func (m *meter) measure(ctx context.Context, x promise) (result, error) {
	key := x.run.text(m.short)
	if _, is := m.done[key]; !is {
		fmt.Fprintf(m.report, "%-12s %s\n", x.name, key)
		ran, err := m.execute(ctx, x.run)
		if err != nil {
			return result{}, err
		}
		m.done[key] = ran
	}
	ran := m.done[key]
	r := ran.result
	rows, err := regexp.Compile(x.rows)
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", x.name, err)
	}
	for _, e := range ran.events {
		if rows.MatchString(e.Test) && slices.ContainsFunc(x.figures, func(f figure) bool { return f.key == e.Key }) {
			r.Events = append(r.Events, e)
		}
	}
	return r, nil
}

func (m *meter) execute(ctx context.Context, c command) (measurement, error) {
	words := c.words(m.short)
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
	cmd.Env = append(os.Environ(), c.settings(m.short, os.LookupEnv)...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return measurement{}, err
	}
	before, begun := busyTime(), time.Now()
	if err := cmd.Start(); err != nil {
		return measurement{}, err
	}
	said, readErr := collect(pipe)
	ended := cmd.Wait()
	if ctx.Err() != nil {
		return measurement{}, ctx.Err()
	}
	took := time.Since(begun)
	r := result{
		Command: c.text(m.short), Date: begun.UTC().Format(time.DateOnly), Commit: m.commit, Machine: m.machine, Short: m.short,
		Seconds: math.Round(took.Seconds()*10) / 10,
		Others:  otherProcessesShare(before, took, cmd.ProcessState),
		Failure: said.failure(ended),
	}
	if readErr != nil && r.Failure == "" {
		r.Failure = "its output could not be read"
	}
	if r.Failure != "" {
		fmt.Fprintln(m.report, strings.Join(said.reason(), "\n"))
	}
	return measurement{said, r}, nil
}

// failure is a short reason why a run proves nothing, "" if it succeeded.
func (o output) failure(ended error) string {
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
