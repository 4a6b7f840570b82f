package duckdb

import (
	"context"
	"strconv"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// instance is one open database with its connections. The executor guards it.
type instance struct {
	db        bindings.Database
	temporary spill
	idle      []*connection
	inUse     int
	// retired marks an instance that takes no further statements. It closes together with its
	// last connection.
	retired bool
}

// openInstance opens the database, runs the setup and locks the configuration.
func openInstance(ctx context.Context, o Options) (*instance, error) {
	in := &instance{temporary: newSpill()}
	var err error
	if in.db, err = openDatabase(o, in.temporary); err != nil {
		in.temporary.remove()
		return nil, err
	}
	if err := in.prepare(ctx, append(append([]string{}, o.Setup...), lockdown()...)); err != nil {
		in.retire()
		return nil, err
	}
	return in, nil
}

func (in *instance) prepare(ctx context.Context, statements []string) error {
	c, err := in.connect()
	if err != nil {
		return err
	}
	defer func() { in.idle = append(in.idle, c) }()
	for i, sql := range statements {
		if err := c.run(ctx, func() error { return c.execute(sql) }); err != nil {
			if late := execerr.Context(ctx); late != nil {
				return late
			}
			return execerr.Config("setup statement "+strconv.Itoa(i+1)+" failed", err)
		}
	}
	return nil
}

// connect makes a connection, which is not counted yet.
func (in *instance) connect() (*connection, error) {
	c := &connection{in: in}
	if bindings.Connect(in.db, &c.handle) != bindings.StateSuccess {
		return nil, execerr.Driver("DuckDB does not give a connection", nil)
	}
	return c, nil
}

// take returns an idle connection, or a new one.
func (in *instance) take() (*connection, error) {
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

// left takes note that a connection in use has been closed.
func (in *instance) left() {
	in.inUse--
	if in.retired && in.inUse == 0 {
		in.temporary.remove()
	}
}
