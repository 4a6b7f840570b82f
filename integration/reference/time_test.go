package reference_test

import "testing"

// visits have a gap in March, one visit without a day, and three kinds.
const visits = `
	visits(id! Integer, day Date, kind String, n Integer)
	total: SUM(visits.n)
	visit_count: COUNT(visits.id)
	before: SUM(visits.n) {"window":{"type":"pop","offset":"1 month","calculation":"value"}}
	change: SUM(visits.n) {"window":{"type":"pop","offset":"1 month","calculation":"delta"}}
	after: SUM(visits.n) {"window":{"offset":{"count":1,"granularity":"month","direction":"forward"},"calculation":"ratio"}}
	rolling: SUM(visits.n) {"window":{"type":"rolling","function":"sum","periods":2}}
	full: SUM(visits.n) {"window":{"type":"rolling","function":"sum","periods":2,"require_full_window":true}}
	running: SUM(visits.n) {"window":{"type":"cumulative","function":"sum"}}
	quarter_to_date: SUM(visits.n) {"window":{"type":"cumulative","function":"sum","reset":"quarter"}}
	last_two: SUM(visits.n) {"window":{"frame":{"function":"sum","preceding":1}}}
	share_of: SUM(visits.n) {"window":{"frame":{"function":"sum","scope":"partition"}}}
	place: SUM(visits.n) {"window":{"rank":{"function":"rank"}}}
	first: SUM(visits.n) {"window":{"value":{"function":"first_value"}}}
	second: SUM(visits.n) {"window":{"value":{"function":"nth_value","n":2}}}`

func visitsWorld(t *testing.T) world {
	return given(t, visits, map[string]string{"visits": `id day kind n
		1 2024-01-05 a 10
		2 2024-01-31 b 20
		3 2024-02-29 a 5
		4 2024-04-01 a 8
		5 2024-05-20 b 2
		6 ∅ a 100`})
}

const byMonth = `"group_by":[{"field":"metric_time","grain":"month"}]`

func TestWindow_FollowsCalendar(t *testing.T) {
	w := visitsWorld(t)
	w.answers(t, `{"metrics":["total","before","change","after","rolling","full","running","quarter_to_date","last_two"],`+byMonth+`}`, `
		metric_time__month | total | before | change | after | rolling | full | running | quarter_to_date | last_two
		2024-01-01 | 30 | ∅ | ∅ | 6 | 30 | ∅ | 30 | 30 | 30
		2024-02-01 | 5 | 30 | -25 | ∅ | 35 | 35 | 35 | 35 | 35
		2024-04-01 | 8 | ∅ | ∅ | 4 | 8 | ∅ | 43 | 8 | 13
		2024-05-01 | 2 | 8 | -6 | ∅ | 10 | 10 | 45 | 10 | 10
		∅ | 100 | ∅ | ∅ | ∅ | ∅ | ∅ | ∅ | ∅ | ∅`)
}

func TestWindow_MissingDayOfMonthIsNull(t *testing.T) {
	t.Run("a day that the earlier month lacks compares with NULL", func(t *testing.T) {
		w := given(t, visits, map[string]string{"visits": "id day kind n\n1 2024-02-28 a 1\n2 2024-02-29 a 2\n3 2024-03-28 a 3\n4 2024-03-30 a 4\n5 2024-03-31 a 5"})
		w.answers(t, `{"metrics":["before"],"group_by":[{"field":"visits.day","grain":"day"}]}`, `
		day__day | before
		2024-02-28 | ∅
		2024-02-29 | ∅
		2024-03-28 | 1
		2024-03-30 | ∅
		2024-03-31 | ∅`)
		w.refuses(t, `{"metrics":["before"],"group_by":[{"field":"metric_time","grain":"week"}]}`, "not_implemented")
		w.refuses(t, `{"metrics":["before"],"group_by":[{"field":"metric_time","grain":"quarter"}]}`, "not_implemented")
		w.refuses(t, `{"metrics":["before"]}`, "unknown_dimension")
		w.refuses(t, `{"metrics":["before"],"group_by":[{"field":"metric_time"}]}`, "unknown_dimension")
	})
}

// The range begins on 20 January. It leaves 5 January out of the total, and of no window; it ends before May.
func TestWindow_ReadsBeyondTimeRange(t *testing.T) {
	w := visitsWorld(t)
	w.answers(t, `{"metrics":["total","before","after","rolling","running","quarter_to_date","last_two"],`+byMonth+`,"time_range":{"start":"2024-01-20","end":"2024-05-01"}}`, `
		metric_time__month | total | before | after | rolling | running | quarter_to_date | last_two
		2024-01-01 | 20 | ∅ | 4 | 30 | 30 | 30 | 30
		2024-02-01 | 5 | 30 | ∅ | 35 | 35 | 35 | 35
		2024-04-01 | 8 | ∅ | 4 | 8 | 43 | 8 | 13`)
	// March itself has no row, and what stood in the quarter before it counts.
	w.answers(t, `{"metrics":["rolling","quarter_to_date","last_two","running"],`+byMonth+`,"time_range":{"start":"2024-02-01","end":"2024-03-01"}}`, `
		metric_time__month | rolling | quarter_to_date | last_two | running
		2024-02-01 | 35 | 35 | 35 | 35`)
	w.answers(t, `{"metrics":["place","share_of","first","second"],`+byMonth+`,"time_range":{"start":"2024-02-01","end":"2024-05-01"}}`, `
		metric_time__month | place | share_of | first | second
		2024-02-01 | 2 | 13 | 5 | 8
		2024-04-01 | 1 | 13 | 5 | 8`)
}

func TestWindow_RunsInQueryPartitions(t *testing.T) {
	w := visitsWorld(t)
	w.answers(t, `{"metrics":["running","first","place"],"group_by":[{"field":"visits.kind"},{"field":"metric_time","grain":"month"}]}`, `
		kind | metric_time__month | running | first | place
		a | 2024-01-01 | 10 | 10 | 3
		a | 2024-02-01 | 15 | 10 | 5
		a | 2024-04-01 | 23 | 10 | 4
		a | ∅ | ∅ | ∅ | 1
		b | 2024-01-01 | 20 | 20 | 2
		b | 2024-05-01 | 22 | 20 | 6`)
}

func TestWindow_ConditionsAroundIt(t *testing.T) {
	t.Run("a condition on groups hides rows, a condition on anything else filters what the window reads", func(t *testing.T) {
		w := visitsWorld(t)
		// A condition over what is grouped hides rows; one over anything else filters
		// what the window sees.
		w.answers(t, `{"metrics":["running"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"visits.kind"}],"where_sql":"visits.kind = 'b' AND metric_time__month > DATE '2024-01-31'"}`, `
		metric_time__month | kind | running
		2024-05-01 | b | 22`)
		w.answers(t, `{"metrics":["running"],`+byMonth+`,"where_sql":"visits.kind = 'a' AND running < 20"}`, `
		metric_time__month | running
		2024-01-01 | 10
		2024-02-01 | 15`)
		w.answers(t, `{"metrics":["running"],`+byMonth+`,"where_sql":"visits.day >= DATE '2024-02-01'"}`, `
		metric_time__month | running
		2024-02-01 | 35
		2024-04-01 | 43
		2024-05-01 | 45`) // a range
		w.refuses(t, `{"metrics":["running"],`+byMonth+`,"where_sql":"running > 1 OR visits.kind = 'a'"}`, "result_filter_unprojected")
	})
}

func TestTimeRange_HalfOpenAndNeedsField(t *testing.T) {
	w := visitsWorld(t)
	w.answers(t, `{"metrics":["total"],"time_range":{"start":"2024-01-31","end":"2024-04-01"}}`, "total\n25")
	w.answers(t, `{"metrics":["total","visit_count"],"group_by":[{"field":"visits.kind"}],"time_ranges":{"early":{"end":"2024-02-01"},"late":{"start":"2024-05-01"}}}`, `
		kind | total__early | total__late | visit_count__early | visit_count__late
		a | 10 | ∅ | 1 | 0
		b | 20 | 2 | 1 | 1`)
	w.refuses(t, `{"metrics":["total"],"time_range":{"start":"2024-04-01","end":"2024-04-01"}}`, "unsupported_filter")
	two := given(t, `
		a(id! Integer, day Date)
		b(id! Integer, day Date, other Date)
		as: COUNT(a.id)
		bs: COUNT(b.id)
		others: COUNT(b.id) {"time_dimension":"other"}`,
		map[string]string{"a": "id day\n1 2024-01-01", "b": "id day other\n1 2024-01-01 2024-02-01"})
	two.refuses(t, `{"metrics":["bs"],"time_range":{"start":"2024-01-01"}}`, "no_primary_time_dimension")
	two.refuses(t, `{"metrics":["as","others"],"time_range":{"start":"2024-01-01"}}`, "time_range_needs_dimension")
	two.answers(t, `{"metrics":["as","others"],`+byMonth+`,"time_range":{"start":"2024-01-01"}}`, `
		metric_time__month | as | others
		2024-01-01 | 1 | 0
		2024-02-01 | 0 | 1`)
}

func TestTimeCodes_GroupFilterAndCompare(t *testing.T) {
	w := given(t, `
		facts(id! Integer, code Integer {"requires":["time"],"time":{"format":"yyyyMM"}}, n Integer)
		total: SUM(facts.n)`,
		map[string]string{"facts": "id code n\n1 202401 1\n2 202402 2\n3 202413 4\n4 ∅ 8"})
	w.answers(t, `{"metrics":["total"],"group_by":[{"field":"facts.code","grain":"quarter"}]}`, "code__quarter | total\n2024-01-01 | 3\n∅ | 12")
	w.answers(t, `{"metrics":["total"],"group_by":[{"field":"facts.code"}]}`, "code | total\n202401 | 1\n202402 | 2\n202413 | 4\n∅ | 8")
	// The bounds are compared with the code as it is stored: 202413 is one of 2024.
	w.answers(t, `{"metrics":["total"],"time_range":{"start":"2024-02-01","end":"2025-01-01"}}`, "total\n6")
	w.refuses(t, `{"metrics":["total"],"time_range":{"start":"2024-01-15"}}`, "grain_too_fine")
	w.refuses(t, `{"metrics":["total"],"group_by":[{"field":"facts.code","grain":"day"}]}`, "grain_too_fine")
	w.refuses(t, `{"metrics":["total"],"where_sql":"facts.code = 202401"}`, "unsupported_filter")
}

// A field that is declared Date over a column of timestamps is grouped by its day, with a
// grain and without one, and as the grain of a level of detail.
func TestTime_TimestampsDeclaredDateGroupByDay(t *testing.T) {
	w := given(t, `
		visits(id! Integer, day Date, n Integer, per_day=SUM(visits.n) Integer {"lod":{"grain":["day"]}})
		total: SUM(visits.n)
		before: SUM(visits.n) {"window":{"type":"pop","offset":"1 day","calculation":"value"}}`,
		map[string]string{"visits": `id day n
		1 2024-01-05T08:00:00 10
		2 2024-01-05T18:30:00 20
		3 2024-01-06T00:00:00 5
		4 ∅ 1`})
	w.answers(t, `{"metrics":["total"],"group_by":[{"field":"visits.day"}]}`, `
		day | total
		2024-01-05 | 30
		2024-01-06 | 5
		∅ | 1`)
	w.answers(t, `{"metrics":["total","before"],"group_by":[{"field":"metric_time","grain":"day"}]}`, `
		metric_time__day | total | before
		2024-01-05 | 30 | ∅
		2024-01-06 | 5 | 30
		∅ | 1 | ∅`)
	w.answers(t, `{"metrics":["total"],"group_by":[{"field":"visits.per_day"}]}`, `
		per_day | total
		1 | 1
		5 | 5
		30 | 30`)
}
