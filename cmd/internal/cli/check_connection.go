package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/semlayer/semlayer/engine"
)

// maxParallelChecks bounds the connections that are checked side by side.
const maxParallelChecks = 4

// checkFlagCombinations are the flags of check that belong to one of its two forms.
var (
	flagsOnlyForServerCheck     = []string{"url", "auth-token", tokenFileFlag}
	flagsOnlyForConnectionCheck = []string{"model", "sem-vendor", "sem-basic", "connections"}
)

// checksConnectionsNotServer reports whether the command line asks to check connections and not a
// server. Flags that have no effect are rejected.
func checksConnectionsNotServer(s settingsReader) (bool, error) {
	all, err := s.readBoolean("all")
	if err != nil {
		return false, err
	}
	given := s.cmd.Flags().Changed
	named := given("connection")
	if named && all {
		return false, newUsageError("--connection and --all are mutually exclusive")
	}
	without, because := flagsOnlyForConnectionCheck, "is for a check of connections: add --connection NAME or --all"
	if named || all {
		without, because = flagsOnlyForServerCheck, "is for a check of a server, and --connection and --all check no server"
	}
	for _, flag := range without {
		if given(flag) {
			return false, newUsageError("--" + flag + " " + because)
		}
	}
	return named || all, nil
}

// checkConnections checks the connections that the command line names, in this
// process. It prints the sound ones to standard output and the others to standard
// error.
func (a *app) checkConnections(ctx context.Context, s settingsReader) error {
	timeout, err := s.readSeconds("timeout-secs")
	if err != nil {
		return err
	}
	c, err := a.readEngineConfig(s, a.newCommandLogger())
	if err != nil {
		return err
	}
	e, err := engine.Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	names := []string{s.readText("connection")}
	if s.readText("connection") == "" {
		if names, err = allConnectionNames(e); err != nil {
			return err
		}
	}
	results := make([]connectionCheckResult, len(names))
	slots := make(chan struct{}, maxParallelChecks)
	var running sync.WaitGroup
	for i, name := range names {
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] = checkConnection(ctx, e, name, timeout)
		})
	}
	running.Wait()
	failed := false
	for i, r := range results {
		if r.err != nil {
			return r.err
		}
		failed = failed || !r.OK()
		a.printConnectionCheck(names[i], r)
	}
	if failed {
		return errFailureAlreadyPrinted
	}
	return nil
}

type connectionCheckResult struct {
	engine.ConnectionCheck
	took time.Duration
	err  error // the connection does not exist
}

// allConnectionNames lists the connections of the file.
func allConnectionNames(e *engine.Engine) ([]string, error) {
	var names []string
	for _, c := range e.Connections() {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		why := "no connections are configured"
		if unread := noConnectionsWarning(e); unread != "" {
			why = strings.TrimSuffix(unread, "\n")
		}
		return nil, errors.New("not well: " + why)
	}
	return names, nil
}

func checkConnection(ctx context.Context, e *engine.Engine, name string, timeout time.Duration) connectionCheckResult {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	begun := time.Now()
	c, err := e.CheckConnection(ctx, name)
	return connectionCheckResult{c, time.Since(begun), err}
}

// printConnectionCheck prints the result of one connection: one line when it is sound, else a line
// for each failure.
func (a *app) printConnectionCheck(name string, r connectionCheckResult) {
	about := fmt.Sprintf("connection %s (%s)", name, r.Dialect)
	switch {
	case r.Err != nil:
		fmt.Fprintf(a.std.Err, "not well: %s: %s\n", about, errorTextWithHint(r.Err))
	case r.OK():
		fmt.Fprintf(a.std.Out, "ok: %s: SELECT 1 and %s (%d ms)\n", about, formatCountOfNoun(len(r.Sources), "source"), r.took.Milliseconds())
	}
	for _, s := range r.Sources {
		if len(s.Caseless) > 0 {
			fmt.Fprintf(a.std.Err, "warning: %s: dataset %s: 'north' and 'North' are one group in %s: %s\n",
				about, s.Dataset, formatCountOfNoun(len(s.Caseless), "text field"), strings.Join(s.Caseless, ", "))
		}
	}
	for _, s := range r.FailedSources() {
		fmt.Fprintf(a.std.Err, "not well: %s: dataset %s (%s): %s\n", about, s.Dataset, shortenTableSource(terminalSafeLine(s.Source)), errorTextWithHint(s.Err))
	}
}

// errorTextWithHint returns an error with its hint, in one line.
func errorTextWithHint(err error) string {
	text := terminalSafeLine(err.Error())
	var own *engine.ExecuteError
	if errors.As(err, &own) && own.Hint != "" {
		text += " (" + terminalSafeLine(own.Hint) + ")"
	}
	return text
}

func formatCountOfNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shortenTableSource shortens the text of a source, which may be a long query.
func shortenTableSource(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
