package duckdb

import (
	"context"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// registration is what makes data files the tables of a database: it is found out once, when
// the files are first opened, and holds for each instance of the database after that.
type registration struct {
	files []registered
	// views are the statements that create the tables.
	views  []tableView
	groups []fileGroup
}

// tableView is the statement that creates a table.
type tableView struct{ table, sql string }

// registered is a file with the table that reads it.
type registered struct {
	datafiles.File
	table  string
	format datafiles.Format
}

// newRegistration lists the files of a set. Its views are not known yet.
func newRegistration(set *datafiles.Set) *registration {
	r := &registration{}
	for _, t := range set.Tables {
		for _, f := range t.Files {
			r.files = append(r.files, registered{f, t.Name, t.Format})
		}
	}
	return r
}

// isolation are the statements that limit SQL to the registered files. They run before any
// statement that reads one of them.
func (r *registration) isolation() []string {
	var paths []string
	for _, f := range r.files {
		paths = append(paths, f.Path)
		if pattern := exactPath(f.Path); pattern != f.Path {
			paths = append(paths, pattern)
		}
	}
	return []string{
		"SET GLOBAL allowed_paths = " + literals(paths),
		"SET GLOBAL enable_external_access = false",
	}
}

// inspect finds out the columns of all files and writes the views.
func (r *registration) inspect(ctx context.Context, c *connection, set *datafiles.Set) error {
	for _, t := range set.Tables {
		files := make([]fileColumns, len(t.Files))
		for i, f := range t.Files {
			var err error
			if files[i], err = inspectFile(ctx, c, t, f); err != nil {
				return err
			}
		}
		view, groups, err := viewOf(t, files)
		if err != nil {
			return err
		}
		r.views = append(r.views, view)
		r.groups = append(r.groups, groups...)
	}
	return nil
}

// dataColumn is a column of a file with DuckDB's name of its type.
type dataColumn struct{ name, typ string }

// fileColumns is what the first look at a file has found.
type fileColumns struct {
	file    datafiles.File
	columns []dataColumn
	// options of the reader: the form of a text file.
	options string
	// untyped: the file has no row, so its types mean nothing.
	untyped bool
}

// fold is the name of a column as DuckDB compares it.
func fold(name string) string { return strings.ToLower(name) }
