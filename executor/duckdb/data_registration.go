package duckdb

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// dataFileRegistration is what makes data files the tables of a database: it is found out once, when
// the files are first opened, and holds for each instance of the database after that.
type dataFileRegistration struct {
	files  []registeredFile
	lost   []lostFile
	readAt time.Time
	// views are the statements that create the tables.
	views  []createViewStatement
	groups []fileGroup
	notes  []datafiles.ColumnNote
}

// createViewStatement is the statement that creates a table.
type createViewStatement struct{ table, sql string }

// registeredFile is a file with the table that reads it.
type registeredFile struct {
	datafiles.File
	table  string
	format datafiles.Format
}

// newDataRegistration lists the files of a set. Its views are not known yet.
func newDataRegistration(set *datafiles.FileSet) *dataFileRegistration {
	r := &dataFileRegistration{readAt: time.Now()}
	for _, t := range set.Tables {
		for _, f := range t.Files {
			r.files = append(r.files, registeredFile{f, t.Name, t.Format})
		}
	}
	return r
}

// restrictFileAccessStatements returns the statements that limit SQL to the registered files. They run before any
// statement that reads one of them. The footer of a Parquet file is kept until the file has another
// modification time, and read again while that time is less than ten seconds ago.
func (r *dataFileRegistration) restrictFileAccessStatements() []string {
	var paths []string
	for _, f := range r.files {
		paths = append(paths, f.Path)
		if pattern := globForExactPath(f.Path); pattern != f.Path {
			paths = append(paths, pattern)
		}
	}
	return []string{
		"SET GLOBAL allowed_paths = " + quoteLiterals(paths),
		"SET GLOBAL parquet_metadata_cache = true",
		"SET GLOBAL enable_external_access = false",
	}
}

// inspectFilesAndWriteViews finds out the columns of all files and writes the views.
func (r *dataFileRegistration) inspectFilesAndWriteViews(ctx context.Context, c *connection, set *datafiles.FileSet) error {
	for _, t := range set.Tables {
		files := make([]inspectedFile, len(t.Files))
		for i, f := range t.Files {
			var err error
			if files[i], err = inspectFile(ctx, c, t, f); err != nil {
				return err
			}
			r.addNotes(t.Name, files[i].notes)
		}
		view, groups, err := newCreateViewStatement(t, files)
		if err != nil {
			return err
		}
		r.views = append(r.views, view)
		r.groups = append(r.groups, groups...)
	}
	return nil
}

// addNotes adds the notes about the columns of a file: one about each column of the table.
func (r *dataFileRegistration) addNotes(table string, notes []datafiles.ColumnNote) {
	for _, n := range notes {
		isKnown := func(other datafiles.ColumnNote) bool {
			return other.Table == table && foldColumnName(other.Column) == foldColumnName(n.Column) && other.AmbiguousDays == n.AmbiguousDays
		}
		if n.Table, n.Text = table, table+"."+n.Column+": "+n.Text; !slices.ContainsFunc(r.notes, isKnown) {
			r.notes = append(r.notes, n)
		}
	}
}

// ColumnNotes lists the notes about the columns of the data files.
func (e *Executor) ColumnNotes() []datafiles.ColumnNote {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.data == nil {
		return nil
	}
	return slices.Clone(e.data.notes)
}

// dataFileColumn is a column of a file with DuckDB's name of its type.
type dataFileColumn struct{ name, typ string }

// inspectedFile is what the first look at a file has found.
type inspectedFile struct {
	file    datafiles.File
	columns []dataFileColumn
	// options of the reader: the form of a text file.
	options string
	// untyped: the file has no row, so its types mean nothing.
	untyped bool
	// notes about columns, without the table.
	notes []datafiles.ColumnNote
}

// foldColumnName returns the name of a column as DuckDB compares it.
func foldColumnName(name string) string { return strings.ToLower(name) }

// ReplaceData registers data files again, or other ones. It prepares a new instance of the
// database beside the current one and then swaps them: a statement that runs reads to its
// end what it began with, and the old instance closes after the last of them. An error leaves
// everything as it was; its code is config, or timeout when ctx ends first.
func (e *Executor) ReplaceData(ctx context.Context, set *datafiles.FileSet) error {
	e.mu.Lock()
	o := e.options
	e.mu.Unlock()
	if o.Data == nil || set == nil {
		return driver.ConfigError("the database was not opened with data files", nil)
	}
	o.Data = set
	in, err := openInstance(ctx, o, nil)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		in.retireInstance()
		return driver.ClosedError()
	}
	if e.current != nil {
		e.current.retireInstance()
	}
	in.data.keepLostFiles(e.data)
	e.options, e.current, e.data = o, in, in.data
	return nil
}
