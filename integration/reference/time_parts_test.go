package reference_test

import "testing"

const visit = `
	visit(id! Integer, at DateTimeTz, day Date, shop String)
	n: COUNT(visit.id) {"time_dimension":"at"}
	by_day: COUNT(visit.id) {"time_dimension":"day"}
	running: COUNT(visit.id) {"time_dimension":"day","window":{"type":"cumulative","function":"sum"}}`

func visitWorld(t *testing.T) world {
	// 30 December 2024 is the Monday of the first week of 2025; 1 January 2023 is a Sunday of week 52 of 2022.
	return given(t, visit, map[string]string{"visit": "id at day shop\n1 2024-12-30T23:30:00 2024-12-30 a\n2 2023-01-01T00:15:00 2023-01-01 b\n3 2024-02-29T12:00:00 2024-02-29 a\n4 ∅ ∅ a"})
}

func TestTimePart_Numbers(t *testing.T) {
	w := visitWorld(t)
	w.answers(t, `{"metrics":["by_day"],"group_by":[{"field":"visit.day","part":"day_of_week"},{"field":"visit.day","part":"day_of_month"},{"field":"visit.day","part":"day_of_year"},{"field":"visit.day","part":"week_of_year"},{"field":"metric_time","part":"month_of_year"},{"field":"visit.day","part":"quarter_of_year"}],"limit":9}`, `
		day__day_of_week | day__day_of_month | day__day_of_year | day__week_of_year | metric_time__month_of_year | day__quarter_of_year | by_day
		1 | 30 | 365 | 1 | 12 | 4 | 1
		4 | 29 | 60 | 9 | 2 | 1 | 1
		7 | 1 | 1 | 52 | 1 | 1 | 1
		∅ | ∅ | ∅ | ∅ | ∅ | ∅ | 1`)
	// The clock of Berlin is an hour ahead; weeks from Sunday on begin with the Sunday.
	w.answers(t, `{"metrics":["n"],"group_by":[{"field":"visit.at","part":"hour_of_day"},{"field":"visit.at","part":"day_of_week"}],"time_zone":"Europe/Berlin","week_start":"sunday","totals":[["at__day_of_week"]],"where_sql":"at__hour_of_day < 2","limit":9}`, `
		at__hour_of_day | at__day_of_week | n | level
		0 | 3 | 1 | 0
		1 | 1 | 1 | 0
		∅ | 1 | 1 | 1
		∅ | 3 | 1 | 1
		∅ | 5 | 1 | 1
		∅ | ∅ | 1 | 1`)
	w.refuses(t, `{"metrics":["by_day"],"group_by":[{"field":"visit.day","part":"hour_of_day"}]}`, "grain_too_fine")
	w.refuses(t, `{"metrics":["by_day"],"group_by":[{"field":"visit.shop","part":"day_of_week"}]}`, "grain_on_non_time_dimension")
}

// The month of the year is an attribute of a month; the weekday is a group of it.
func TestTimePart_OfABucket(t *testing.T) {
	w := visitWorld(t)
	w.answers(t, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","part":"month_of_year"}],"time_range":{"start":"2024-02-01","end":"2025-01-01"},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | metric_time__month_of_year | running
		2024-02-01 | 2 | 2
		2024-12-01 | 12 | 3`)
	w.answers(t, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","part":"day_of_week"}],"time_range":{"start":"2024-02-01","end":"2025-01-01"},"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | metric_time__day_of_week | running
		2024-02-01 | 4 | 1
		2024-12-01 | 1 | 1`)
}

// Without a bucket, compare matches parts by their value: the hours of two weeks, and months of two years.
func TestTimePart_UnderCompare(t *testing.T) {
	w := visitWorld(t)
	const years = `"time_range":{"start":"2024-01-01","end":"2025-01-01","dimension":"visit.day"},"compare":{"offset":{"count":1,"unit":"year"}}`
	w.answers(t, `{"metrics":["by_day"],"group_by":[{"field":"visit.day","part":"quarter_of_year"}],`+years+`}`, `
		day__quarter_of_year | by_day | by_day__previous | by_day__change | by_day__change_ratio
		1 | 1 | 1 | 0 | 0
		4 | 1 | 0 | 1 | ∅`)
	w.answers(t, `{"metrics":["by_day"],"group_by":[{"name":"q","expression":"CONCAT('Q', EXTRACT(QUARTER FROM visit.day))"}],`+years+`}`, `
		q | by_day | by_day__previous | by_day__change | by_day__change_ratio
		Q1 | 1 | 1 | 0 | 0
		Q4 | 1 | 0 | 1 | ∅`)
	w.refuses(t, `{"metrics":["by_day"],"group_by":[{"name":"y","expression":"EXTRACT(YEAR FROM visit.day)"}],`+years+`}`, "time_grain_required")
}
