package duckdb

import (
	"context"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// dayAndMonthFirstPattern matches the formats of dates that begin with the day or the month: 01/02/2024.
var dayAndMonthFirstPattern = regexp.MustCompile(`^%-?[dm][^%\w]*%-?[dm]`)

// noteAmbiguousDays notes the columns of dates and timestamps that are read day first or month first and whose values are all valid in
// the other order as well.
func (c *connection) noteAmbiguousDays(ctx context.Context, found *inspectedFile, sample textFileSample, dateFormat, timestampFormat string) error {
	for _, col := range found.columns {
		format := map[string]string{dateTypeName: dateFormat, timestampTypeName: timestampFormat}[col.typ]
		if !dayAndMonthFirstPattern.MatchString(format) {
			continue
		}
		swapped := strings.NewReplacer("d", "m", "m", "d").Replace(format)
		value, day := "trim("+quoteIdentifier(col.name)+")", func(format string) string {
			return "strftime(strptime(value, " + quoteLiteral(format) + "), '%Y-%m-%d')"
		}
		parsed := func(format string) string { return "try_strptime(" + value + ", " + quoteLiteral(format) + ")" }
		rows, err := c.queryTextRows(ctx, "SELECT value, "+day(format)+", "+day(swapped)+" FROM (SELECT bool_and("+parsed(swapped)+" IS NOT NULL) AS swappable, min("+value+
			") FILTER ("+parsed(format)+" <> "+parsed(swapped)+") AS value FROM "+found.rowsAsText(datafiles.FormatCSV, sample)+") WHERE swappable AND value IS NOT NULL")
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			continue
		}
		order, other := "day first", "month first"
		if strings.TrimLeft(format, "%-")[0] == 'm' {
			order, other = other, order
		}
		found.notes = append(found.notes, datafiles.ColumnNote{
			Column: col.name, AmbiguousDays: true,
			Text: "the days are ambiguous: " + rows[0][0] + " is read as " + rows[0][1] + ", " + order + ", and could be " + rows[0][2] + ", " + other +
				"; write the days with the year first, as " + rows[0][1] + ", to choose",
		})
	}
	return nil
}

// noteFloats notes the columns that are read as floats.
func (found *inspectedFile) noteFloats() {
	for _, col := range found.columns {
		if col.typ == doubleTypeName {
			found.notes = append(found.notes, datafiles.ColumnNote{
				Column: col.name, Text: "the column is Float, whose sums are not exact: its values have too many digits for a decimal, or exponents",
			})
		}
	}
}
