package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/internal/execerr"
)

const (
	plainLiterals   = "standard_conforming_strings"
	encodingSetting = "client_encoding"
	redshift        = "redshift"
)

// prepareSession runs once for each new connection.
func (o Options) prepareSession(ctx context.Context, conn *pgx.Conn) error {
	c := conn.PgConn()
	own, err := o.applySettings(ctx, c)
	if err != nil {
		return err
	}
	c.CustomData()[limitKey] = &statementLimit{own: own, current: own}
	if o.Dialect != redshift && c.ParameterStatus(plainLiterals) != "on" {
		return execerr.Config("the server reads backslashes in literals as escapes and does not let the session change it", nil)
	}
	if !isUTF8(c.ParameterStatus(encodingSetting)) {
		return execerr.Config("the server sends text in the encoding "+c.ParameterStatus(encodingSetting)+" and does not let the session change it to UTF-8", nil)
	}
	if o.Schema == "" {
		return nil
	}
	return run(ctx, c, "SET search_path = "+quoteIdentifier(o.Schema))
}

// applySettings gives the settings their values. A server that does not take them all at once,
// as some relatives of PostgreSQL do not, is given one after the other, and keeps those that it
// refuses. own is the limit of a statement that the server has set, 0 for none.
func (o Options) applySettings(ctx context.Context, c *pgconn.PgConn) (own time.Duration, err error) {
	list := redshiftSettings()
	if o.Dialect != redshift {
		list = append(sessionSettings(), clientCheckSetting())
		results, err := c.Exec(ctx, settingsStatement(list)).ReadAll()
		if err == nil {
			return readServerLimit(results), nil
		}
		if !isServerError(err) {
			return 0, err
		}
	}
	for _, s := range list {
		if err := run(ctx, c, s.set()); err != nil && !isServerError(err) {
			return 0, err
		}
	}
	results, err := c.Exec(ctx, "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'").ReadAll()
	if err != nil && !isServerError(err) {
		return 0, err
	}
	return readServerLimit(results), nil
}

// isServerError reports whether the server answered with an error, and the connection lives.
func isServerError(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal)
}

// readServerLimit reads the first value of the first row, in milliseconds.
func readServerLimit(results []*pgconn.Result) time.Duration {
	if len(results) == 0 || len(results[0].Rows) == 0 || len(results[0].Rows[0]) == 0 {
		return 0
	}
	ms, err := strconv.ParseInt(string(results[0].Rows[0][0]), 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// isUTF8 recognises the servers' names of UTF-8. A server that does not report its encoding has
// no other.
func isUTF8(name string) bool {
	switch strings.ToUpper(name) {
	case "UTF8", "UTF-8", "UNICODE", "":
		return true
	}
	return false
}

func run(ctx context.Context, c *pgconn.PgConn, sql string) error {
	_, err := c.Exec(ctx, sql).ReadAll()
	return err
}

func quoteIdentifier(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
