package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/internal/fault"
)

const (
	plainLiterals = "standard_conforming_strings"
	readOnly      = "SET default_transaction_read_only = on"
	redshift      = "redshift"
	roundCasts    = "SET enable_numeric_rounding TO on"
)

// prepareSession runs once for each new connection.
func (o Options) prepareSession(ctx context.Context, conn *pgx.Conn) error {
	c := conn.PgConn()
	var refusal *pgconn.PgError
	switch {
	case o.Dialect == redshift:
		// It has no such literals, and its dialect knows. Its casts cut digits off
		// unless they are told to round.
		if err := run(ctx, c, roundCasts); err != nil && !errors.As(err, &refusal) {
			return err
		}
	case c.ParameterStatus(plainLiterals) != "on":
		if err := run(ctx, c, "SET "+plainLiterals+" = on"); err != nil {
			return fault.Config("the server reads backslashes in literals as escapes and cannot be told otherwise", err)
		}
	}
	// Some relatives of PostgreSQL know no read-only sessions. It is a second
	// lock on a door that generated SELECTs do not try.
	if err := run(ctx, c, readOnly); err != nil && !errors.As(err, &refusal) {
		return err
	}
	if o.Schema == "" {
		return nil
	}
	return run(ctx, c, "SET search_path = "+quoteIdentifier(o.Schema))
}

func run(ctx context.Context, c *pgconn.PgConn, sql string) error {
	_, err := c.Exec(ctx, sql).ReadAll()
	return err
}

func quoteIdentifier(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
