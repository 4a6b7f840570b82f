// Package demo is the bundled example: a model of a made-up retailer and the
// statements that make its data. The data is the same on every machine.
package demo

import (
	_ "embed"
	"regexp"
	"strings"
	"time"
)

// ModelName of the model, and of the files that hold the example.
const ModelName = "retail"

//go:embed retail.yaml
var embeddedModel []byte

//go:embed retail.sql
var embeddedDataSQL string

//go:embed until.sql
var embeddedUntilSQL string

// ModelText returns the text of the model.
func ModelText() []byte { return append([]byte(nil), embeddedModel...) }

// DataSQL returns the script that creates and fills the tables, for DuckDB.
func DataSQL() string { return embeddedDataSQL }

// storedEnd is the day of the last order in the script.
var storedEnd = time.Date(2024, time.December, 31, 0, 0, 0, 0, time.UTC)

var dateLiteral = regexp.MustCompile(`DATE '(\d{4}-\d{2}-\d{2})'`)

// DataSQLUntil is DataSQL with all dates moved so that the last order is of this day. Later events are left out, and in the last whole
// month the web shop has no orders from the north: a fall for a person to find.
func DataSQLUntil(day time.Time) string {
	year, month, date := day.Date()
	last := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	moved := last.Sub(storedEnd)
	script := dateLiteral.ReplaceAllStringFunc(embeddedDataSQL, func(literal string) string {
		at, err := time.Parse(time.DateOnly, dateLiteral.FindStringSubmatch(literal)[1])
		if err != nil {
			return literal
		}
		return "DATE '" + at.Add(moved).Format(time.DateOnly) + "'"
	})
	return script + strings.ReplaceAll(embeddedUntilSQL, ":last", "DATE '"+last.Format(time.DateOnly)+"'")
}
