package generate

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor/tables"
)

// textDateLayout is a way to write a date or a timestamp in a text, with the expression that reads it. COLUMN stands for the
// expression of the column.
type textDateLayout struct {
	name, layout, expression string
	datatype                 tables.Datatype
}

// textDateLayouts are the layouts whose parts have fixed places. Where days and months can be exchanged, day first comes first.
var textDateLayouts = []textDateLayout{
	{"yyyy-MM-dd", time.DateOnly, "CAST(COLUMN AS DATE)", tables.DatatypeDate},
	{"yyyy-MM-dd HH:mm:ss", time.DateTime, "CAST(COLUMN AS TIMESTAMP)", tables.DatatypeDateTime},
	{"yyyy-MM-ddTHH:mm:ss", "2006-01-02T15:04:05", "CAST(COLUMN AS TIMESTAMP)", tables.DatatypeDateTime},
	{"yyyyMMdd", encodedDateLayout, dateOfParts("1, 4", "5, 2", "7, 2"), tables.DatatypeDate},
	{"yyyy/MM/dd", "2006/01/02", dateOfParts("1, 4", "6, 2", "9, 2"), tables.DatatypeDate},
	{"dd/MM/yyyy", "02/01/2006", dateOfParts("7, 4", "4, 2", "1, 2"), tables.DatatypeDate},
	{"MM/dd/yyyy", "01/02/2006", dateOfParts("7, 4", "1, 2", "4, 2"), tables.DatatypeDate},
	{"dd.MM.yyyy", "02.01.2006", dateOfParts("7, 4", "4, 2", "1, 2"), tables.DatatypeDate},
	{"dd-MM-yyyy", "02-01-2006", dateOfParts("7, 4", "4, 2", "1, 2"), tables.DatatypeDate},
	{"MM-dd-yyyy", "01-02-2006", dateOfParts("7, 4", "1, 2", "4, 2"), tables.DatatypeDate},
}

// dateOfParts returns the expression of a date whose year, month and day are at places of a text.
func dateOfParts(year, month, day string) string {
	part := func(place string) string { return "SUBSTRING(COLUMN, " + place + ")" }
	return "CAST(" + part(year) + " || '-' || " + part(month) + " || '-' || " + part(day) + " AS DATE)"
}

// noteDatesInTexts notes the texts that are all dates, with the expression that makes a date of them.
func (g *generator) noteDatesInTexts() {
	if g.options.NoInfer {
		return
	}
	for _, d := range g.datasets {
		var fields []*columnField
		var columns []string
		for _, f := range d.fields {
			if f.datatype == tables.DatatypeString {
				fields, columns = append(fields, f), append(columns, f.column.Name)
			}
		}
		if d.table.Empty || len(fields) == 0 {
			continue
		}
		rows, err := g.proofs.SampleTexts(g.ctx, d.table, columns)
		if err != nil {
			g.noteFailureOrStopRun(d.name+": the dates in texts", err)
		}
		if g.err != nil {
			return
		}
		for i, f := range fields {
			g.noteDatesInText(f, rows, i)
		}
	}
}

// noteDatesInText notes a field whose sampled texts are all dates.
func (g *generator) noteDatesInText(f *columnField, rows [][]*string, column int) {
	var texts []string
	for _, row := range rows {
		if row[column] != nil {
			texts = append(texts, *row[column])
		}
	}
	fits := func(l textDateLayout) bool {
		return !slices.ContainsFunc(texts, func(text string) bool {
			at, err := time.Parse(l.layout, text)
			return err != nil || at.Format(l.layout) != text || at.Year() < 1900 || at.Year() > 2100
		})
	}
	var found []textDateLayout
	for _, l := range textDateLayouts {
		if len(texts) > 0 && fits(l) {
			found = append(found, l)
		}
	}
	if len(found) == 0 {
		return
	}
	which := "every text"
	if len(rows) == maxTypeSampleValues {
		which = "every text of the first " + formatInteger(maxTypeSampleValues) + " rows"
	}
	source := g.fieldExpression(f)
	note := f.qualifiedName() + ": " + which + " is a date, such as " + shortenTextForMessage(texts[0]) + "; for a time field write"
	for i, l := range found {
		if i > 0 {
			note += ", or, if these are " + l.name + ","
		}
		note += " the datatype " + string(l.datatype) + " and the expression " + strings.ReplaceAll(l.expression, "COLUMN", source)
	}
	g.addNote(note)
}
