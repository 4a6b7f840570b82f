package duckdb

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
	"github.com/semlayer/semlayer/executor/internal/execerr"
)

// inspectFile finds out the columns of one file.
func inspectFile(ctx context.Context, c *connection, t datafiles.Table, f datafiles.File) (fileColumns, error) {
	if f.Size == 0 {
		return fileColumns{}, invalidFile(f, "it is empty", "")
	}
	var found fileColumns
	var err error
	switch t.Format {
	case datafiles.Parquet:
		found.columns, err = describeReader(ctx, c, "read_parquet("+literal(exactPath(f.Path))+", hive_partitioning = false)")
	case datafiles.CSV:
		found, err = inspectCSV(ctx, c, f)
	case datafiles.JSON:
		found, err = inspectJSON(ctx, c, f)
	}
	found.file = f
	if err == nil && len(found.columns) == 0 && !found.untyped {
		err = invalidFile(f, "it has no column", "")
	}
	return found, fileError(f, t.Format, err)
}

// invalidFile is the error of a file that cannot become a table.
func invalidFile(f datafiles.File, why, hint string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: "the data file " + strconv.Quote(f.Name) + " cannot be read: " + why, Hint: hint}
}

func describeReader(ctx context.Context, c *connection, reader string) ([]dataColumn, error) {
	rows, err := c.texts(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "+reader+")")
	if err != nil {
		return nil, err
	}
	columns := make([]dataColumn, len(rows))
	for i, row := range rows {
		columns[i] = dataColumn{row[0], row[1]}
	}
	return columns, nil
}

// inspectCSV asks DuckDB's sniffer for the form and the columns of a CSV file.
func inspectCSV(ctx context.Context, c *connection, f datafiles.File) (fileColumns, error) {
	content, err := scanText(ctx, f)
	if err != nil {
		return fileColumns{}, invalidFile(f, err.Error(), "")
	}
	call := "sniff_csv(" + literal(exactPath(f.Path)) + compression(f) + ", skip = 0, comment = ''" + content.sample()
	if f.Variant == datafiles.TabSeparated {
		call += `, delim = '\t'`
	}
	rows, err := c.texts(ctx, "SELECT Delimiter, Quote, Escape, HasHeader::VARCHAR, coalesce(DateFormat, ''), coalesce(TimestampFormat, ''), to_json(Columns)::VARCHAR FROM "+call+")")
	if err != nil {
		return fileColumns{}, err
	}
	row := rows[0]
	delim, quote, escape, hasHeader := row[0], row[1], row[2], row[3] == "true"
	if !hasHeader {
		return fileColumns{}, invalidFile(f, "its first line holds values, not the names of columns", "write a header line first")
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
		return fileColumns{}, execerr.Driver("DuckDB lists the columns of a CSV file in a way that is not known", err)
	}
	found := fileColumns{untyped: content.complete && content.lines <= 1}
	for _, col := range columns {
		found.columns = append(found.columns, dataColumn{col.Name, col.Type})
	}
	found.options = compression(f) + ", header = true, skip = 0, comment = '', strict_mode = true, auto_detect = true, sample_size = 1" +
		", delim = " + literal(delim) + ", quote = " + literal(quote) + ", escape = " + literal(escape)
	if row[4] != "" {
		found.options += ", dateformat = " + literal(row[4])
	}
	if row[5] != "" {
		found.options += ", timestampformat = " + literal(row[5])
	}
	return found, nil
}

// inspectJSON asks DuckDB for the columns of a JSON file.
func inspectJSON(ctx context.Context, c *connection, f datafiles.File) (fileColumns, error) {
	content, err := scanText(ctx, f)
	if err != nil {
		return fileColumns{}, invalidFile(f, err.Error(), "")
	}
	found := fileColumns{options: compression(f) + ", records = 'true', format = 'array'"}
	if f.Variant == datafiles.Lines {
		found.options = strings.Replace(found.options, "'array'", "'newline_delimited'", 1)
	}
	if content.complete && content.values == 0 {
		found.untyped = true
		return found, nil
	}
	found.columns, err = describeReader(ctx, c, "read_json("+literal(exactPath(f.Path))+found.options+content.sample()+")")
	return found, err
}

// compression names the compression of a text file: the name of the target of a link may lack it.
func compression(f datafiles.File) string {
	return ", compression = " + literal([...]string{"uncompressed", "gzip", "zstd"}[f.Compression])
}
