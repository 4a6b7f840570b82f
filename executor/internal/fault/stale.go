package fault

import (
	"context"
	"time"
)

// AtOnce bounds how long a connection that is dead takes to show it. One that breaks
// later may have carried the statement.
const AtOnce = 100 * time.Millisecond

// PastStale tries to start a statement until a connection carries or refuses it. stale
// says that a connection had stood idle and broke at once, and another may be in better
// shape. Each turn gives up one connection, so a pool runs out of stale ones.
func PastStale[R any](ctx context.Context, try func() (r R, stale bool, err error)) (R, error) {
	for {
		r, stale, err := try()
		if err == nil || !stale || ctx.Err() != nil {
			return r, err
		}
	}
}
