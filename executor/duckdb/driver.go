package duckdb

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type duckdb, and the embedded database of an engine.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "duckdb", OpenEmbedded: func(ctx context.Context, e warehouse.EmbeddedDatabase) (executor.Executor, error) {
		db, err := Open(ctx, Options(e))
		if err != nil {
			return nil, err // not a nil *Executor
		}
		return db, nil
	}, OpenEmbeddedWriter: func(ctx context.Context, e warehouse.EmbeddedDatabase) (executor.WriteSession, error) {
		return OpenWriteSession(ctx, Options(e))
	}}
}

// CreateDatabase makes a database file by running a script, which may hold several
// statements. An existing file is opened and the script runs on it. The error is an
// *executor.Error, and wraps syscall.ENOSPC if the disk is full.
func CreateDatabase(ctx context.Context, path, script string) error {
	// Without CHECKPOINT the database writes its rows when it closes, which reports no error.
	db, err := Open(ctx, Options{Path: path, ReadWrite: true, Setup: []string{script, "CHECKPOINT"}})
	if errors.Is(err, syscall.ENOSPC) {
		return driver.ConfigError("no space left for the DuckDB database", syscall.ENOSPC)
	}
	if err != nil {
		return err
	}
	return db.Close()
}

const defaultPoolSize = 16

// Options say which database to open and how much it may use. The zero value
// is an empty database in memory.
type Options struct {
	// Path of the database file; empty or ":memory:" for memory.
	Path string
	// ReadWrite opens the file for writing and creates it when missing. Other
	// processes cannot open it meanwhile, not even for reading.
	ReadWrite bool
	// ExternalAccess lets SQL read and write files and networks.
	ExternalAccess bool
	// MemoryLimit such as "2GB"; empty for DuckDB's default.
	MemoryLimit string
	// SpillLimit bounds what statements write to the temporary directory, such as "2GiB"; empty for DuckDB's default.
	SpillLimit string
	// Threads that all statements share; 0 for one per core.
	Threads int
	// Connections bounds the statements that run at once; 0 means 16. Further
	// queries wait for one to end.
	Connections int
	// MaxChunkBytes bounds the memory of 2048 rows, which the engine gives at once: wider rows are
	// ErrRowsTooWide. 0 means 2 GiB for each column.
	MaxChunkBytes int
	// Setup is SQL that runs once, before the configuration is locked: the
	// tables of a demo, for instance. An element may hold several statements.
	Setup []string
	// Data are files that become the tables of a database in memory. SQL can read
	// these files and no other.
	Data *datafiles.FileSet
}

func (o Options) isInMemory() bool { return o.Path == "" || o.Path == ":memory:" }

func (o Options) databaseFile() string {
	if o.isInMemory() {
		return ""
	}
	return o.Path
}

// allowsConcurrentInstances reports whether a second instance may serve the database while a first one
// still runs a statement. Two that write one file would destroy it.
func (o Options) allowsConcurrentInstances() bool { return o.isInMemory() || !o.ReadWrite }

type databaseSetting struct{ name, value string }

func (o Options) databaseSettings(temporary spillDirectory) []databaseSetting {
	mode := "READ_ONLY"
	if o.ReadWrite || o.isInMemory() {
		mode = "READ_WRITE"
	}
	list := []databaseSetting{
		// First: it cannot be set any more once external access is off.
		{"temp_directory", temporary.path},
		{"access_mode", mode},
		// With data files it is switched off by isolation, after the paths are known.
		{"enable_external_access", strconv.FormatBool(o.ExternalAccess || o.Data != nil)},
		{"autoinstall_known_extensions", "false"},
		{"autoload_known_extensions", "false"},
		{"allow_community_extensions", "false"},
		{"allow_persistent_secrets", "false"},
	}
	if o.MemoryLimit != "" {
		list = append(list, databaseSetting{"memory_limit", o.MemoryLimit})
	}
	if o.Threads > 0 {
		list = append(list, databaseSetting{"threads", strconv.Itoa(o.Threads)})
	}
	return list
}

// resultAffectingSettings returns the settings that change which rows a statement has, or how a value of them is read
// or written. The setup may have changed them, and the zone and the calendar follow the
// environment of the process: in a Thai locale the years are those of the Buddhist calendar. The optimizer
// of common subplans is off, because it gives wrong rows: of two equal subqueries that join one table twice
// it reads the second table as the first.
func resultAffectingSettings() []databaseSetting {
	return []databaseSetting{
		{"TimeZone", "UTC"},
		{"Calendar", "gregorian"},
		{"default_null_order", "NULLS_LAST"},
		{"default_order", "ASCENDING"},
		{"default_collation", ""},
		{"ieee_floating_point_ops", "true"},
		{"integer_division", "false"},
		{"old_implicit_casting", "false"},
		{"scalar_subquery_error_on_multiple_rows", "true"},
		{"order_by_non_integer_literal", "false"},
		{"preserve_identifier_case", "true"},
		{"preserve_insertion_order", "true"},
		{"disable_timestamptz_casts", "false"},
		{"disabled_optimizers", "common_subplan"},
	}
}

// setAndLockSettingsStatements runs last: TimeZone and Calendar belong to an extension that is loaded while the
// database opens, so they cannot be settings of the opening itself. Without background threads
// the allocator keeps the memory that a large statement freed until the freeing thread works
// again, which may never happen. The limit of the temporary directory has no effect as a setting of the opening.
func (o Options) setAndLockSettingsStatements() []string {
	var list []string
	if o.SpillLimit != "" {
		list = append(list, "SET GLOBAL "+spillLimitSetting+" = '"+o.SpillLimit+"'")
	}
	for _, s := range resultAffectingSettings() {
		list = append(list, "SET GLOBAL "+s.name+" = '"+s.value+"'")
	}
	return append(list, "SET GLOBAL allocator_background_threads = true", "SET GLOBAL lock_configuration = true")
}

// Open opens the database, runs the setup and locks the configuration. Its
// errors have the code config, or timeout when ctx ends first.
func Open(ctx context.Context, o Options) (*Executor, error) {
	if strings.ContainsRune(o.Path, 0) {
		return nil, driver.ConfigError("the path of the DuckDB database holds a NUL byte", nil)
	}
	if o.Data != nil && (!o.isInMemory() || o.ExternalAccess) {
		return nil, driver.ConfigError("data files are the tables of a database in memory without external access, and of no other", nil)
	}
	in, err := openInstance(ctx, o, nil)
	if err != nil {
		return nil, err
	}
	limit := o.Connections
	if limit <= 0 {
		limit = defaultPoolSize
	}
	return &Executor{options: o, current: in, data: in.data, fast: newFastStatementCache(o), slots: driver.NewSlots(limit)}, nil
}

func openDatabase(o Options, temporary spillDirectory) (bindings.Database, error) {
	var config bindings.Config
	if bindings.CreateConfig(&config) != bindings.StateSuccess {
		return bindings.Database{}, driver.ConfigError("cannot create a DuckDB configuration", nil)
	}
	defer bindings.DestroyConfig(&config)
	for _, s := range o.databaseSettings(temporary) {
		if bindings.SetConfig(config, s.name, s.value) != bindings.StateSuccess {
			return bindings.Database{}, driver.ConfigError("DuckDB does not accept "+s.value+" for "+s.name, nil)
		}
	}
	var db bindings.Database
	var text string
	if bindings.OpenExt(o.databaseFile(), &db, config, &text) != bindings.StateSuccess {
		// Clients see this message and must not see the directory.
		text = strings.ReplaceAll(text, o.Path, filepath.Base(o.Path))
		var cause error
		if strings.Contains(text, diskFullText) {
			cause = syscall.ENOSPC
		}
		return bindings.Database{}, driver.ConfigError("the DuckDB database does not open: "+text, cause)
	}
	return db, nil
}
