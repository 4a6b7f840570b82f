package generate

import (
	"path"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/tables"
)

// The bounds of one model. A model of more columns would be longer than a model may be.
const (
	MaxTables             = 300
	MaxColumnsOfAllTables = 25_000
)

// DefaultMaxRows is how many rows a proof reads unless a user chooses otherwise.
const DefaultMaxRows = 1_000_000

// Options choose the tables and how they are read. The zero value takes all tables of the
// default schema and reads every row that a proof needs.
type Options struct {
	// Name of the model.
	Name string
	// Origin describes where the tables are, for the comment of the file.
	Origin string
	// Schemas to read; none means the default schema.
	Schemas []string
	// Include and Exclude are globs over schema.table; one without a dot is also compared with
	// the table alone. No Include is every table.
	Include, Exclude []string
	// Views reads database views, too.
	Views bool
	// MaxRows bounds the rows that one proof may read; 0 does not bound them.
	MaxRows int64
	// NoInfer leaves out proofs and inferred relationships.
	NoInfer bool
	// ColumnNotes are about the columns of data files.
	ColumnNotes []datafiles.ColumnNote
}

// checkGlobs returns an *OptionError for a glob that is not well formed.
func (o Options) checkGlobs() error {
	for _, pattern := range slices.Concat(o.Include, o.Exclude) {
		if _, err := path.Match(pattern, ""); err != nil {
			return &OptionError{"the pattern " + shortenTextForMessage(pattern) + " is not a glob"}
		}
	}
	return nil
}

// keepsTable reports whether the globs choose a table.
func (o Options) keepsTable(t tables.Table) bool {
	matches := func(pattern string) bool {
		names := []string{t.Schema + "." + t.Name}
		if !strings.Contains(pattern, ".") {
			names = append(names, t.Name)
		}
		return slices.ContainsFunc(names, func(name string) bool {
			ok, err := path.Match(pattern, name)
			return err == nil && ok
		})
	}
	return (len(o.Include) == 0 || slices.ContainsFunc(o.Include, matches)) && !slices.ContainsFunc(o.Exclude, matches)
}

// OptionError is the error of options that do not fit the source: an invalid glob, too many
// tables, none.
type OptionError struct{ Message string }

// Error returns the message.
func (e *OptionError) Error() string { return e.Message }
