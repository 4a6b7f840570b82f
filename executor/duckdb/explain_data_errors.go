package duckdb

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
)

// inspectionError returns the error of the first look at a file: of code config, with the file.
func inspectionError(f datafiles.File, format datafiles.Format, err error) error {
	var e *executor.Error
	if !errors.As(err, &e) || e.Code != executor.CodeSQLRejected && e.Code != executor.CodeDriver {
		return err
	}
	r := &dataFileRegistration{files: []registeredFile{{f, "", format}}}
	why, place := r.reasonAndPlaceOfRowError(e.Message)
	if place != "" {
		why = place + ": " + why
	}
	return invalidFileError(f, why, "")
}

// locateRowError turns DuckDB's error about a row of a data file into one that names the table, the
// file and the line, and keeps the folders of the files to itself.
func (r *dataFileRegistration) locateRowError(err error) error {
	var e *executor.Error
	if r == nil || !errors.As(err, &e) || e.Code != executor.CodeSQLRejected && e.Code != executor.CodeDriver {
		return err
	}
	file, ok := r.findFileInMessage(e.Message)
	if !ok {
		return err
	}
	why, place := r.reasonAndPlaceOfRowError(e.Message)
	return dataFileRowError(file, why, place)
}

func dataFileRowError(file registeredFile, why, place string) error {
	if place != "" {
		place = ", " + place
	}
	return &executor.Error{
		Code:    executor.CodeSQLRejected,
		Message: "the warehouse rejected the SQL: " + why,
		Hint:    "table " + file.table + ", file " + strconv.Quote(file.Name) + place,
	}
}

// explainDataFileError returns the error of a failed statement for the caller. It may run queries on the
// connection.
func (c *connection) explainDataFileError(sql string, err error) error {
	var e *executor.Error
	if c.in.data == nil || !errors.As(err, &e) {
		return err
	}
	if unreadable := c.findUnreadableFile(sql, e); unreadable != nil {
		return unreadable
	}
	_, about, isFraction := strings.Cut(e.Message, fractionErrorPrefix)
	isDecimal := false
	if !isFraction {
		_, about, isDecimal = strings.Cut(e.Message, decimalErrorPrefix)
	}
	column, path, _ := strings.Cut(about, rowErrorTextBeforeFile)
	file, ok := c.in.data.findFileInMessage(path)
	switch {
	case !ok || !isFraction && !isDecimal:
		return c.in.data.locateRowError(err)
	case isFraction:
		return dataFileRowError(file, "the column "+strconv.Quote(column)+" holds integers, and a row has a fraction",
			c.findRowLine(file, column, func(fileGroupColumn) string { return "value <> trunc(value)" }))
	}
	return dataFileRowError(file, "the column "+strconv.Quote(column)+" holds decimals, and a row has more of them or another value",
		c.findRowLine(file, column, func(col fileGroupColumn) string { return "NOT (" + fitsDecimalCondition("value", col.read) + ")" }))
}

// findRowLine returns the line of the first row whose value in a column meets a condition, "" if it is not found. The
// readers give no lines, so it counts rows: a file with empty lines or with line breaks inside of
// values has more lines than that.
func (c *connection) findRowLine(file registeredFile, column string, condition func(fileGroupColumn) string) string {
	for _, g := range c.in.data.groups {
		if !slices.ContainsFunc(g.files, func(f datafiles.File) bool { return f.Path == file.Path }) {
			continue
		}
		at := slices.IndexFunc(g.columns, func(col fileGroupColumn) bool { return col.name == column })
		if at < 0 {
			continue
		}
		first, what := 0, "line "
		if g.format == datafiles.FormatCSV {
			first = 1 // the header
		} else if file.Variant == datafiles.RecordLayoutDefaultOfFormat {
			what = "object "
		}
		value := quoteIdentifier(column)
		line, err := c.queryOneText("SELECT (row + " + strconv.Itoa(first) + ")::VARCHAR FROM (SELECT row_number() OVER () AS row, " + value +
			" AS value FROM " + g.readerCallSQL([]datafiles.File{file.File}) + ") WHERE " + condition(g.columns[at]) + " ORDER BY row LIMIT 1")
		if err == nil && line != "" {
			return what + line
		}
	}
	return ""
}

// findFileInMessage finds the file that a message names: the longest path, because one may be the beginning of another.
func (r *dataFileRegistration) findFileInMessage(message string) (found registeredFile, ok bool) {
	for _, f := range r.files {
		if len(f.Path) > len(found.Path) && strings.Contains(message, f.Path) {
			found, ok = f, true
		}
	}
	return found, ok
}

var (
	csvErrorLinePattern    = regexp.MustCompile(`CSV Error on Line: (\d+)`)
	jsonErrorPlacePattern  = regexp.MustCompile(`in (line|record/value) (\d+)`)
	conversionErrorPattern = regexp.MustCompile(`(?m)^(Error when converting column .*|Expected Number of Columns: .*|Value with unterminated quote.*)$`)
)

// reasonAndPlaceOfRowError shortens DuckDB's message to what is wrong, and the place in the file.
func (r *dataFileRegistration) reasonAndPlaceOfRowError(message string) (why, place string) {
	message = strings.TrimPrefix(message, "the warehouse rejected the SQL: ")
	message = strings.TrimPrefix(message, "DuckDB failed: ")
	if m := csvErrorLinePattern.FindStringSubmatch(message); m != nil {
		place = "line " + m[1]
	} else if m := jsonErrorPlacePattern.FindStringSubmatch(message); m != nil {
		place = strings.Replace(m[1], "record/value", "object", 1) + " " + m[2]
	}
	if known := reasonOfKnownMessage(message); known != "" {
		return known, place
	}
	if m := conversionErrorPattern.FindString(message); m != "" {
		why = m
	} else {
		why, _, _ = strings.Cut(message, "\n")
	}
	for _, f := range r.files {
		why = strings.ReplaceAll(why, f.Path, f.Name)
	}
	return why, place
}
