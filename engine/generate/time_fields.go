package generate

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor/tables"
)

const encodedDateLayout = "20060102"

// findEncodedDates looks for integers that are dates such as 20240131.
func (g *generator) findEncodedDates() {
	if g.options.NoInfer {
		return
	}
	for _, d := range g.datasets {
		for _, f := range d.fields {
			if d.table.Empty || f.datatype != tables.DatatypeInteger || !strings.Contains(f.name, "date") && !strings.Contains(f.name, "day") {
				continue
			}
			values, complete, err := g.proofs.ListIntegerValues(g.ctx, d.table, f.column.Name)
			if err != nil {
				g.noteFailureOrStopRun(f.qualifiedName()+": the dates", err)
			}
			if g.err != nil {
				return
			}
			f.encodedDate = complete && len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !isEncodedDate(v) })
		}
	}
}

// isEncodedDate reports whether a text is the number of a day from 1900 to 2100.
func isEncodedDate(text string) bool {
	day, err := time.Parse(encodedDateLayout, text)
	return err == nil && len(text) == len(encodedDateLayout) && day.Year() >= 1900 && day.Year() <= 2100
}

// timeFields lists the time fields, the primary one first.
func (d *tableDataset) timeFields() []*columnField {
	var all []*columnField
	for _, f := range d.fields {
		if f.isTime() {
			all = append(all, f)
		}
	}
	for _, name := range d.primaryTimeNameCandidates() {
		if i := slices.IndexFunc(all, func(f *columnField) bool { return f.words == name }); i >= 0 {
			return append([]*columnField{all[i]}, slices.Delete(slices.Clone(all), i, i+1)...)
		}
	}
	return all
}

// primaryTimeNameCandidates lists the names of a primary time field, the likeliest first.
func (d *tableDataset) primaryTimeNameCandidates() []string {
	var out []string
	for _, ending := range []string{"_date", "_at", "_time", "_ts"} {
		for _, base := range d.bases {
			out = append(out, base+ending)
		}
	}
	return append(out, "date", "day", "ts", "timestamp", "time", "event_time",
		"created_at", "created_on", "created", "inserted_at")
}
