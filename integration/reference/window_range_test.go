package reference_test

import (
	"strings"
	"testing"
)

// kiln counts firings by day. A firing of 1 kg is on each of the days that the tests name.
const kiln = `
	fire(id! Integer, day Date, shop String, kg Integer)
	weight: SUM(fire.kg)
	n: COUNT(fire.id)
	shops: COUNT(DISTINCT fire.shop)
	running: SUM(fire.kg) {"window":{"type":"cumulative","function":"sum"}}
	in_quarter: SUM(fire.kg) {"window":{"type":"cumulative","function":"sum","reset":"quarter"}}
	so_far: COUNT(fire.id) {"window":{"recompute":{"periods":"unbounded"}}}
	one: SUM(fire.kg) {"window":{"type":"rolling","function":"sum","periods":1}}
	two: SUM(fire.kg) {"window":{"type":"rolling","function":"sum","periods":2}}
	before: SUM(fire.kg) {"window":{"type":"pop","offset":"1 month","calculation":"value"}}
	change: SUM(fire.kg) {"window":{"type":"pop","offset":"1 month","calculation":"delta"}}
	after: SUM(fire.kg) {"window":{"offset":{"count":1,"granularity":"month","direction":"forward"},"calculation":"value"}}
	rows_so_far: SUM(fire.kg) {"window":{"frame":{"function":"sum","preceding":"unbounded"}}}
	place: SUM(fire.kg) {"window":{"rank":{"function":"rank"}}}
	first: SUM(fire.kg) {"window":{"value":{"function":"first_value"}}}
	whole: SUM(fire.kg) {"window":{"frame":{"function":"sum","scope":"partition"}}}
	month_span: COUNT(fire.id) {"window":{"recompute":{"span":{"count":1,"granularity":"month"}}}}
	days_28: COUNT(fire.id) {"window":{"recompute":{"span":{"count":28,"granularity":"day"}}}}
	shops_14: COUNT(DISTINCT fire.shop) {"window":{"recompute":{"span":{"count":14,"granularity":"day"}}}}
	mean_7_days: SUM(fire.kg) {"window":{"type":"rolling","function":"avg","span":{"count":7,"granularity":"day"}}}
	mean_2_weeks: SUM(fire.kg) {"window":{"type":"rolling","function":"avg","span":{"count":2,"granularity":"week"}}}
	mean_4_weeks: SUM(fire.kg) {"window":{"type":"rolling","function":"avg","span":{"count":4,"granularity":"week"}}}
	full_2_weeks: SUM(fire.kg) {"window":{"type":"rolling","function":"sum","span":{"count":2,"granularity":"week"},"require_full_window":true}}
	full_3_weeks: SUM(fire.kg) {"window":{"type":"rolling","function":"sum","span":{"count":3,"granularity":"week"},"require_full_window":true}}
	full_4_weeks: SUM(fire.kg) {"window":{"type":"rolling","function":"sum","span":{"count":4,"granularity":"week"},"require_full_window":true}}`

func kilnWorld(t *testing.T, fires string) world {
	return given(t, kiln, map[string]string{"fire": "id day shop kg\n" + fires})
}

const firings = `1 2024-01-05 a 1
	2 2024-01-20 a 2
	3 2024-02-10 a 4
	4 2024-02-25 a 8
	5 2024-03-10 a 16
	6 2024-03-25 a 32
	7 2024-04-10 a 64`

// The range cuts January and March: it begins on the 15th and ends before the 20th.
const cutRange = `"time_range":{"start":"2024-01-15","end":"2024-03-20"}`

func TestWindowRange_CutBuckets(t *testing.T) {
	w := kilnWorld(t, firings)
	// Plain metrics and the current side of an offset count rows in range. The first row has no hole, and the last one
	// ends with the range; April is after that end, for the offset forward too.
	w.answers(t, `{"metrics":["weight","running","in_quarter","so_far","one","two","before","change","after","rows_so_far"],`+cutRange+`,`+inMonths+`}`, `
		metric_time__month | weight | running | in_quarter | so_far | one | two | before | change | after | rows_so_far
		2024-01-01 | 2 | 3 | 3 | 2 | 3 | 3 | ∅ | ∅ | 12 | 3
		2024-02-01 | 12 | 15 | 15 | 4 | 12 | 15 | 3 | 9 | 48 | 15
		2024-03-01 | 16 | 31 | 31 | 5 | 16 | 28 | 12 | 4 | ∅ | 31`)
	// Whole buckets: the range is only the choice of rows.
	w.answers(t, `{"metrics":["weight","running","in_quarter","two","before","after"],"time_range":{"start":"2024-03-01","end":"2024-04-01"},`+inMonths+`}`, `
		metric_time__month | weight | running | in_quarter | two | before | after
		2024-03-01 | 48 | 63 | 63 | 60 | 12 | 64`)
}

func TestWindowRange_Population(t *testing.T) {
	w := kilnWorld(t, firings)
	// Ranks, values and partitions have the range as population.
	const places = `{"metrics":["place","first","whole"],` + cutRange + `,` + inMonths + `}`
	w.answers(t, places, `
		metric_time__month | place | first | whole
		2024-01-01 | 3 | 2 | 30
		2024-02-01 | 2 | 2 | 30
		2024-03-01 | 1 | 2 | 30`)
	// With all rows they are those of the query without a range: 3, 12, 48, 64 in the months.
	ofAll := strings.NewReplacer(`"rank"}}`, `"rank"},"population":"all"}`, `"first_value"}}`, `"first_value"},"population":"all"}`, `"partition"}}`, `"partition"},"population":"all"}`)
	given(t, ofAll.Replace(kiln), map[string]string{"fire": "id day shop kg\n" + firings}).answers(t, places, `
		metric_time__month | place | first | whole
		2024-01-01 | 4 | 3 | 127
		2024-02-01 | 3 | 3 | 127
		2024-03-01 | 2 | 3 | 127`)
	// Running totals of the range begin with it, also where a quarter begins before.
	ofRange := strings.NewReplacer(`"sum"}}`, `"sum","population":"range"}}`, `"quarter"}}`, `"quarter","population":"range"}}`, `"unbounded"}}}`, `"unbounded"},"population":"range"}}`)
	given(t, ofRange.Replace(kiln), map[string]string{"fire": "id day shop kg\n" + firings}).answers(t, `{"metrics":["running","in_quarter","so_far","rows_so_far"],`+cutRange+`,`+inMonths+`}`, `
		metric_time__month | running | in_quarter | so_far | rows_so_far
		2024-01-01 | 2 | 2 | 1 | 2
		2024-02-01 | 14 | 14 | 3 | 14
		2024-03-01 | 30 | 30 | 4 | 30`)
}

// On 29 February a month back is the days from 30 January on.
func TestWindowSpan_OfWhatTheAxisStores(t *testing.T) {
	w := given(t, `
		t(id! Integer, day Date, month Integer {"time":{"format":"yyyyMM"}})
		hours: COUNT(t.id) {"time_dimension":"day","window":{"recompute":{"span":{"count":36,"granularity":"hour"}}}}
		days: COUNT(t.id) {"time_dimension":"month","window":{"recompute":{"span":{"count":28,"granularity":"day"}}}}
		quarters: COUNT(t.id) {"time_dimension":"month","window":{"recompute":{"span":{"count":1,"granularity":"quarter"}}}}`,
		map[string]string{"t": "id day month\n1 2024-01-01 202401\n2 2024-02-01 202403\n3 2024-02-01 202404"})
	w.refuses(t, `{"metrics":["hours"],`+inMonths+`}`, "grain_too_fine")
	w.refuses(t, `{"metrics":["days"],`+inMonths+`}`, "grain_too_fine")
	w.answers(t, `{"metrics":["quarters"],`+inMonths+`}`, `
		metric_time__month | quarters
		2024-01-01 | 1
		2024-03-01 | 2
		2024-04-01 | 2`)
}

// A window sees the last snapshot of a whole month, and the row the last one in range.
func TestWindowRange_Snapshots(t *testing.T) {
	w := given(t, `
		stock(id! Integer, day Date, n Integer)
		last: SUM(stock.n) {"non_additive":{"by":"day","take":"last"}}
		before: SUM(stock.n) {"non_additive":{"by":"day","take":"last"},"window":{"type":"pop","offset":"1 month","calculation":"value"}}
		change: SUM(stock.n) {"non_additive":{"by":"day","take":"last"},"window":{"type":"pop","offset":"1 month","calculation":"delta"}}
		after: SUM(stock.n) {"non_additive":{"by":"day","take":"last"},"window":{"offset":{"count":1,"granularity":"month","direction":"forward"},"calculation":"value"}}
		most: SUM(stock.n) {"non_additive":{"by":"day","take":"last"},"window":{"frame":{"function":"max","preceding":1,"units":"range"}}}`,
		map[string]string{"stock": "id day n\n1 2024-01-10 5\n2 2024-01-31 6\n3 2024-02-10 4\n4 2024-02-28 9"})
	w.answers(t, `{"metrics":["last","before","change","after","most"],"time_range":{"start":"2024-01-05","end":"2024-02-20"},`+inMonths+`}`, `
		metric_time__month | last | before | change | after | most
		2024-01-01 | 6 | ∅ | ∅ | 9 | 6
		2024-02-01 | 4 | 6 | -2 | ∅ | 6`)
	w.answers(t, `{"metrics":["last","change","most"],"time_range":{"start":"2024-01-05","end":"2024-01-20"},`+inMonths+`}`, `
		metric_time__month | last | change | most
		2024-01-01 | 5 | ∅ | 5`)
}

func TestWindowSpan_ByDay(t *testing.T) {
	kilnWorld(t, "1 2024-01-29 a 1\n2 2024-01-30 a 1\n3 2024-02-29 a 1\n4 2024-03-31 a 1").
		answers(t, `{"metrics":["month_span","days_28"],"group_by":[{"field":"metric_time","grain":"day"}],"order_by":[{"key":"metric_time__day"}]}`, `
		metric_time__day | month_span | days_28
		2024-01-29 | 1 | 1
		2024-01-30 | 2 | 2
		2024-02-29 | 2 | 1
		2024-03-31 | 1 | 1`)
}

func TestWindowSpan_FromTheEndOfTheBucket(t *testing.T) {
	w := kilnWorld(t, "1 2024-01-03 a 1\n2 2024-01-04 b 1\n3 2024-01-31 a 1\n4 2024-02-01 c 1\n5 2024-02-02 a 1\n6 2024-02-29 a 1\n7 2024-12-03 a 1\n8 2024-12-04 b 1\n9 2024-12-31 c 1")
	// 28 days of January begin on the 4th, of February (29 days) on the 2nd, of the year on 4 December.
	w.answers(t, `{"metrics":["days_28","month_span","shops_14"],`+inMonths+`}`, `
		metric_time__month | days_28 | month_span | shops_14
		2024-01-01 | 2 | 3 | 1
		2024-02-01 | 2 | 3 | 1
		2024-12-01 | 2 | 3 | 1`)
	w.answers(t, `{"metrics":["days_28","month_span"],"group_by":[{"field":"metric_time","grain":"year"}]}`, `
		metric_time__year | days_28 | month_span
		2024-01-01 | 2 | 3`)
	// The week of 29 January ends with 4 February: its 28 days begin on 8 January, its month on 5 January.
	w.answers(t, `{"metrics":["days_28","month_span"],"group_by":[{"field":"metric_time","grain":"week"}],"time_range":{"start":"2024-01-29","end":"2024-02-05"}}`, `
		metric_time__week | days_28 | month_span
		2024-01-29 | 3 | 3`)
	// Until 1 February, 12:00, the month begins on 1 January, 12:00, and the first day in it is the 2nd.
	w.answers(t, `{"metrics":["days_28","month_span"],"group_by":[{"field":"metric_time","grain":"month"}],"time_range":{"start":"2024-02-01","end":"2024-02-01T12:00:00"}}`, `
		metric_time__month | days_28 | month_span
		2024-02-01 | 2 | 4`)
}

// Seven days of 1, 3 and nothing: their mean is 2. Two weeks are two sums of seven days.
func TestWindowSpan_OfRolling(t *testing.T) {
	w := kilnWorld(t, "1 2024-01-17 a 5\n2 2024-01-20 a 7\n3 2024-01-25 a 1\n4 2024-01-31 a 1\n5 2024-01-31 b 2")
	ask := func(metrics, grain string) string {
		return `{"metrics":[` + metrics + `],"group_by":[{"field":"metric_time","grain":"` + grain + `"}],"time_range":{"start":"2024-01-31"}}`
	}
	// From 18 to 24 January there are 7, from 25 to 31 January 4.
	for _, grain := range []string{"day", "month"} {
		w.answers(t, ask(`"mean_7_days","full_2_weeks"`, grain), `
			metric_time__`+grain+` | mean_7_days | full_2_weeks
			2024-01-`+map[string]string{"day": "31", "month": "01"}[grain]+` | 2 | 11`)
	}
	// The third week, 11 to 17 January, has 5; a fourth has nothing.
	w.answers(t, ask(`"mean_2_weeks","full_3_weeks","mean_4_weeks","full_4_weeks"`, "month"), `
		metric_time__month | mean_2_weeks | full_3_weeks | mean_4_weeks | full_4_weeks
		2024-01-01 | 5.5 | 16 | 5.333333333 | ∅`)
}

func TestWindowRange_Tags(t *testing.T) {
	kilnWorld(t, firings).answers(t, `{"metrics":["running","place","n"],`+inMonths+`,"time_ranges":{"q":{"start":"2024-02-01","end":"2024-03-20"},"w":{"start":"2024-03-01","end":"2024-05-01"}}}`, `
		metric_time__month | running__q | running__w | place__q | place__w | n__q | n__w
		2024-02-01 | 15 | ∅ | 2 | ∅ | 2 | 0
		2024-03-01 | 31 | 63 | 1 | 2 | 1 | 2
		2024-04-01 | ∅ | 127 | ∅ | 1 | 0 | 1`)
}

// The previous value of a window is the window a month before, as the query over the previous range shows it: until
// 20 February it has 1 + 2 + 4.
func TestWindowRange_Compare(t *testing.T) {
	w := kilnWorld(t, firings)
	w.answers(t, `{"metrics":["running","n"],`+inMonths+`,"time_range":{"start":"2024-02-15","end":"2024-03-20"},"compare":{"offset":{"count":1,"unit":"month"}},"totals":[[]]}`, `
		metric_time__month | running | n | running__previous | running__change | running__change_ratio | n__previous | n__change | n__change_ratio | level
		2024-02-01 | 15 | 1 | 3 | 12 | 4 | 1 | 0 | 0 | 0
		2024-03-01 | 31 | 1 | 7 | 24 | 3.428571429 | 1 | 0 | 0 | 0
		∅ | ∅ | 2 | ∅ | ∅ | ∅ | 2 | 0 | 0 | 1`)
	w.refuses(t, `{"metrics":["place"],`+inMonths+`,`+cutRange+`,"compare":{"offset":{"count":1,"unit":"month"}}}`, "not_implemented")
}

// Shop b has its only firing in January. In the rows of February to April it is a group of the windows that read January,
// so that the rows of the shops add up to the total row.
func TestWindowRange_FillHasTheGroupsThatWindowsRead(t *testing.T) {
	w := kilnWorld(t, "1 2024-01-05 b 1\n2 2024-02-10 a 4\n3 2024-04-10 a 8")
	const question = `,"group_by":[{"field":"fire.shop"},{"field":"metric_time","grain":"month"}],"time_range":{"start":"2024-02-01","end":"2024-05-01"},"fill":{},"totals":[["metric_time__month"]],"order_by":[{"key":"shop"},{"key":"metric_time__month"}]}`
	w.answers(t, `{"metrics":["running","weight"]`+question, `
		shop | metric_time__month | running | weight | level
		a | 2024-02-01 | 4 | 4 | 0
		a | 2024-03-01 | 4 | ∅ | 0
		a | 2024-04-01 | 12 | 8 | 0
		b | 2024-02-01 | 1 | ∅ | 0
		b | 2024-03-01 | 1 | ∅ | 0
		b | 2024-04-01 | 1 | ∅ | 0
		∅ | 2024-02-01 | 5 | 4 | 1
		∅ | 2024-03-01 | 5 | ∅ | 1
		∅ | 2024-04-01 | 13 | 8 | 1`)
	// Nothing reads January here.
	w.answers(t, `{"metrics":["weight","after"]`+question, `
		shop | metric_time__month | weight | after | level
		a | 2024-02-01 | 4 | ∅ | 0
		a | 2024-03-01 | ∅ | 8 | 0
		a | 2024-04-01 | 8 | ∅ | 0
		∅ | 2024-02-01 | 4 | ∅ | 1
		∅ | 2024-03-01 | ∅ | 8 | 1
		∅ | 2024-04-01 | 8 | ∅ | 1`)
}
