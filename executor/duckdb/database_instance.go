package duckdb

import (
	"context"
	"strconv"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// databaseInstance is one open database with its connections. The executor guards it.
type databaseInstance struct {
	db        bindings.Database
	temporary spillDirectory
	data      *dataFileRegistration // nil without data files
	idle      []*connection
	inUse     int
	// retired marks an instance that takes no further statements. It closes together with its
	// last connection.
	retired bool
}

// openInstance opens the database, registers the data files, runs the setup and locks the
// configuration. known is the registration of an earlier instance of the same files, or nil.
func openInstance(ctx context.Context, o Options, known *dataFileRegistration) (*databaseInstance, error) {
	in := &databaseInstance{temporary: newSpillDirectory(), data: known}
	var err error
	if in.db, err = openDatabase(o, in.temporary); err != nil {
		in.temporary.remove()
		return nil, err
	}
	if err := in.setUpDatabase(ctx, o); err != nil {
		in.retireInstance()
		return nil, err
	}
	return in, nil
}

func (in *databaseInstance) setUpDatabase(ctx context.Context, o Options) error {
	c, err := in.openConnection()
	if err != nil {
		return err
	}
	in.idle = append(in.idle, c)
	if o.Data != nil {
		if err := in.registerDataFiles(ctx, c, o.Data); err != nil {
			return err
		}
	}
	for i, sql := range append(append([]string{}, o.Setup...), o.setAndLockSettingsStatements()...) {
		if err := c.runSetupStatement(ctx, sql); err != nil {
			return setupError(ctx, "setup statement "+strconv.Itoa(i+1)+" failed", err)
		}
	}
	return nil
}

// registerDataFiles makes data files the tables of the database.
func (in *databaseInstance) registerDataFiles(ctx context.Context, c *connection, set *datafiles.FileSet) error {
	first := in.data == nil
	if first {
		in.data = newDataRegistration(set)
	}
	for _, sql := range in.data.restrictFileAccessStatements() {
		if err := c.runSetupStatement(ctx, sql); err != nil {
			return setupError(ctx, "the data files cannot be isolated", err)
		}
	}
	if first {
		if err := in.data.inspectFilesAndWriteViews(ctx, c, set); err != nil {
			return err
		}
	}
	for _, v := range in.data.views {
		if err := c.runSetupStatement(ctx, v.sql); err != nil {
			return setupError(ctx, "the table "+v.table+" of data files cannot be made", in.data.locateRowError(err))
		}
	}
	return nil
}

// runSetupStatement runs a statement of the opening.
func (c *connection) runSetupStatement(ctx context.Context, sql string) error {
	return c.runWithContext(ctx, func() error { return c.executeScript(sql) })
}

// setupError returns the error of a statement of the opening: that of ctx where it has ended.
func setupError(ctx context.Context, what string, err error) error {
	if late := driver.ContextError(ctx); late != nil {
		return late
	}
	return driver.ConfigError(what, err)
}

// openConnection makes a connection, which is not counted yet.
func (in *databaseInstance) openConnection() (*connection, error) {
	c := &connection{in: in}
	if bindings.Connect(in.db, &c.handle) != bindings.StateSuccess {
		return nil, driver.DriverFailureError("cannot open a DuckDB connection", nil)
	}
	return c, nil
}

// takeConnection returns an idle connection, or a new one.
func (in *databaseInstance) takeConnection() (*connection, error) {
	if n := len(in.idle); n > 0 {
		c := in.idle[n-1]
		in.idle = in.idle[:n-1]
		in.inUse++
		return c, nil
	}
	c, err := in.openConnection()
	if err == nil {
		in.inUse++
	}
	return c, err
}

// retireInstance closes the instance. Connections in use keep the database until they are
// closed.
func (in *databaseInstance) retireInstance() {
	if in.retired {
		return
	}
	in.retired = true
	for _, c := range in.idle {
		c.disconnect()
	}
	in.idle = nil
	bindings.Close(&in.db)
	if in.inUse == 0 {
		in.temporary.remove()
	}
}

// recordClosedConnection takes note that a connection in use has been closed.
func (in *databaseInstance) recordClosedConnection() {
	in.inUse--
	if in.retired && in.inUse == 0 {
		in.temporary.remove()
	}
}
