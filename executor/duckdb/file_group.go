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
	columns  []fileGroupColumn
	options  string
	keys     []string          // the key=value folders
	keyTypes map[string]string // of all keys of the table, by folded name
}

// fileGroupColumn is a column: its type in the file, and in the table.
type fileGroupColumn struct{ name, read, as string }

// newSingleFileGroup returns the group of one file.
func newSingleFileGroup(format datafiles.Format, f inspectedFile, types, keyTypes map[string]string) fileGroup {
	g := fileGroup{format: format, files: []datafiles.File{f.file}, options: f.options, keyTypes: keyTypes}
	for _, c := range f.columns {
		as := types[foldColumnName(c.name)]
		read := c.typ
		if f.untyped {
			read = as
			if read == "" {
				read = varcharTypeName
			}
		}
		if as == "" {
			as = read
		}
		g.columns = append(g.columns, fileGroupColumn{c.name, read, as})
	}
	for _, k := range f.file.Keys {
		g.keys = append(g.keys, k.Name)
	}
	return g
}

func (g fileGroup) canShareReader(other fileGroup) bool {
	return g.options == other.options && slices.Equal(g.columns, other.columns) && slices.Equal(g.keys, other.keys)
}

// selectStatement writes the SELECT of a group.
func (g fileGroup) selectStatement() string {
	var list []string
	for _, c := range g.columns {
		isKey := slices.ContainsFunc(g.keys, func(k string) bool { return foldColumnName(k) == foldColumnName(c.name) })
		if !isKey {
			_, value := g.readerTypeAndValueExpr(c)
			list = append(list, value)
		}
	}
	for _, k := range g.keys {
		list = append(list, quoteIdentifier(k))
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + g.readerCallSQL(g.files)
}

// readerCallSQL writes the call that reads files of the group.
func (g fileGroup) readerCallSQL(files []datafiles.File) string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = globForExactPath(f.Path)
	}
	var types []string
	for _, c := range g.columns {
		read, _ := g.readerTypeAndValueExpr(c)
		types = append(types, quoteLiteral(c.name)+": "+quoteLiteral(read))
	}
	call := ""
	switch g.format {
	case datafiles.FormatParquet:
		call = "read_parquet(" + quoteLiterals(paths)
	case datafiles.FormatCSV:
		call = "read_csv(" + quoteLiterals(paths) + g.options + ", types = {" + strings.Join(types, ", ") + "}"
	case datafiles.FormatJSON:
		call = "read_json(" + quoteLiterals(paths) + g.options + ", columns = {" + strings.Join(types, ", ") + "}"
	}
	if len(g.keys) == 0 {
		return call + ", hive_partitioning = false)"
	}
	var keyed []string
	for _, k := range g.keys {
		keyed = append(keyed, quoteLiteral(k)+": "+g.keyTypes[foldColumnName(k)])
	}
	return call + ", hive_partitioning = true, hive_types_autocast = false, hive_types = {" + strings.Join(keyed, ", ") + "})"
}

// detectingReaderCallSQL writes the call that reads a file of the group and finds out its columns.
func (g fileGroup) detectingReaderCallSQL(f datafiles.File) string {
	path := quoteLiteral(globForExactPath(f.Path))
	switch g.format {
	case datafiles.FormatCSV:
		return "read_csv(" + path + g.options + ")"
	case datafiles.FormatJSON:
		return "read_json(" + path + g.options + ")"
	}
	return "read_parquet(" + path + ", hive_partitioning = false)"
}

const (
	bigintTypeName      = "BIGINT"
	doubleTypeName      = "DOUBLE"
	dateTypeName        = "DATE"
	timestampTypeName   = "TIMESTAMP"
	timestampTZTypeName = "TIMESTAMP WITH TIME ZONE"
	// fractionCheckTypeName holds every integer, and the fraction that a row must not have.
	fractionCheckTypeName = "DECIMAL(38,9)"
)

// readerTypeAndValueExpr returns the type that the reader gives to a column, and the expression that makes the
// column of the table of it.
func (g fileGroup) readerTypeAndValueExpr(c fileGroupColumn) (read, value string) {
	name := quoteIdentifier(c.name)
	cast := func(expression string) string { return "CAST(" + expression + " AS " + c.as + ") AS " + name }
	isText := g.format != datafiles.FormatParquet
	switch {
	case isText && c.as == varcharTypeName:
		return varcharTypeName, name // the text as it is written, not its value
	case isText && c.read == bigintTypeName:
		// The readers round 1.5 to 2.
		integer := "TRY_CAST(" + name + " AS BIGINT)"
		return fractionCheckTypeName, cast("CASE WHEN " + integer + " IS NOT DISTINCT FROM " + name + " THEN " + integer +
			" ELSE error(" + g.rowErrorMessageExpr(fractionErrorPrefix, c.name) + ") END")
	case isText && decimalTypePattern.MatchString(c.read):
		return varcharTypeName, cast("CASE WHEN " + name + " IS NULL THEN NULL WHEN " + fitsDecimalCondition(name, c.read) +
			" THEN TRY_CAST(" + name + " AS " + c.read + ") ELSE error(" + g.rowErrorMessageExpr(decimalErrorPrefix, c.name) + ") END")
	case isText && c.read == timestampTypeName && !strings.Contains(g.options, "timestampformat"):
		// The readers leave out the offset of 10:00+02:00. It counts in an instant, and the zone
		// of the database is UTC.
		return timestampTZTypeName, cast(name)
	case c.read == c.as:
		return c.read, name
	}
	return c.read, cast(name)
}

const (
	// fractionErrorPrefix begins the error of a fraction in a column of integers.
	fractionErrorPrefix = "semlayer: a fraction in the integer column "
	// decimalErrorPrefix begins the error of a value that a decimal column would round, or that is not a decimal.
	decimalErrorPrefix     = "semlayer: a value does not fit the decimal column "
	rowErrorTextBeforeFile = " of the file "
	fileNameColumn         = "filename" // the path that a reader adds to its columns
)

// rowErrorMessageExpr writes the message of a row that does not fit its column, with the path of its file where no column hides it.
func (g fileGroup) rowErrorMessageExpr(prefix, column string) string {
	message := quoteLiteral(prefix + column + rowErrorTextBeforeFile)
	if slices.ContainsFunc(g.columns, func(c fileGroupColumn) bool { return foldColumnName(c.name) == fileNameColumn }) {
		return message
	}
	return message + " || " + fileNameColumn
}
