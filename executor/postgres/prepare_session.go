package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	standardStringsSetting = "standard_conforming_strings"
	encodingSetting        = "client_encoding"
	redshiftDialect        = "redshift"
)

// prepareSession runs once for each new connection.
func (o Options) prepareSession(ctx context.Context, conn *pgx.Conn) error {
	c := conn.PgConn()
	own, err := o.applySessionSettings(ctx, c)
	if err != nil {
		return err
	}
	c.CustomData()[statementTimeLimitCustomDataKey] = &statementTimeLimit{own: own, current: own}
	if o.Dialect != redshiftDialect && c.ParameterStatus(standardStringsSetting) != "on" {
		return driver.ConfigError("the server reads backslashes in literals as escapes and does not let the session change it", nil)
	}
	if !isUTF8EncodingName(c.ParameterStatus(encodingSetting)) {
		return driver.ConfigError("the server sends text in the encoding "+c.ParameterStatus(encodingSetting)+" and does not let the session change it to UTF-8", nil)
	}
	if o.Schema == "" {
		return nil
	}
	return runStatementDiscardingRows(ctx, c, "SET search_path = "+quoteIdentifier(o.Schema))
}

// applySessionSettings gives the settings their values. A server that does not take them all at once,
// as some relatives of PostgreSQL do not, is given one after the other, and keeps those that it
// rejects. own is the limit of a statement that the server has set, 0 for none.
func (o Options) applySessionSettings(ctx context.Context, c *pgconn.PgConn) (own time.Duration, err error) {
	list := redshiftSettings()
	if o.Dialect != redshiftDialect {
		list = append(sessionSettings(), clientConnectionCheckParameter())
		results, err := c.Exec(ctx, applySettingsAndReadLimitStatement(list)).ReadAll()
		if err == nil {
			return readServerTimeLimit(results), nil
		}
		if !isServerError(err) {
			return 0, err
		}
	}
	for _, s := range list {
		if err := runStatementDiscardingRows(ctx, c, s.setSettingStatement()); err != nil && !isServerError(err) {
			return 0, err
		}
	}
	results, err := c.Exec(ctx, "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'").ReadAll()
	if err != nil && !isServerError(err) {
		return 0, err
	}
	return readServerTimeLimit(results), nil
}

// isServerError reports whether the server answered with an error, and the connection lives.
func isServerError(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal)
}

// readServerTimeLimit reads the first value of the first row, in milliseconds.
func readServerTimeLimit(results []*pgconn.Result) time.Duration {
	if len(results) == 0 || len(results[0].Rows) == 0 || len(results[0].Rows[0]) == 0 {
		return 0
	}
	ms, err := strconv.ParseInt(string(results[0].Rows[0][0]), 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// isUTF8EncodingName recognises the servers' names of UTF-8. A server that does not report its encoding has
// no other.
func isUTF8EncodingName(name string) bool {
	switch strings.ToUpper(name) {
	case "UTF8", "UTF-8", "UNICODE", "":
		return true
	}
	return false
}

func runStatementDiscardingRows(ctx context.Context, c *pgconn.PgConn, sql string) error {
	_, err := c.Exec(ctx, sql).ReadAll()
	return err
}

func quoteIdentifier(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
