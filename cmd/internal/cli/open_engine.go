package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/engine"
)

// addFormatFlag adds --format with the formats that a command has.
func (a *app) addFormatFlag(cmd *cobra.Command, formats ...string) {
	list := ""
	for i, f := range formats {
		if i > 0 {
			list += "|"
		}
		list += f
	}
	cmd.Flags().StringVar(&a.format, formatFlagName, "", list+"; a table on a terminal, else json")
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		known := a.format == ""
		for _, f := range formats {
			known = known || f == a.format
		}
		if !known {
			wrong := a.format
			a.format = formatTable
			return newUsageError(fmt.Sprintf("--format must be one of %s, not %q", list, wrong))
		}
		if before != nil {
			return before(cmd, args)
		}
		return nil
	}
	a.addOutputFlag(cmd, formats)
}

const formatFlagName = "format"

// allowedOutputFormats returns the formats that --format of a command takes.
func allowedOutputFormats(f *pflag.Flag) []string {
	list, _, _ := strings.Cut(f.Usage, ";")
	return strings.Split(list, "|")
}

// openEngine opens the engine that the command's flags describe.
func (a *app) openEngine(ctx context.Context, cmd *cobra.Command) (*engine.Engine, settingsReader, error) {
	s, err := newSettingsReader(cmd)
	if err != nil {
		return nil, s, err
	}
	c, err := a.readEngineConfig(s, a.newCommandLogger())
	if err != nil {
		return nil, s, err
	}
	if err := s.readReader(&c); err != nil {
		return nil, s, err
	}
	e, err := engine.Open(ctx, c)
	if err == nil {
		a.printModelWasGeneratedNote(e, c)
	}
	cmd.SetContext(engine.WithQueryID(ctx, engine.NewQueryID())) // a command asks one query
	return e, s, err
}

// defaultConnectionName returns the connection of a query whose flags name none: the profile
// marked as the default, if there is one. A query of --json that names a connection or a dialect keeps it. An unreadable file might hold a default: then the
// query runs without it, and a warning is printed.
func (a *app) defaultConnectionName(s settingsReader, e *engine.Engine) string {
	if s.readText("db") != "" || len(e.DataFilesReport().Paths) > 0 {
		return ""
	}
	for _, flag := range []string{"dialect", "connection"} {
		if s.cmd.Flags().Changed(flag) {
			return ""
		}
	}
	a.unread = noConnectionsWarning(e)
	return e.ConnectionsFileReport().Default
}

// noConnectionsWarning explains why a connections file yields no connection, one line per
// reason; "" if it yields some or does not exist.
func noConnectionsWarning(e *engine.Engine) string {
	if len(e.Connections()) > 0 {
		return ""
	}
	report := e.ConnectionsFileReport()
	text := ""
	for _, w := range report.Warnings {
		text += report.Path + ": warning: " + terminalSafeLine(w) + "\n"
	}
	return text
}

// unreadConnectionsWarning returns the warning about the connections file, unless the query of --json names where it runs.
func (a *app) unreadConnectionsWarning() string {
	var keys map[string]json.RawMessage
	if json.Unmarshal(a.lastQuery.body, &keys) == nil && (keys["connection"] != nil || keys["dialect"] != nil) {
		return ""
	}
	return a.unread
}

// printModelWarnings prints what the authors of the model and of the connections should know. It goes to
// standard error and only after success, so that an error is printed alone.
func (a *app) printModelWarnings(e *engine.Engine) {
	fmt.Fprint(a.std.Err, a.unreadConnectionsWarning())
	for _, w := range e.DataFilesReport().Warnings {
		fmt.Fprintf(a.std.Err, "warning: %s\n", w)
	}
	for _, one := range groupFindings(e.Warnings(), warningGroupKey) {
		w := one.first
		fmt.Fprintf(a.std.Err, "%swarning: %s: %s%s%s\n", engine.MessagePositionPrefix(e.Model().Path, w.Position), w.Code, w.Message, locationInParentheses(w.Location), moreEqualWarningsText(len(one.rest)))
	}
}

// moreEqualWarningsText counts the warnings that are equal to one.
func moreEqualWarningsText(n int) string {
	if n == 0 {
		return ""
	}
	return "; and " + formatCountWithTitle(n, "more "+warningTitle) + " like it"
}

func locationInParentheses(location string) string {
	if location == "" {
		return ""
	}
	return " (" + location + ")"
}
