package integration_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
)

// requestLog is a handler of log records that keeps the outcome of each request.
type requestLog struct {
	mu       sync.Mutex
	outcomes []requestOutcome
}

// requestOutcome is the status and the code in the log line of a request.
type requestOutcome struct {
	status int64
	code   string
}

func (*requestLog) Enabled(context.Context, slog.Level) bool { return true }
func (l *requestLog) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l *requestLog) WithGroup(string) slog.Handler          { return l }

func (l *requestLog) Handle(_ context.Context, r slog.Record) error {
	var o requestOutcome
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "status":
			o.status = a.Value.Int64()
		case "code":
			o.code = a.Value.String()
		}
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outcomes = append(l.outcomes, o)
	return nil
}

// await waits until a request has ended with the status and the code.
func (l *requestLog) await(t *testing.T, status int, code string) {
	t.Helper()
	want := requestOutcome{status: int64(status), code: code}
	testwait.Until(t, fmt.Sprintf("the log has %+v", want), func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return slices.Contains(l.outcomes, want)
	})
}

// disconnectClient sends the request and hangs up while it executes.
func disconnectClient(t *testing.T, e *engine.Engine, r *http.Request) {
	t.Helper()
	ctx, hangUp := context.WithCancel(r.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if response, err := http.DefaultClient.Do(r.WithContext(ctx)); err == nil {
			_ = response.Body.Close()
		}
	}()
	testwait.Until(t, "the request executes", func() bool { return e.RunningExecutions() > 0 })
	hangUp()
	<-ended
}
