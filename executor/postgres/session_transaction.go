package postgres

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// beginSessionTransaction opens the transaction of a statement that runs in a session, on a connection that has no other:
//
//	BEGIN READ ONLY ─► SET LOCAL ROLE … ─► set_config(…, true) ─► statement ─► ROLLBACK
//
// What is local to a transaction ends with it. RESET ALL would not do: it resets no role.
func beginSessionTransaction(ctx context.Context, c *pgconn.PgConn) error {
	if c.TxStatus() != 'I' {
		return driver.DriverFailureError("a connection of the pool is inside a transaction when it is acquired", nil)
	}
	return runStatementDiscardingRows(ctx, c, beginTransactionSQL)
}

// applySession gives the open transaction the role and the settings of a session. A role is a name and no value, so that it cannot be
// bound.
func applySession(ctx context.Context, c *pgconn.PgConn, s *executor.Session) error {
	if s.Role != "" {
		if err := runStatementDiscardingRows(ctx, c, "SET LOCAL ROLE "+quoteIdentifier(s.Role)); err != nil {
			return sessionRefusedError(err)
		}
	}
	if len(s.Settings) == 0 {
		return nil
	}
	calls := make([]string, len(s.Settings))
	values := make([][]byte, 0, 2*len(s.Settings))
	for i, setting := range s.Settings {
		calls[i] = "set_config($" + strconv.Itoa(2*i+1) + ", $" + strconv.Itoa(2*i+2) + ", true)"
		values = append(values, []byte(setting.Name), []byte(setting.Value))
	}
	_, err := c.ExecParams(ctx, "SELECT "+strings.Join(calls, ", "), values, nil, nil, nil).Close()
	return sessionRefusedError(err)
}

// sessionRefusedError is the error of a server that does not take the role or a setting. Its own words may hold them.
func sessionRefusedError(err error) error {
	if err == nil || !isServerError(err) {
		return err
	}
	return &executor.Error{Code: executor.CodeAuth, Message: "the warehouse did not accept the role and the settings of the session", Err: err}
}

// endTransaction leaves the connection as it was. One on which that fails is closed.
func endTransaction(ctx context.Context, c *pgconn.PgConn) {
	if c.IsClosed() || c.TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rollbackTimeout)
	defer cancel()
	if err := runStatementDiscardingRows(ctx, c, "ROLLBACK"); err != nil || c.TxStatus() != 'I' {
		_ = c.Close(ctx)
	}
}
