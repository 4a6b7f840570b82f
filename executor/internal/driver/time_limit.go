package driver

import (
	"context"
	"time"

	"github.com/semlayer/semlayer/executor"
)

const (
	// serverGracePeriod is how much longer than its caller a server may work: the caller's own way of
	// ending a statement comes first, with the better error.
	serverGracePeriod = 5 * time.Second
	// limitGranularity is the unit of limits. Calls with the same budget get the same limit, although the
	// time that they have used differs.
	limitGranularity = 5 * time.Second
)

// ServerTimeLimit returns how long the server may work on a statement whose rows are covered by the
// deadline of ctx, and 0 for no limit: without a deadline, or when the deadline covers only the
// first rows.
func ServerTimeLimit(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok || !executor.HasDeadlineForRows(ctx) {
		return 0
	}
	left := max(time.Until(deadline), 0)
	return left.Truncate(limitGranularity) + limitGranularity + serverGracePeriod
}
