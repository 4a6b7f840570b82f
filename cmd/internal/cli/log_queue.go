package cli

import (
	"os/signal"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/cmd/internal/logqueue"
)

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
