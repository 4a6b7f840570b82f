package engine

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/semlayer/semlayer/executor"
)

const (
	// failureCauseLogInterval is how often the cause of one connection's failures is logged at most.
	failureCauseLogInterval    = time.Second
	maxLoggedFailureCauseBytes = 1000
)

// failureCauseLogLimiter remembers when the cause of a failure was logged, by connection.
type failureCauseLogLimiter struct {
	mu   sync.Mutex
	last map[string]time.Time
}

func (c *failureCauseLogLimiter) mayLogNow(connection string, now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.last[connection]) < failureCauseLogInterval {
		return false
	}
	if c.last == nil {
		c.last = map[string]time.Time{}
	}
	c.last[connection] = now
	return true
}

// toLoggedExecuteError is toExecuteError for what a warehouse did. Why a connection cannot be made or is
// rejected goes to the log: the response holds the class of it alone.
func (e *Engine) toLoggedExecuteError(ctx context.Context, t compileTarget, err error) error {
	coded := e.toExecuteError(ctx, err)
	var failure *executor.Error
	if t.connection == nil || !errors.As(coded, &failure) {
		return coded
	}
	switch failure.Code {
	case executor.CodeConnection, executor.CodeAuth, executor.CodeConfig:
		cause, name := failure.CauseForLog(), t.connection.info.Name
		if cause != "" && e.warehouses.causes.mayLogNow(name, time.Now()) {
			e.log.LogAttrs(ctx, slog.LevelWarn, "a connection failed", slog.String("connection", name),
				slog.String("code", failure.Code), slog.String("cause", strings.ToValidUTF8(cause[:min(len(cause), maxLoggedFailureCauseBytes)], "")))
		}
	}
	return coded
}
