package reference_test

import "testing"

func TestTimeCondition_RangeInManySpellings(t *testing.T) {
	w := kilnWorld(t, firings)
	for _, where := range []string{
		"fire.day >= '2024-03-01' AND fire.day < '2024-04-01'",
		"fire.day BETWEEN '2024-03-01' AND '2024-03-31'",
		"DATE '2024-02-29' < fire.day AND fire.day <= '2024-03-31'",
		"DATE_TRUNC('month', fire.day) = DATE '2024-03-01'",
		"DATE_TRUNC('month', fire.day) IN (DATE '2024-03-01')",
		"DATE_TRUNC('month', fire.day) > DATE '2024-02-15' AND DATE_TRUNC('month', fire.day) <= DATE '2024-03-15'",
		"CAST(fire.day AS DATE) >= DATE '2024-03-31' - INTERVAL '30' DAY AND fire.day < '2024-04-01'",
		"EXTRACT(YEAR FROM fire.day) = 2024 AND fire.day >= '2024-02-29 12:00:00' AND fire.day <= '2024-03-31 12:00:00'",
	} {
		w.answers(t, `{"metrics":["weight","running","two","before","place"],"where_sql":"`+where+`",`+inMonths+`}`, `
			metric_time__month | weight | running | two | before | place
			2024-03-01 | 48 | 63 | 60 | 12 | 1`)
	}
	// Two months that follow each other are a range, whose places are two.
	w.answers(t, `{"metrics":["running","place"],"where_sql":"DATE_TRUNC('month', fire.day) IN (DATE '2024-03-01', DATE '2024-02-01')",`+inMonths+`,"totals":[[]]}`, `
		metric_time__month | running | place | level
		2024-02-01 | 15 | 2 | 0
		2024-03-01 | 63 | 1 | 0
		∅ | ∅ | 1 | 1`)
	// A range of the query and a condition act together.
	w.answers(t, `{"metrics":["weight","running"],"where_sql":"fire.day < '2024-03-20'","time_range":{"start":"2024-02-15"},`+inMonths+`}`, `
		metric_time__month | weight | running
		2024-02-01 | 8 | 15
		2024-03-01 | 16 | 31`)
}

// March has the second place of the four months in all of these.
func TestTimeCondition_HidesRowsBesideWindows(t *testing.T) {
	w := kilnWorld(t, firings)
	for _, where := range []string{
		"metric_time__month IN (DATE '2024-01-01', DATE '2024-03-01')",
		"DATE_TRUNC('month', fire.day) IN (DATE '2024-01-01', DATE '2024-03-01')",
		"DATE_TRUNC('month', fire.day) <> DATE '2024-02-01' AND DATE_TRUNC('month', fire.day) <> DATE '2024-04-01'",
		"(fire.day < '2024-02-01' OR fire.day >= '2024-03-01') AND metric_time__month < DATE '2024-04-01'",
		"fire.day BETWEEN '2024-01-01' AND '2024-01-31' OR DATE_TRUNC('month', fire.day) = DATE '2024-03-01'",
	} {
		w.answers(t, `{"metrics":["running","place"],"where_sql":"`+where+`",`+inMonths+`}`, `
			metric_time__month | running | place
			2024-01-01 | 3 | 4
			2024-03-01 | 63 | 2`)
	}
}

func TestTimeCondition_OthersFilterInput(t *testing.T) {
	w := kilnWorld(t, firings)
	w.answers(t, `{"metrics":["running","place"],"where_sql":"fire.day <> '2024-03-10'","time_range":{"start":"2024-03-01"},`+inMonths+`}`, `
		metric_time__month | running | place
		2024-03-01 | 47 | 2
		2024-04-01 | 111 | 1`)
	w.answers(t, `{"metrics":["running"],"context_filter":"fire.day >= '2024-03-01'",`+inMonths+`}`, `
		metric_time__month | running
		2024-03-01 | 48
		2024-04-01 | 112`)
	// The bounds of an OR that lie within buckets choose days.
	w.answers(t, `{"metrics":["running"],"where_sql":"fire.day < '2024-01-10' OR fire.day >= '2024-03-20'",`+inMonths+`}`, `
		metric_time__month | running
		2024-01-01 | 1
		2024-03-01 | 33
		2024-04-01 | 97`)
}

// A range of the axis of the orders is a condition on the returns, which have no such field.
func TestTimeCondition_ActsOnItsAxisOnly(t *testing.T) {
	w := given(t, `
		parcels(id! Integer, packed Date, shipped Date)
		packed_count: COUNT(parcels.id) {"time_dimension":"packed"}
		shipped_count: COUNT(parcels.id) {"time_dimension":"shipped"}
		packed_so_far: COUNT(parcels.id) {"time_dimension":"packed","window":{"type":"cumulative","function":"sum"}}
		shipped_so_far: COUNT(parcels.id) {"time_dimension":"shipped","window":{"type":"cumulative","function":"sum"}}`,
		map[string]string{"parcels": "id packed shipped\n1 2024-01-10 2024-01-12\n2 2024-01-20 2024-02-02\n3 2024-02-10 2024-02-12\n4 2024-02-20 2024-03-02"})
	// Parcels packed from February on: two, shipped in February and March. Before them two were packed.
	w.answers(t, `{"metrics":["packed_count","packed_so_far","shipped_count","shipped_so_far"],"where_sql":"parcels.packed >= '2024-02-01'",`+inMonths+`}`, `
		metric_time__month | packed_count | packed_so_far | shipped_count | shipped_so_far
		2024-02-01 | 2 | 4 | 1 | 1
		2024-03-01 | 0 | 4 | 1 | 2`)
	w.answers(t, `{"metrics":["packed_count","packed_so_far","shipped_count","shipped_so_far"],"time_range":{"start":"2024-02-01","dimension":"parcels.packed"},`+inMonths+`}`, `
		metric_time__month | packed_count | packed_so_far | shipped_count | shipped_so_far
		2024-02-01 | 2 | 4 | 1 | 1
		2024-03-01 | 0 | 4 | 1 | 2`)
	w.answers(t, `{"metrics":["packed_so_far","shipped_so_far"],"time_range":{"start":"2024-02-01","dimension":"metric_time"},`+inMonths+`}`, `
		metric_time__month | packed_so_far | shipped_so_far
		2024-02-01 | 4 | 3
		2024-03-01 | 4 | 4`)
}

// A Date over a column of timestamps is a day wherever it is read: noon and evening of the 5th are one day.
func TestDate_IsADay(t *testing.T) {
	w := given(t, `
		t(id! Integer, day Date, at=day DateTime)
		n: COUNT(t.id)
		days: COUNT(DISTINCT t.day)
		first: MIN(t.day)
		fifth: COUNT_IF(t.day = '2024-01-05')`,
		map[string]string{"t": "id day\n1 2024-01-05T12:00:00\n2 2024-01-05T18:00:00\n3 2024-01-06T00:00:00\n4 2024-01-07T09:00:00"})
	const question = `{"metrics":["n","days","first","fifth"],"group_by":[],"where_sql":"`
	w.answers(t, question+`t.day >= '2024-01-05'"}`, "n | days | first | fifth\n4 | 3 | 2024-01-05 | 2")
	w.answers(t, question+`t.day >= '2024-01-05 12:00:00'"}`, "n | days | first | fifth\n2 | 2 | 2024-01-06 | 0")
	w.answers(t, question+`t.day = '2024-01-05'"}`, "n | days | first | fifth\n2 | 1 | 2024-01-05 | 2")
	w.answers(t, question+`t.day <> '2024-01-05' AND t.day IN ('2024-01-05', '2024-01-07')"}`, "n | days | first | fifth\n1 | 1 | 2024-01-07 | 0")
	w.answers(t, question+`NOT (t.day BETWEEN '2024-01-05' AND '2024-01-06')"}`, "n | days | first | fifth\n1 | 1 | 2024-01-07 | 0")
	w.answers(t, `{"metrics":["n"],"time_range":{"start":"2024-01-05T12:00:00","end":"2024-01-07T00:00:00","dimension":"t.day"}}`, "n\n1")
	joined := given(t, `
		t(id! Integer, of Integer, day=u.at Date)
		u(id! Integer, at DateTime)
		t.of -> u.id
		n: COUNT(t.id)`,
		map[string]string{"t": "id of\n1 1\n2 ∅", "u": "id at\n1 2024-01-05T12:00:00"})
	joined.answers(t, `{"metrics":["n"],"where_sql":"t.day = '2024-01-05'"}`, "n\n1")
	w.details(t, `{"from":"t","fields":["id","day"],"where_sql":"t.day = '2024-01-05'"}`, "id | day\n1 | 2024-01-05\n2 | 2024-01-05")
}
