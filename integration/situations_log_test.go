package integration_test

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
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
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		got := slices.Clone(l.outcomes)
		l.mu.Unlock()
		if slices.Contains(got, want) {
			return
		}
		if time.Since(begun) > 10*time.Second {
			t.Fatalf("the log has %+v, want %+v", got, want)
		}
	}
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
	for begun := time.Now(); e.RunningExecutions() == 0; time.Sleep(time.Millisecond) {
		if time.Since(begun) > 10*time.Second {
			t.Error("nothing executes")
			break
		}
	}
	hangUp()
	<-ended
}
