package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyHangupSignals keeps SIGHUP from ending the process and returns the signals. Those that come while one
// waits are one. stop gives the signal its usual effect back.
func notifyHangupSignals() (hangups <-chan os.Signal, stop func()) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	return caught, func() { signal.Stop(caught) }
}
