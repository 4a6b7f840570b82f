package duckdb

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// inspectFile finds out the columns of one file.
func inspectFile(ctx context.Context, c *connection, t datafiles.Table, f datafiles.File) (inspectedFile, error) {
	if f.Size == 0 {
		return inspectedFile{}, invalidFileError(f, "it is empty", "")
	}
	var found inspectedFile
	var err error
	switch t.Format {
	case datafiles.FormatParquet:
		found.columns, err = describeReaderColumns(ctx, c, "read_parquet("+quoteLiteral(globForExactPath(f.Path))+", hive_partitioning = false)")
	case datafiles.FormatCSV:
		found, err = inspectCSV(ctx, c, f)
	case datafiles.FormatJSON:
		found, err = inspectJSON(ctx, c, f)
	}
	found.file = f
	if err == nil && len(found.columns) == 0 && !found.untyped {
		err = invalidFileError(f, "it has no column", "")
	}
	return found, inspectionError(f, t.Format, err)
}

// invalidFileError returns the error of a file that cannot become a table.
func invalidFileError(f datafiles.File, why, hint string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: "the data file " + strconv.Quote(f.Name) + " cannot be read: " + why, Hint: hint}
}

func describeReaderColumns(ctx context.Context, c *connection, reader string) ([]dataFileColumn, error) {
	rows, err := c.queryTextRows(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "+reader+")")
	if err != nil {
		return nil, err
	}
	columns := make([]dataFileColumn, len(rows))
	for i, row := range rows {
		columns[i] = dataFileColumn{row[0], row[1]}
	}
	return columns, nil
}

// inspectCSV asks DuckDB's sniffer for the form and the columns of a CSV file.
func inspectCSV(ctx context.Context, c *connection, f datafiles.File) (inspectedFile, error) {
	content, err := sampleTextFile(ctx, f)
	if err != nil {
		return inspectedFile{}, invalidFileError(f, err.Error(), "")
	}
	call := "sniff_csv(" + quoteLiteral(globForExactPath(f.Path)) + compressionOption(f) + ", skip = 0, comment = ''" + content.sampleSizeOption()
	if f.Variant == datafiles.RecordLayoutTabSeparated {
		call += `, delim = '\t'`
	}
	rows, err := c.queryTextRows(ctx, "SELECT Delimiter, Quote, Escape, HasHeader::VARCHAR, coalesce(DateFormat, ''), coalesce(TimestampFormat, ''), to_json(Columns)::VARCHAR FROM "+call+")")
	if err != nil {
		return inspectedFile{}, err
	}
	row := rows[0]
	delim, quote, escape, hasHeader := row[0], row[1], row[2], row[3] == "true"
	if !hasHeader {
		return inspectedFile{}, invalidFileError(f, "its first line holds values, not the names of columns", "write a header line first")
	}
	const none = "(empty)"
	if quote == none || quote == "" {
		quote = ""
		if !content.hasQuote {
			quote = `"` // a later row may need it
		}
	}
	if escape == none || escape == "" {
		escape = quote
	}
	var columns []struct{ Name, Type string }
	if err := json.Unmarshal([]byte(row[6]), &columns); err != nil {
		return inspectedFile{}, driver.DriverFailureError("DuckDB lists the columns of a CSV file in a way that is not known", err)
	}
	found := inspectedFile{untyped: content.complete && content.lines <= 1}
	for _, col := range columns {
		found.columns = append(found.columns, dataFileColumn{col.Name, col.Type})
	}
	found.options = compressionOption(f) + ", header = true, skip = 0, comment = '', strict_mode = true, auto_detect = true, sample_size = 1" +
		", delim = " + quoteLiteral(delim) + ", quote = " + quoteLiteral(quote) + ", escape = " + quoteLiteral(escape)
	if row[4] != "" {
		found.options += ", dateformat = " + quoteLiteral(row[4])
	}
	if row[5] != "" {
		found.options += ", timestampformat = " + quoteLiteral(row[5])
	}
	found.file = f
	if err := c.readPlainDecimalsAsDecimals(ctx, datafiles.FormatCSV, &found, content); err != nil {
		return found, err
	}
	found.noteFloats()
	return found, c.noteAmbiguousDays(ctx, &found, content, row[4], row[5])
}

// inspectJSON asks DuckDB for the columns of a JSON file.
func inspectJSON(ctx context.Context, c *connection, f datafiles.File) (inspectedFile, error) {
	content, err := sampleTextFile(ctx, f)
	if err != nil {
		return inspectedFile{}, invalidFileError(f, err.Error(), "")
	}
	found := inspectedFile{options: compressionOption(f) + ", records = 'true', format = 'array'"}
	if f.Variant == datafiles.RecordLayoutJSONLines {
		found.options = strings.Replace(found.options, "'array'", "'newline_delimited'", 1)
	}
	if content.complete && content.values == 0 {
		found.untyped = true
		return found, nil
	}
	found.columns, err = describeReaderColumns(ctx, c, "read_json("+quoteLiteral(globForExactPath(f.Path))+found.options+content.sampleSizeOption()+")")
	if err != nil {
		return found, err
	}
	found.file = f
	err = c.readPlainDecimalsAsDecimals(ctx, datafiles.FormatJSON, &found, content)
	found.noteFloats()
	return found, err
}

// compressionOption names the compression of a text file: the name of the target of a link may lack it.
func compressionOption(f datafiles.File) string {
	return ", compression = " + quoteLiteral([...]string{"uncompressed", "gzip", "zstd"}[f.Compression])
}
