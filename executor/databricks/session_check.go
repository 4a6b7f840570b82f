package databricks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// sessionSettingsCheckCache remembers that the warehouse's settings are the ones that statements
// are written for.
type sessionSettingsCheckCache struct {
	lock chan struct{} // holds one
	fine bool
}

func newSessionSettingsCheckCache() sessionSettingsCheckCache {
	return sessionSettingsCheckCache{lock: make(chan struct{}, 1)}
}

// utcZoneNames are the names that the zone has.
var utcZoneNames = []string{"UTC", "ETC/UTC", "Z", "GMT", "+00:00"}

// checkTimeZoneAndANSIMode queries the settings unless an earlier check found them right. A warehouse that does
// not report its mode has the default of Databricks.
func (c *client) checkTimeZoneAndANSIMode(ctx context.Context) error {
	select {
	case c.settings.lock <- struct{}{}:
	case <-ctx.Done():
		return driver.ContextError(ctx)
	}
	defer func() { <-c.settings.lock }()
	if c.settings.fine {
		return nil
	}
	zone, err := c.queryOneValue(ctx, "SELECT current_timezone()")
	if err != nil {
		return err
	}
	if !slices.Contains(utcZoneNames, strings.ToUpper(zone)) {
		return wrongSettingError("the warehouse's time zone is not UTC", "TIMEZONE to UTC")
	}
	ansi, err := c.queryOneValue(ctx, "SET ANSI_MODE")
	var refused *executor.Error
	if errors.As(err, &refused) && refused.Code != executor.CodeSQLRejected {
		return err
	}
	if strings.EqualFold(ansi, "false") {
		return wrongSettingError("the warehouse is not in ANSI mode, and would let numbers overflow in silence", "ANSI_MODE to true")
	}
	c.settings.fine = true
	return nil
}

func wrongSettingError(message, setting string) error {
	return &executor.Error{
		Code: executor.CodeConfig, Message: message,
		Hint: "set " + setting + " in the SQL parameters of the workspace's warehouses",
	}
}

// queryOneValue returns the last column of the first row.
func (c *client) queryOneValue(ctx context.Context, sql string) (string, error) {
	r := c.newStatementRequest(sql)
	r.Disposition, r.Format = "INLINE", "JSON_ARRAY"
	s, err := c.awaitStatement(ctx, r)
	if err != nil {
		if s != nil {
			s.cancelAndRelease(ctx)
		}
		return "", err
	}
	s.ReleaseBufferedRows()
	rows := s.first.Rows
	if len(rows) == 0 || len(rows[0]) == 0 || rows[0][len(rows[0])-1] == nil {
		return "", driver.DriverFailureError("the warehouse does not return its settings", nil)
	}
	return *rows[0][len(rows[0])-1], nil
}
