package localdb

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"time"
)

// ErrExternalServer reports that this package did not start the server and leaves it alone.
var ErrExternalServer = errors.New("the server was not started here")

// Restart ends the server at once, as a crash would, and starts it again with the
// same data at the same address. It returns when it accepts connections.
func (s *Server) Restart(ctx context.Context) error {
	if s.process == nil {
		return ErrExternalServer
	}
	if s.Engine == Postgres {
		// A killed postmaster leaves its children behind for a moment, and their
		// shared memory keeps the next one from starting.
		_ = s.process.Signal(syscall.SIGQUIT)
	} else {
		_ = s.process.Kill()
	}
	select {
	case <-s.exited:
	case <-time.After(5 * time.Second):
		_ = s.process.Kill()
		<-s.exited
	}
	l := s.launched
	// What the file does is done, and would fail the second time.
	l.args = slices.DeleteFunc(slices.Clone(l.args), func(a string) bool { return strings.HasPrefix(a, "--init-file=") })
	return s.launchAndAwaitReady(ctx, l.as, l.ready, l.name, l.args...)
}

// launchCommand is the command that started a server.
type launchCommand struct {
	as    *systemAccount
	ready func(context.Context) bool
	name  string
	args  []string
}
