package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

var errInterrupted = errors.New("interrupted")

// ContextUntilSignal returns a context that ends when the process is interrupted or asked to
// end. A second signal ends the process at once.
func ContextUntilSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case received := <-signals:
			signal.Stop(signals)
			if received == os.Interrupt {
				cancel(errInterrupted)
			}
			cancel(nil)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// isInterrupted reports whether a context of ContextUntilSignal ended by Ctrl-C.
func isInterrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errInterrupted) }

// contextIgnoringInterrupts returns a context that ends with ctx, but not by Ctrl-C, and by a request to end. ContextUntilSignal
// ends its context by the first signal of either kind and waits for no other.
func contextIgnoringInterrupts(ctx context.Context) (context.Context, func()) {
	kept, cancel := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt) // so that a second Ctrl-C does not end the process
	stop := context.AfterFunc(ctx, func() {
		if !isInterrupted(ctx) {
			cancel()
		}
	})
	return kept, func() {
		stop()
		signal.Stop(interrupts)
		cancel()
	}
}

// notifyHangupSignals keeps SIGHUP from ending the process and returns the signals. Those that come while one
// waits are one. stop gives the signal its usual effect back.
func notifyHangupSignals() (hangups <-chan os.Signal, stop func()) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	return caught, func() { signal.Stop(caught) }
}
