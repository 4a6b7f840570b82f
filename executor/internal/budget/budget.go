package budget

import (
	"context"
	"time"

	"github.com/semlayer/semlayer/executor"
)

const (
	// grace is how much longer than its caller a server may work: the caller's own way of
	// ending a statement comes first, with the better error.
	grace = 5 * time.Second
	// limitStep is the unit of limits. Calls with the same budget get the same limit, although the
	// time that they have used differs.
	limitStep = 5 * time.Second
)

// Limit returns how long the server may work on a statement whose rows are covered by the
// deadline of ctx, and 0 for no limit: without a deadline, or when the deadline covers only the
// first rows.
func Limit(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok || !executor.RowsBounded(ctx) {
		return 0
	}
	left := max(time.Until(deadline), 0)
	return left.Truncate(limitStep) + limitStep + grace
}
