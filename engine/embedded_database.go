package engine

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// EmbeddedDatabase is an embedded database that is open. Engines that are opened with it as
// Config.Database share it and leave it open.
type EmbeddedDatabase struct {
	executor executor.Executor
	paths    []string
	set      *datafiles.FileSet // nil without data files
}

// OpenEmbeddedDatabase opens the embedded database that a configuration describes: of its keys those
// that begin with DB, Setup, Data, MaxExecutions and Drivers. The error is an *ExecuteError of
// code config, or timeout when ctx ends first.
func OpenEmbeddedDatabase(ctx context.Context, c Config) (*EmbeddedDatabase, error) {
	set, err := c.findDataFiles(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := c.openEmbeddedDatabase(ctx, set)
	if err != nil {
		return nil, err
	}
	return &EmbeddedDatabase{executor: opened, paths: slices.Clone(c.Data), set: set}, nil
}

// Executor runs statements on the database.
func (d *EmbeddedDatabase) Executor() executor.Executor { return d.executor }

// DataFilesReport reports on the data files of the database.
func (d *EmbeddedDatabase) DataFilesReport() DataFilesReport {
	r := newDataFilesReport(d.paths, d.set)
	r.addColumnNotes(d.executor)
	return r
}

// HaveDataFilesChanged reports whether the data files are other ones than those of the database, or
// have other sizes or modification times. It opens no file. A folder that no longer makes
// tables is an error of code config.
func (d *EmbeddedDatabase) HaveDataFilesChanged(ctx context.Context) (bool, error) {
	if d.set == nil {
		return false, nil
	}
	found, err := datafiles.FindTables(ctx, d.paths)
	if err != nil {
		return false, err
	}
	return found.Fingerprint() != d.set.Fingerprint(), nil
}

// Close closes the database. Rows that are being read stay readable; no further query runs. A
// program that replaces a database closes the old one after the last request of its engines.
func (d *EmbeddedDatabase) Close() error { return d.executor.Close() }

// DataFilesReport describes the data files of the embedded database.
type DataFilesReport struct {
	// Paths as they were configured; none without data files.
	Paths []string
	// Tables and Files count what SQL can read, Skipped the files that hold no data or
	// are hidden.
	Tables, Files, Skipped int
	// Warnings name the symbolic links that are not followed, and, once the files are open, the columns whose days are
	// ambiguous.
	Warnings []string
}

// addColumnNotes adds what an open database had to decide about the columns of the files.
func (r *DataFilesReport) addColumnNotes(db executor.Executor) {
	if noter, ok := db.(datafiles.ColumnNoter); ok {
		for _, n := range noter.ColumnNotes() {
			if n.AmbiguousDays {
				r.Warnings = append(r.Warnings, n.Text)
			}
		}
	}
}

func newDataFilesReport(paths []string, set *datafiles.FileSet) DataFilesReport {
	if set == nil {
		return DataFilesReport{}
	}
	return DataFilesReport{
		Paths: slices.Clone(paths), Tables: len(set.Tables), Files: set.Files, Skipped: set.Skipped, Warnings: slices.Clone(set.Warnings),
	}
}

// findDataFiles lists the data files of a configuration, nil where it names none.
func (c Config) findDataFiles(ctx context.Context) (*datafiles.FileSet, error) {
	switch {
	case len(c.Data) == 0:
		return nil, nil
	case c.DBPath != "":
		return nil, configError("Config.Data and Config.DBPath are both set: the embedded database is either a file or data files")
	}
	if err := c.checkEmbeddedDriver(); err != nil {
		return nil, err
	}
	return datafiles.FindTables(ctx, c.Data)
}

// openEmbeddedDatabase opens the embedded database with data files that have been found.
func (c Config) openEmbeddedDatabase(ctx context.Context, set *datafiles.FileSet) (executor.Executor, error) {
	if err := c.checkEmbeddedDriver(); err != nil {
		return nil, err
	}
	e := c.embeddedDatabaseOptions()
	e.Data = set
	return warehouse.OpenEmbeddedDatabase(ctx, e, c.warehouseOptions())
}
