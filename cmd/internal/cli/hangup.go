package cli

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// ignoreHangups keeps SIGHUP from ending the process, and logs each. The function that it
// returns gives the signal its usual effect back.
func ignoreHangups(log *slog.Logger) (stop func()) {
	hangups, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-hangups:
				log.Warn("SIGHUP is ignored: restart the server to load another model or other connections")
			case <-stopped:
				return
			}
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(stopped)
	}
}
