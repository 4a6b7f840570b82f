package integration_test

import (
	"fmt"
	"strconv"
	"strings"
)

// timeFaults lists faults of stored times: each layout, and each period.
func timeFaults() []plantedFault {
	var out []plantedFault
	for _, f := range []struct{ format, good, bad string }{
		{"yyyy", "2024", "24"},
		{"yyyyMM", "202402", "202413"},
		{"yyyy-MM", "2024-02", "2024-2"},
		{"yyyyQ", "20244", "20245"},
		{"yyyy-''Q''Q", "2024-Q1", "2024-01"},
		{"yyyyww", "202401", "202454"},
		{"yyyy-''W''ww", "2020-W53", "2021-W53"},
		{"yyyyMMdd", "20240229", "20230229"},
		{"yyyy-MM-dd", "2024-01-31", "2024-04-31"},
		{"yyyy/MM/dd", "2024/01/31", "2024-01-31"},
		{"yyyyMMddHH", "2024010123", "2024010124"},
		{"yyyyMMddHHmm", "202401012359", "202401012360"},
		{"yyyy-MM-dd HH:mm:ss", "2024-01-01 10:00:59", "2024-01-01 10:00:60"},
	} {
		out = append(out, timeFault(f.format, "String", "VARCHAR(30)", quoteSQL(f.good), quoteSQL(f.bad), f.bad))
		if digits := f.format; strings.Trim(digits, "yMdHmswQ") == "" {
			out = append(out, timeFault(f.format, "Integer", "BIGINT", f.good, f.bad, f.bad))
		}
	}
	for format, beyond := range map[string]int64{"epoch_seconds": 253402300800, "epoch_millis": 253402300800000, "epoch_days": 2932897} {
		bad := strconv.FormatInt(beyond, 10)
		out = append(out, timeFault(format, "Integer", "BIGINT", strconv.FormatInt(beyond-1, 10), bad, bad))
	}
	for _, g := range []struct{ grain, good, bad string }{
		{"week", "2024-01-01", "2024-01-02"},
		{"month", "2024-02-01", "2024-02-29"},
		{"quarter", "2024-04-01", "2024-05-01"},
		{"year", "2024-01-01", "2024-02-01"},
	} {
		out = append(out, grainFault(g.grain, "Date", "DATE", quoteSQL(g.good), quoteSQL(g.bad), g.bad, ""))
		code := func(day string) string { return strings.ReplaceAll(day, "-", "") }
		out = append(out, grainFault(g.grain, "Integer", "INTEGER", code(g.good), code(g.bad), code(g.bad), `"time": {"format": "yyyyMMdd"}, `))
	}
	return out
}

func quoteSQL(text string) string { return "'" + text + "'" }

func timeModel(datatype, payload string) string {
	return modelOf([]string{modelDataset("events", "events", "", modelField("at", datatype, `"at"`, payload))}, "", metricLine("n", `COUNT(events."at")`))
}

func timeFault(format, datatype, column, good, bad, shown string) plantedFault {
	shownFormat := strings.ReplaceAll(format, "''", "'")
	create := "CREATE TABLE events (\"at\" " + column + ");\nINSERT INTO events VALUES (" + good + "), (NULL);\n"
	return plantedFault{
		name:  "the format " + format + " of " + datatype,
		model: timeModel(datatype, `"time": {"format": "`+format+`"}`),
		data:  create + "INSERT INTO events VALUES (" + bad + ");\n",
		want: []string{fmt.Sprintf("error time_format_mismatch at datasets[0].fields[0]: 1 of 2 values of events.at do not fit the format %s, for example `%s`",
			shownFormat, shown)},
		clean: create,
	}
}

func grainFault(grain, datatype, column, good, bad, shown, payload string) plantedFault {
	create := "CREATE TABLE events (\"at\" " + column + ");\nINSERT INTO events VALUES (" + good + "), (NULL);\n"
	return plantedFault{
		name:  "the " + grain + " of " + datatype,
		model: timeModel(datatype, payload+`"time_granularity": "`+grain+`"`),
		data:  create + "INSERT INTO events VALUES (" + bad + ");\n",
		want: []string{fmt.Sprintf("warning granularity_mismatch at datasets[0].fields[0]: 1 of 2 values of events.at are not the first day of a %s, for example `%s`",
			grain, shown)},
		clean: create,
	}
}
