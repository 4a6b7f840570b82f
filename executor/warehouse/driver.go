package warehouse

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/profile"
)

// embeddedProfileType is the type of the profiles of the embedded database.
const embeddedProfileType = "duckdb"

// Driver opens the warehouses of one type of profiles. The drivers of cloud
// warehouses and the embedded database are large, so each lives in a package that
// a program links when it needs it: put their Driver() values into Options.
//
// A driver has Open, or OpenEmbeddedDatabase where its Type is duckdb.
type Driver struct {
	// Type is that of the profiles, as in profile.DescribeWarehouseTypes.
	Type string
	// Open makes an executor and connects to nothing yet. Its error is an
	// *executor.Error of code config.
	Open func(profile.Profile, Options) (executor.Executor, error)
	// OpenEmbeddedDatabase opens a database in the process. Its error is an *executor.Error
	// of code config, or timeout when the context ends first.
	OpenEmbedded func(context.Context, EmbeddedDatabase) (executor.Executor, error)
	// StatementsWrite: an executor that Open makes accepts statements that change tables, each of which stands alone.
	StatementsWrite bool
	// OpenEmbeddedWriter opens a session that may change the tables of a database in the process; nil where the driver has none.
	OpenEmbeddedWriter func(context.Context, EmbeddedDatabase) (executor.WriteSession, error)
}

// EmbeddedDatabase describes a database that runs in the process. The zero value is an
// empty one in memory.
type EmbeddedDatabase struct {
	// Path of the database file; empty or ":memory:" for memory.
	Path string
	// ReadWrite opens the file for writing and creates it when missing.
	ReadWrite bool
	// ExternalAccess lets SQL read and write files and networks.
	ExternalAccess bool
	// MemoryLimit such as "2GB"; empty for the database's default.
	MemoryLimit string
	// SpillLimit bounds what statements write to the temporary directory, such as "2GiB"; empty for the database's default.
	SpillLimit string
	// Threads that all statements share; 0 for one per core.
	Threads int
	// Connections bounds the statements that run at once; 0 means 16.
	Connections int
	// MaxChunkBytes bounds the memory of 2048 rows; 0 means 2 GiB for each column.
	MaxChunkBytes int
	// Setup is SQL that runs once, before the first statement. An element may hold
	// several statements.
	Setup []string
	// Data are files that become the tables of a database in memory. SQL can read
	// these files and no other.
	Data *datafiles.FileSet
}

// OpenEmbeddedDatabase opens the embedded database with the driver of type duckdb. The error
// is an *executor.Error of code config where the options have no such driver.
func OpenEmbeddedDatabase(ctx context.Context, e EmbeddedDatabase, o Options) (executor.Executor, error) {
	if err := CheckEmbeddedDriver(o); err != nil {
		return nil, err
	}
	return o.findDriver(embeddedProfileType).OpenEmbedded(ctx, e)
}

// CheckEmbeddedDriver returns an *executor.Error of code config where the options have no
// driver for the embedded database.
func CheckEmbeddedDriver(o Options) error {
	if d := o.findDriver(embeddedProfileType); d == nil || d.OpenEmbedded == nil {
		return missingDriverError(embeddedProfileType)
	}
	return nil
}

// findDriver finds the driver of a type, nil when there is none.
func (o Options) findDriver(name string) *Driver {
	i := slices.IndexFunc(o.Drivers, func(d Driver) bool { return d.Type == name })
	if i < 0 {
		return nil
	}
	return &o.Drivers[i]
}

// missingDriverError returns the error for a type whose driver was not handed in.
func missingDriverError(name string) error {
	return &executor.Error{
		Code:    executor.CodeConfig,
		Message: "this build has no driver for type " + name,
		Hint:    "a Go program hands in " + name + ".Driver() of github.com/semlayer/semlayer/executor/" + name,
	}
}
