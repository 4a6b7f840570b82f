package reference_test

import "testing"

// glaze has a date dimension and two axes.
const glaze = `
	jar(id! Integer, day Date, at DateTimeTz, shop String, g Integer)
	days(d! Date, yr Integer, season String, fy Integer, half Integer)
	jar.day -> days.d
	weight: SUM(jar.g) {"time_dimension":"day"}
	n: COUNT(jar.id) {"time_dimension":"day"}
	running: SUM(jar.g) {"time_dimension":"day","window":{"type":"cumulative","function":"sum"}}
	before: SUM(jar.g) {"time_dimension":"day","window":{"type":"pop","offset":"1 month","calculation":"value"}}
	yesterday: SUM(jar.g) {"time_dimension":"day","window":{"type":"pop","offset":"1 day","calculation":"value"}}
	hours: COUNT(jar.id) {"time_dimension":"at","window":{"type":"cumulative","function":"sum"}}`

func glazeWorld(t *testing.T) world {
	return given(t, glaze, map[string]string{
		"jar":  "id day at shop g\n1 2023-12-31 2023-12-31T12:00:00 a 1\n2 2024-01-01 2024-03-30T23:30:00 a 2\n3 2024-02-01 2024-03-31T21:59:00 b 4\n4 2024-07-01 2024-03-31T22:00:00 a 8",
		"days": "d yr season fy half\n2023-12-31 2023 winter 2024 1\n2024-01-01 2024 winter 2024 2\n2024-02-01 2024 winter 2024 2\n2024-02-02 2024 winter 2024 2\n2024-07-01 2024 summer 2025 1",
	})
}

// The year of a month, its quarter and their numbers are attributes: the month before January 2024 is December 2023.
func TestAttribute_DoesNotPartitionWindows(t *testing.T) {
	w := glazeWorld(t)
	for _, attribute := range []string{
		`{"field":"metric_time","grain":"year","name":"y"}`,
		`{"field":"jar.day","grain":"year","name":"y"}`,
		`{"name":"y","expression":"DATE_TRUNC('year', jar.day)"}`,
		`{"name":"y","expression":"CAST(DATE_TRUNC('year', jar.day) AS DATE)"}`,
	} {
		w.answers(t, `{"metrics":["weight","running","before"],"group_by":[{"field":"metric_time","grain":"month"},`+attribute+`],"time_range":{"start":"2023-12-01","end":"2024-04-01"},"fill":{},"totals":[["y"]],"order_by":[{"key":"metric_time__month"}]}`, `
			metric_time__month | y | weight | running | before | level
			2023-12-01 | 2023-01-01 | 1 | 1 | ∅ | 0
			2024-01-01 | 2024-01-01 | 2 | 3 | 1 | 0
			2024-02-01 | 2024-01-01 | 4 | 7 | 2 | 0
			2024-03-01 | 2024-01-01 | ∅ | 7 | 4 | 0
			∅ | 2023-01-01 | 1 | ∅ | ∅ | 1
			∅ | 2024-01-01 | 6 | ∅ | ∅ | 1`)
	}
	// The weekday is not an attribute of a month, and partitions; by day it is one.
	w.answers(t, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"},{"name":"dow","expression":"EXTRACT(DOW FROM jar.day)"}],"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | dow | running
		2023-12-01 | 0 | 1
		2024-01-01 | 1 | 2
		2024-02-01 | 4 | 4
		2024-07-01 | 1 | 10`)
	w.answers(t, `{"metrics":["running","yesterday"],"group_by":[{"field":"metric_time","grain":"day"},{"name":"dow","expression":"EXTRACT(DOW FROM jar.day)"},{"field":"days.season"},{"field":"jar.day"}],"time_range":{"start":"2024-02-01","end":"2024-02-04"},"fill":{},"order_by":[{"key":"metric_time__day"}]}`, `
		metric_time__day | dow | season | day | running | yesterday
		2024-02-01 | 4 | winter | 2024-02-01 | 7 | ∅
		2024-02-02 | 5 | winter | 2024-02-02 | 7 | 4
		2024-02-03 | 6 | ∅ | 2024-02-03 | 7 | ∅`)
}

// By month nothing proves the year of the dimension: it partitions.
func TestAttribute_FieldOfTheDateDimensionByMonth(t *testing.T) {
	glazeWorld(t).answers(t, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"days.yr"}],"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | yr | running
		2023-12-01 | 2023 | 1
		2024-01-01 | 2024 | 2
		2024-02-01 | 2024 | 6
		2024-07-01 | 2024 | 14`)
}

// compare moves attributes with the bucket.
func TestAttribute_MovesUnderCompare(t *testing.T) {
	glazeWorld(t).answers(t, `{"metrics":["n","running"],"group_by":[{"field":"metric_time","grain":"month"},{"name":"y","expression":"EXTRACT(YEAR FROM jar.day)"},{"field":"metric_time","grain":"quarter"}],"time_range":{"start":"2024-01-01","end":"2024-04-01"},"compare":{"offset":{"count":1,"unit":"month"}},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | y | metric_time__quarter | n | running | n__previous | n__change | n__change_ratio | running__previous | running__change | running__change_ratio
		2024-01-01 | 2024 | 2024-01-01 | 1 | 3 | 1 | 0 | 0 | 1 | 2 | 2
		2024-02-01 | 2024 | 2024-01-01 | 1 | 7 | 1 | 0 | 0 | 3 | 4 | 1.333333333
		2024-03-01 | 2024 | 2024-01-01 | 0 | 7 | 1 | -1 | -1 | 7 | 0 | 0`)
}

func TestAttribute_GrainsThatDoNotDivide(t *testing.T) {
	w := glazeWorld(t)
	w.refuses(t, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","grain":"week"}]}`, "not_implemented")
	w.refuses(t, `{"metrics":["n"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","grain":"week"}],"time_range":{"start":"2024-01-01","end":"2024-02-01"},"fill":{}}`, "not_implemented")
	// A window without an order of time takes them as they are.
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","grain":"week"}],"time_range":{"start":"2024-02-01","end":"2024-03-01"}}`, `
		metric_time__month | metric_time__week | n
		2024-02-01 | 2024-01-29 | 1`)
}

// The day of 31 March 2024 has 23 hours in Berlin: from 30 March, 23:00, until 31 March, 22:00 of UTC.
func TestWindowLaw_DayOfAClockChange(t *testing.T) {
	glazeWorld(t).answers(t, `{"metrics":["hours"],"group_by":[{"field":"metric_time","grain":"day"}],"time_zone":"Europe/Berlin","time_range":{"start":"2024-03-30","end":"2024-04-02"},"fill":{},"order_by":[{"key":"metric_time__day"}]}`, `
		metric_time__day | hours
		2024-03-30 | 1
		2024-03-31 | 3
		2024-04-01 | 4`)
}
