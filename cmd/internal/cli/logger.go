package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/logqueue"
	"github.com/semlayer/semlayer/cmd/internal/settings"
)

func addLogFlags(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), "log-format", "log-level")
}

// newLogger makes the logger that the settings describe.
func (s settingsReader) newLogger(to io.Writer) (*slog.Logger, error) {
	const levelFlag, formatFlag = "log-level", "log-format"
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[s.readText(levelFlag)]
	if !ok {
		return nil, newUsageError(fmt.Sprintf("%s must be debug, info, warn or error, not %q", flagAndEnvVariableText(levelFlag), s.readText(levelFlag)))
	}
	options := &slog.HandlerOptions{Level: level}
	switch s.readText(formatFlag) {
	case "text":
		return slog.New(slog.NewTextHandler(to, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(to, options)), nil
	}
	return nil, newUsageError(fmt.Sprintf("%s must be text or json, not %q", flagAndEnvVariableText(formatFlag), s.readText(formatFlag)))
}

// newCommandLogger returns the log of a command that ends with its result. A program that reads
// the error as JSON gets it alone; a person also gets the cause of a failed connection.
func (a *app) newCommandLogger() *slog.Logger {
	level := slog.LevelWarn
	if a.effectiveOutputFormat() != formatTable {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(a.std.Err, &slog.HandlerOptions{Level: level}))
}

// queueLog puts a queue in front of standard error for a command that serves, so that no request waits for the reader
// of the log, and a reader that ends does not end the server.
func (a *app) queueLog() {
	signal.Ignore(syscall.SIGPIPE)
	a.log = logqueue.New(a.std.Err)
	a.std.Err = a.log
}

// closeLog writes the rest of the log.
func (a *app) closeLog() {
	if a.log == nil {
		return
	}
	a.log.Close()
	signal.Reset(syscall.SIGPIPE)
}

// droppedLogLinesCounter returns the measurement of the log.
func (a *app) droppedLogLinesCounter() prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "semlayer_log_lines_dropped_total", Help: "Lines of the log that were dropped: standard error had no reader, or was closed.",
	}, func() float64 { return float64(a.log.Dropped()) })
}
