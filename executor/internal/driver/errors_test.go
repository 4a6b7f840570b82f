package driver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

func TestContext_ReportsHowItEnded(t *testing.T) {
	if err := driver.ContextError(t.Context()); err != nil {
		t.Fatalf("a living context: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	expired, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	for ctx, cause := range map[context.Context]error{cancelled: context.Canceled, expired: context.DeadlineExceeded} {
		err := driver.ContextError(ctx)
		var e *executor.Error
		if !errors.As(err, &e) || e.Code != executor.CodeTimeout || !errors.Is(err, cause) {
			t.Errorf("got %v, want timeout wrapping %v", err, cause)
		}
	}
}

func TestConnection_ErrorHidesAddress(t *testing.T) {
	t.Run("a connection error names the reason and not the address", func(t *testing.T) {
		const host = "db.internal.example"
		tests := []struct {
			cause error
			want  string
		}{
			{&net.DNSError{Name: host, IsNotFound: true}, "does not resolve"},
			{&net.OpError{Op: "dial", Addr: &net.UnixAddr{Name: host}, Err: syscall.ECONNREFUSED}, "refuses"},
			{fmt.Errorf("read %s: %w", host, syscall.ECONNRESET), "reset"},
			{fmt.Errorf("%s: %w", host, io.ErrUnexpectedEOF), "closed"},
			{fmt.Errorf("%s: %w", host, context.DeadlineExceeded), "in time"},
			{errors.New(host), "protocol"},
			{fmt.Errorf("%s: %w", host, errors.Join(errors.New("server refused TLS connection"), context.DeadlineExceeded)), "in time"},
		}
		for _, tt := range tests {
			for _, err := range []error{driver.ConnectionError(tt.cause), driver.ConnectionLostError(tt.cause)} {
				if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), host) {
					t.Errorf("%v: got %q, want %q and no host", tt.cause, err, tt.want)
				}
				if !errors.Is(err, tt.cause) {
					t.Errorf("%v: the cause is lost", tt.cause)
				}
			}
		}
	})
}

func TestErrors_CodePerError(t *testing.T) {
	tests := map[string]error{
		executor.CodeSQLRejected: driver.SQLRejectedError("text", nil),
		executor.CodeDriver:      driver.DriverFailureError("text", nil),
		executor.CodeConfig:      driver.ConfigError("text", nil),
		executor.CodeAuth:        driver.AuthError("28P01", nil),
		executor.CodeConnection:  driver.ConnectionError(io.EOF),
	}
	for want, err := range tests {
		var e *executor.Error
		if !errors.As(err, &e) || e.Code != want {
			t.Errorf("got %v, want code %s", err, want)
		}
	}
}

// due has met its deadline and not noticed.
type due struct{ context.Context }

func (due) Deadline() (time.Time, bool) { return time.Now().Add(-time.Microsecond), true }

func TestContext_PassedDeadlineIsTimeout(t *testing.T) {
	t.Run("a passed deadline is a timeout even before the context reports it", func(t *testing.T) {
		var told *executor.Error
		if err := driver.ContextError(due{t.Context()}); !errors.As(err, &told) || told.Code != executor.CodeTimeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}
