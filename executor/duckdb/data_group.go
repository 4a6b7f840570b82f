package duckdb

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// fileGroup is files of a table that one reader reads.
type fileGroup struct {
	format   datafiles.Format
	files    []datafiles.File
	columns  []groupColumn
	options  string
	keys     []string          // the key=value folders
	keyTypes map[string]string // of all keys of the table, by folded name
}

// groupColumn is a column: its type in the file, and in the table.
type groupColumn struct{ name, read, as string }

// groupOf is the group of one file.
func groupOf(format datafiles.Format, f fileColumns, types, keyTypes map[string]string) fileGroup {
	g := fileGroup{format: format, files: []datafiles.File{f.file}, options: f.options, keyTypes: keyTypes}
	for _, c := range f.columns {
		as := types[fold(c.name)]
		read := c.typ
		if f.untyped {
			read = as
			if read == "" {
				read = varchar
			}
		}
		if as == "" {
			as = read
		}
		g.columns = append(g.columns, groupColumn{c.name, read, as})
	}
	for _, k := range f.file.Keys {
		g.keys = append(g.keys, k.Name)
	}
	return g
}

func (g fileGroup) isLike(other fileGroup) bool {
	return g.options == other.options && slices.Equal(g.columns, other.columns) && slices.Equal(g.keys, other.keys)
}

// selection writes the SELECT of a group.
func (g fileGroup) selection() string {
	var list []string
	for _, c := range g.columns {
		isKey := slices.ContainsFunc(g.keys, func(k string) bool { return fold(k) == fold(c.name) })
		if !isKey {
			_, value := g.reading(c)
			list = append(list, value)
		}
	}
	for _, k := range g.keys {
		list = append(list, identifier(k))
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + g.reader(g.files)
}

// reader writes the call that reads files of the group.
func (g fileGroup) reader(files []datafiles.File) string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = exactPath(f.Path)
	}
	var types []string
	for _, c := range g.columns {
		read, _ := g.reading(c)
		types = append(types, literal(c.name)+": "+literal(read))
	}
	call := ""
	switch g.format {
	case datafiles.Parquet:
		call = "read_parquet(" + literals(paths)
	case datafiles.CSV:
		call = "read_csv(" + literals(paths) + g.options + ", types = {" + strings.Join(types, ", ") + "}"
	case datafiles.JSON:
		call = "read_json(" + literals(paths) + g.options + ", columns = {" + strings.Join(types, ", ") + "}"
	}
	if len(g.keys) == 0 {
		return call + ", hive_partitioning = false)"
	}
	var keyed []string
	for _, k := range g.keys {
		keyed = append(keyed, literal(k)+": "+g.keyTypes[fold(k)])
	}
	return call + ", hive_partitioning = true, hive_types_autocast = false, hive_types = {" + strings.Join(keyed, ", ") + "})"
}

const (
	bigint    = "BIGINT"
	timestamp = "TIMESTAMP"
	instant   = "TIMESTAMP WITH TIME ZONE"
	// exactNumber holds every integer, and the fraction that a row must not have.
	exactNumber = "DECIMAL(38,9)"
)

// reading returns the type that the reader gives to a column, and the expression that makes the
// column of the table of it.
func (g fileGroup) reading(c groupColumn) (read, value string) {
	name := identifier(c.name)
	cast := func(expression string) string { return "CAST(" + expression + " AS " + c.as + ") AS " + name }
	isText := g.format != datafiles.Parquet
	switch {
	case isText && c.as == varchar:
		return varchar, name // the text as it is written, and not what became of it
	case isText && c.read == bigint:
		// The readers round 1.5 to 2.
		integer := "TRY_CAST(" + name + " AS BIGINT)"
		return exactNumber, cast("CASE WHEN " + integer + " IS NOT DISTINCT FROM " + name + " THEN " + integer +
			" ELSE error(" + g.fractionError(c.name) + ") END")
	case isText && c.read == timestamp && !strings.Contains(g.options, "timestampformat"):
		// The readers leave out the offset of 10:00+02:00. It counts in an instant, and the zone
		// of the database is UTC.
		return instant, cast(name)
	case c.read == c.as:
		return c.read, name
	}
	return c.read, cast(name)
}

const (
	// fractionMark begins the error of a fraction in a column of integers.
	fractionMark = "semlayer: a fraction in the integer column "
	fractionFile = " of the file "
	virtualName  = "filename" // the path that a reader adds to its columns
)

// fractionError writes the message of a fraction, with the path of its file where no column hides it.
func (g fileGroup) fractionError(column string) string {
	message := literal(fractionMark + column + fractionFile)
	if slices.ContainsFunc(g.columns, func(c groupColumn) bool { return fold(c.name) == virtualName }) {
		return message
	}
	return message + " || " + virtualName
}
