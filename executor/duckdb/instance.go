package duckdb

import (
	"context"
	"strconv"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// instance is one open database with its connections. The executor guards it.
type instance struct {
	db        bindings.Database
	temporary spill
	data      *registration // nil without data files
	idle      []*connection
	inUse     int
	// retired marks an instance that takes no further statements. It closes together with its
	// last connection.
	retired bool
}

// openInstance opens the database, registers the data files, runs the setup and locks the
// configuration. known is the registration of an earlier instance of the same files, or nil.
func openInstance(ctx context.Context, o Options, known *registration) (*instance, error) {
	in := &instance{temporary: newSpill(), data: known}
	var err error
	if in.db, err = openDatabase(o, in.temporary); err != nil {
		in.temporary.remove()
		return nil, err
	}
	if err := in.prepare(ctx, o); err != nil {
		in.retire()
		return nil, err
	}
	return in, nil
}

func (in *instance) prepare(ctx context.Context, o Options) error {
	c, err := in.connect()
	if err != nil {
		return err
	}
	in.idle = append(in.idle, c)
	if o.Data != nil {
		if err := in.register(ctx, c, o.Data); err != nil {
			return err
		}
	}
	for i, sql := range append(append([]string{}, o.Setup...), lockdownStatements()...) {
		if err := c.prepare(ctx, sql); err != nil {
			return setupError(ctx, "setup statement "+strconv.Itoa(i+1)+" failed", err)
		}
	}
	return nil
}

// register makes data files the tables of the database.
func (in *instance) register(ctx context.Context, c *connection, set *datafiles.Set) error {
	first := in.data == nil
	if first {
		in.data = newRegistration(set)
	}
	for _, sql := range in.data.isolation() {
		if err := c.prepare(ctx, sql); err != nil {
			return setupError(ctx, "the data files cannot be isolated", err)
		}
	}
	if first {
		if err := in.data.inspect(ctx, c, set); err != nil {
			return err
		}
	}
	for _, v := range in.data.views {
		if err := c.prepare(ctx, v.sql); err != nil {
			return setupError(ctx, "the table "+v.table+" of data files cannot be made", in.data.explain(err))
		}
	}
	return nil
}

// prepare runs a statement of the opening.
func (c *connection) prepare(ctx context.Context, sql string) error {
	return c.run(ctx, func() error { return c.execute(sql) })
}

// setupError is the error of a statement of the opening: that of ctx where it has ended.
func setupError(ctx context.Context, what string, err error) error {
	if late := execerr.Context(ctx); late != nil {
		return late
	}
	return execerr.Config(what, err)
}

// connect makes a connection, which is not counted yet.
func (in *instance) connect() (*connection, error) {
	c := &connection{in: in}
	if bindings.Connect(in.db, &c.handle) != bindings.StateSuccess {
		return nil, execerr.Driver("DuckDB does not give a connection", nil)
	}
	return c, nil
}

// takeConnection returns an idle connection, or a new one.
func (in *instance) takeConnection() (*connection, error) {
	if n := len(in.idle); n > 0 {
		c := in.idle[n-1]
		in.idle = in.idle[:n-1]
		in.inUse++
		return c, nil
	}
	c, err := in.connect()
	if err == nil {
		in.inUse++
	}
	return c, err
}

// retire closes the instance. Connections in use keep the database until they are
// closed.
func (in *instance) retire() {
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

// connectionClosed takes note that a connection in use has been closed.
func (in *instance) connectionClosed() {
	in.inUse--
	if in.retired && in.inUse == 0 {
		in.temporary.remove()
	}
}
