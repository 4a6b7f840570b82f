package duckdb

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// The numbers of digits that a decimal column of a text file has at most. DuckDB reads each number of JSON through
// a double, which holds 15 digits.
const (
	maxCSVDecimalDigits  = 18
	maxJSONDecimalDigits = 15
)

// readPlainDecimalsAsDecimals gives columns of floats whose values are plain decimals the type DECIMAL, with the scale that they have.
func (c *connection) readPlainDecimalsAsDecimals(ctx context.Context, format datafiles.Format, found *inspectedFile, sample textFileSample) error {
	var list []string
	for _, col := range found.columns {
		if col.typ == doubleTypeName {
			value := "trim(" + quoteIdentifier(col.name) + ")"
			list = append(list, "bool_and(regexp_full_match("+value+", '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)'))::VARCHAR",
				"max(length(ltrim(split_part("+value+", '.', 1), '+-0')))::VARCHAR", "max(length(split_part("+value+", '.', 2)))::VARCHAR")
		}
	}
	if len(list) == 0 {
		return nil
	}
	seen, err := c.queryTextRows(ctx, "SELECT "+strings.Join(list, ", ")+" FROM "+found.rowsAsText(format, sample))
	if err != nil {
		return err
	}
	digits := maxCSVDecimalDigits
	if format == datafiles.FormatJSON {
		digits = maxJSONDecimalDigits
	}
	next := seen[0]
	for i, col := range found.columns {
		if col.typ != doubleTypeName {
			continue
		}
		integers, scale := atoiOrZero(next[1]), atoiOrZero(next[2])
		if next[0] == "true" && integers+scale <= digits {
			found.columns[i].typ = "DECIMAL(" + strconv.Itoa(digits) + "," + strconv.Itoa(scale) + ")"
		}
		next = next[3:]
	}
	return nil
}

// rowsAsText returns the rows of the sample of a file, whose values are texts.
func (found *inspectedFile) rowsAsText(format datafiles.Format, sample textFileSample) string {
	g := fileGroup{format: format, options: found.options}
	for _, col := range found.columns {
		g.columns = append(g.columns, fileGroupColumn{col.name, varcharTypeName, varcharTypeName})
	}
	rows := "(SELECT * FROM " + g.readerCallSQL([]datafiles.File{found.file})
	if !sample.complete {
		rows += " LIMIT " + strconv.Itoa(max(sample.lines-1, sample.values-1, 1)) // the last may be incomplete
	}
	return rows + ")"
}

func atoiOrZero(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

var decimalTypePattern = regexp.MustCompile(`^DECIMAL\(\d+,(\d+)\)$`)

// fitsDecimalCondition is the condition that a text is a decimal of a type, with no more decimals than it has. A cast rounds.
func fitsDecimalCondition(value, typ string) string {
	scale := decimalTypePattern.FindStringSubmatch(typ)[1]
	return "(strpos(" + value + ", '.') = 0 OR length(rtrim(" + value + ", '0 ')) - strpos(" + value + ", '.') <= " + scale + ")" +
		" AND NOT contains(lower(" + value + "), 'e') AND TRY_CAST(" + value + " AS " + typ + ") IS NOT NULL"
}
