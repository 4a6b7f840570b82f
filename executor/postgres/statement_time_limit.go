package postgres

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// statementTimeLimitCustomDataKey is the key under which a connection keeps its statementTimeLimit.
const statementTimeLimitCustomDataKey = "semlayer.limit"

// statementTimeLimit is how long the server lets a statement of the connection run.
type statementTimeLimit struct {
	own     time.Duration // the server's own, 0 for none
	current time.Duration
	refused bool // the server has no such limit
}

// setStatementTimeLimit makes the server end the statement soon after its time, in case the service is
// gone by then. It sends the limit only when it changes, which with a constant budget is once
// for each connection. The server's own limit is kept when it is lower; 0 means no limit.
func setStatementTimeLimit(ctx context.Context, c *pgconn.PgConn, want time.Duration) error {
	l, ok := c.CustomData()[statementTimeLimitCustomDataKey].(*statementTimeLimit)
	if !ok || l.refused {
		return nil
	}
	if l.own > 0 && (want == 0 || l.own < want) {
		want = l.own
	}
	if want == l.current {
		return nil
	}
	err := runStatementDiscardingRows(ctx, c, "SET statement_timeout = "+strconv.FormatInt(want.Milliseconds(), 10))
	if err != nil && !isServerError(err) {
		return err
	}
	l.current, l.refused = want, err != nil
	return nil
}
