package duckdb

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
)

// reasonsOfMessages are the reasons that the words of DuckDB mean. Each word is in one message about a whole file.
var reasonsOfMessages = []struct{ words, reason string }{
	{"It was not possible to automatically detect the CSV parsing dialect", "it is not CSV text"},
	{"No magic bytes found at end of file", "it is not a Parquet file"},
	{"too small to be a Parquet file", "it is not a Parquet file"},
	{"Malformed JSON", "it is not JSON text"},
	{"Expected top-level JSON array", "it is not an array of JSON objects"},
	{"Input is not a GZIP stream", "it is not compressed by gzip"},
	{"ZSTD Decompression failed", "it is not compressed by zstd"},
	{"Invalid unicode", "it is not UTF-8 text"},
	{"file system operations are disabled", "it does not exist"},
	{"No files found that match the pattern", "it does not exist"},
}

// reasonOfKnownMessage returns the reason that a message of DuckDB means, "" for another message.
func reasonOfKnownMessage(message string) string {
	for _, m := range reasonsOfMessages {
		if strings.Contains(message, m.words) {
			return m.reason
		}
	}
	return ""
}

// findUnreadableFile returns the error of a statement that failed because a registered file is missing or has another
// content, nil if no file is the reason. An error about a row of a file is not its concern.
func (c *connection) findUnreadableFile(sql string, e *executor.Error) error {
	r := c.in.data
	if e.Code != executor.CodeSQLRejected && e.Code != executor.CodeDriver {
		return nil
	}
	if lost, ok := r.findLostFile(e.MissingTable); ok {
		return unreadableFileError(lost.registeredFile, "it does not exist", lost.readAt, time.Time{})
	}
	named, isNamed := r.findFileInMessage(e.Message)
	if isNamed {
		if _, place := r.reasonAndPlaceOfRowError(e.Message); place != "" {
			return nil
		}
	}
	sql = strings.ToLower(sql)
	for _, f := range r.files {
		if isNamed && f.Path != named.Path || !isNamed && !strings.Contains(sql, strings.ToLower(f.table)) {
			continue
		}
		if reason, changed := c.reasonOfUnreadableFile(f); reason != "" {
			return unreadableFileError(f, reason, r.readAt, changed)
		}
	}
	return nil
}

// unreadableFileError returns the error about a file that was read at a time, and has changed at another if it still exists.
func unreadableFileError(f registeredFile, reason string, readAt, changed time.Time) error {
	when := "the file was read without an error at " + formatFileTime(readAt)
	if !changed.IsZero() {
		when = "the file was changed at " + formatFileTime(changed)
	}
	return &executor.Error{
		Code: executor.CodeSQLRejected, Message: "the data file " + strconv.Quote(f.Name) + " cannot be read: " + reason,
		Hint: "table " + f.table + ", file " + strconv.Quote(f.Name) + "; " + when,
	}
}

func formatFileTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// reasonOfUnreadableFile returns why a file cannot be read any more, "" if it can, and when the file was changed.
func (c *connection) reasonOfUnreadableFile(f registeredFile) (reason string, changed time.Time) {
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist", time.Time{}
	case err != nil:
		return "it cannot be opened", time.Time{}
	case info.IsDir():
		return "it is a folder", info.ModTime()
	case info.ModTime().Equal(f.Modified) && info.Size() == f.Size:
		return "", time.Time{}
	case info.Size() == 0:
		return "it is empty", info.ModTime()
	}
	for _, g := range c.in.data.groups {
		if slices.ContainsFunc(g.files, func(o datafiles.File) bool { return o.Path == f.Path }) {
			return c.compareFileColumns(g, f), info.ModTime()
		}
	}
	return "", time.Time{}
}

// compareFileColumns returns how the columns of a file differ from those that were registered, "" if each of them is there.
// Only Parquet files declare types.
func (c *connection) compareFileColumns(g fileGroup, f registeredFile) string {
	rows, err := c.queryTextRowsWithParams("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + g.detectingReaderCallSQL(f.File) + ")")
	if err != nil {
		why, _ := c.in.data.reasonAndPlaceOfRowError(err.Error())
		return why
	}
	var missing []string
	for _, column := range g.columns {
		isKey := slices.Contains(g.keys, column.name)
		at := slices.IndexFunc(rows, func(row []string) bool { return foldColumnName(row[0]) == foldColumnName(column.name) })
		switch {
		case at < 0 && !isKey:
			missing = append(missing, strconv.Quote(column.name))
		case at >= 0 && g.format == datafiles.FormatParquet && rows[at][1] != column.read:
			return "its column " + strconv.Quote(column.name) + " has the type " + rows[at][1] + " and had the type " + column.read
		}
	}
	if len(missing) == 0 || g.format == datafiles.FormatJSON { // an object may lack a member
		return ""
	}
	return "it no longer has the columns " + strings.Join(missing, ", ")
}

// lostFile is a file of an earlier registration whose table has no file any more.
type lostFile struct {
	registeredFile
	readAt time.Time
}

// keepLostFiles keeps the files of an earlier registration whose tables have no file any more, one for each table.
func (r *dataFileRegistration) keepLostFiles(earlier *dataFileRegistration) {
	keep := func(f lostFile) {
		isTable := func(o registeredFile) bool { return o.table == f.table }
		_, isKnown := r.findLostFile(f.table)
		if !isKnown && !slices.ContainsFunc(r.files, isTable) {
			r.lost = append(r.lost, f)
		}
	}
	for _, f := range earlier.files {
		keep(lostFile{f, earlier.readAt})
	}
	for _, f := range earlier.lost {
		keep(f)
	}
}

func (r *dataFileRegistration) findLostFile(table string) (lostFile, bool) {
	for _, f := range r.lost {
		if strings.EqualFold(f.table, table) {
			return f, true
		}
	}
	return lostFile{}, false
}
