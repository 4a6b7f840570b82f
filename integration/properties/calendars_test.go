package properties_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/integration/reference"
)

// periodNames are the periods of the calendar that some models have.
var periodNames = []string{"fweek", "fmonth", "fyear", "fpair"}

// calendarDataset makes a calendar around the turn of a year: weeks of a few days, months of some
// weeks and years of some months. It lacks days, and some days are in no period of a name. A pair is two months
// of the year, and declared so.
func (r *maker) calendarDataset() *dataset {
	d := &dataset{name: "fdays", key: []string{"fday"}, columns: []*col{{"fday", "DATE"}}, fields: []*field{{name: "fday", expr: "fday", kind: day, typed: true}}}
	var periods []string
	for _, name := range periodNames {
		k := pick(r, []kind{text, whole})
		d.columns = append(d.columns, &col{name + "_of", sqlTypes[k]})
		d.fields = append(d.fields, &field{name: name + "_of", expr: name + "_of", kind: k, typed: true})
		if name == "fpair" {
			periods = append(periods, `"fpair": {"field": "fpair_of", "whole": "month"}`)
			continue
		}
		periods = append(periods, fmt.Sprintf(`"%s": "%s_of"`, name, name))
	}
	d.calendar = `{"date": "fday", "periods": {` + strings.Join(periods, ", ") + "}}"
	first := 19692 + pick(r, []int{-40, 0, 20, 45}) // 2023-12-01, and days before and after it
	length := pick(r, []int{3, 7, 12})
	var week, month, year int
	for at, days := 0, 60+r.IntN(120); at < days; at++ {
		if at > 0 && r.chance(100/length) {
			week++
			if r.chance(30) {
				month++
				if r.chance(30) {
					year++
				}
			}
		}
		if r.chance(5) {
			continue
		}
		row := reference.Row{"fday": reference.Date(first + at)}
		for i, number := range []int{week, month, year} {
			row[periodNames[i]+"_of"] = r.periodValue(d.field(periodNames[i]+"_of"), number)
		}
		date := time.Unix(int64(first+at)*24*60*60, 0).UTC()
		row["fpair_of"] = numberedPeriod(d.field("fpair_of"), (date.Year()*12+int(date.Month()))/2%90)
		d.rows = append(d.rows, row)
	}
	r.Shuffle(len(d.rows), func(i, j int) { d.rows[i], d.rows[j] = d.rows[j], d.rows[i] })
	return d
}

// periodValue returns what a day has for the period of a number.
func (r *maker) periodValue(f *field, number int) reference.Value {
	if r.chance(3) {
		return nil
	}
	return numberedPeriod(f, number)
}

func numberedPeriod(f *field, number int) reference.Value {
	if f.kind == text {
		return fmt.Sprintf("p%d", 100-number) // in another order than the days
	}
	return float64(number)
}

// isPeriod reports whether a grain is a period of the calendar.
func isPeriod(grain string) bool { return slices.Contains(periodNames, grain) }

// unit returns a random grain, or often a period where the model has a calendar.
func (r *maker) unit(grains []string) string {
	if r.m.calendar != nil && r.chance(60) {
		return pick(r, periodNames)
	}
	return pick(r, grains)
}

// tables returns the datasets and the calendar.
func (m *model) tables() []*dataset {
	if m.calendar == nil {
		return m.datasets
	}
	return append(slices.Clone(m.datasets), m.calendar)
}
