package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	beginTransactionSQL = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY NOT DEFERRABLE; "
	// rollbackTimeout bounds the end of a transaction; a server that takes longer loses the
	// connection.
	rollbackTimeout = 10 * time.Second
)

// settingsTransactions give statements on connections of a shared pool the settings of the executor's
// sessions, for as long as the statement runs:
//
//	BEGIN READ ONLY ─► SET LOCAL … ─► statement ─► ROLLBACK
type settingsTransactions struct {
	schema string

	mu    sync.Mutex
	known map[string]string // the SET LOCAL statements, by the version of the server
}

// beginTransaction opens the transaction of one statement. limit is how long the server may work on it,
// 0 for the session's own limit; a lower limit of the session is kept.
func (t *settingsTransactions) beginTransaction(ctx context.Context, c *pgconn.PgConn, limit time.Duration) error {
	if c.TxStatus() != 'I' {
		return driver.ConfigError("a connection of the pool is inside a transaction when it is acquired", nil)
	}
	set, err := t.applySessionSettings(ctx, c)
	if err != nil {
		return err
	}
	if limit > 0 {
		set += lowerTimeLimitStatement(limit)
	}
	if isUTF8EncodingName(c.ParameterStatus(encodingSetting)) {
		set = beginTransactionSQL + set
	} else if err := runStatementDiscardingRows(ctx, c, beginTransactionSQL+serverParameter{encodingSetting, "UTF8"}.setLocalSettingStatement()); err != nil {
		return settingsRejectedError(err)
	}
	if err := runStatementDiscardingRows(ctx, c, set); err != nil {
		if isServerError(err) {
			t.forgetSettingsOfServerVersion(c)
		}
		return settingsRejectedError(err)
	}
	if c.ParameterStatus(standardStringsSetting) != "on" || !isUTF8EncodingName(c.ParameterStatus(encodingSetting)) {
		return driver.ConfigError("the server of the pool does not take the settings "+standardStringsSetting+" and "+encodingSetting, nil)
	}
	return nil
}

// settingsRejectedError returns the error for a statement that failed to open a transaction.
func settingsRejectedError(err error) error {
	if isServerError(err) {
		return driver.ConfigError("the server of the pool does not take the settings that a statement needs", err)
	}
	return err
}

// applySessionSettings runs the statements that set the supported settings, for the rest of a transaction.
func (t *settingsTransactions) applySessionSettings(ctx context.Context, c *pgconn.PgConn) (string, error) {
	version := c.ParameterStatus("server_version")
	t.mu.Lock()
	text, ok := t.known[version]
	t.mu.Unlock()
	if ok {
		return text, nil
	}
	results, err := c.Exec(ctx, "SELECT lower(name) FROM pg_settings").ReadAll()
	if err != nil {
		return "", settingsRejectedError(err)
	}
	var names []string
	for _, row := range results[0].Rows {
		names = append(names, string(row[0]))
	}
	var b strings.Builder
	for _, s := range append(sessionSettings(), clientConnectionCheckParameter()) {
		if slices.Contains(names, strings.ToLower(s.name)) {
			b.WriteString(s.setLocalSettingStatement())
		}
	}
	if t.schema != "" {
		b.WriteString("SET LOCAL search_path = " + quoteIdentifier(t.schema) + "; ")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]string{}
	}
	t.known[version] = b.String()
	return b.String(), nil
}

// forgetSettingsOfServerVersion drops what was learned of a server that rejects it by now.
func (t *settingsTransactions) forgetSettingsOfServerVersion(c *pgconn.PgConn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.known, c.ParameterStatus("server_version"))
}

// setLocalSettingStatement returns the statement for one setting until the end of the transaction.
func (s serverParameter) setLocalSettingStatement() string {
	return "SET LOCAL " + s.name + " = '" + s.value + "'; "
}

// lowerTimeLimitStatement returns the statement that lowers the limit of a statement for the rest of the
// transaction.
func lowerTimeLimitStatement(limit time.Duration) string {
	ms := strconv.FormatInt(limit.Milliseconds(), 10)
	const own = "current_setting('statement_timeout')"
	return "SELECT set_config('statement_timeout', CASE WHEN " + own + " <> '0' AND CAST(" + own + " AS interval) < interval '" + ms +
		" milliseconds' THEN " + own + " ELSE '" + ms + "' END, true)"
}
