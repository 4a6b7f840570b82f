package reference_test

import (
	"testing"
)

// sales has three years: 1 in January 2023, 2 in March 2023, 4 in February 2024, 8 in March 2024.
const sales = `
	sale(id! Integer, day Date, n Integer)
	year_to_date: SUM(sale.n) {"window":{"type":"cumulative","function":"sum","reset":"year"}}
	rolling: SUM(sale.n) {"window":{"type":"rolling","function":"avg","periods":2}}
	place: SUM(sale.n) {"window":{"rank":{"function":"rank"}}}
	doubled: year_to_date * 2
	last_year: year_to_date {"window":{"type":"pop","offset":"1 year","calculation":"value"}}
	doubled_last_year: doubled {"window":{"type":"pop","offset":"1 year","calculation":"value"}}
	change: rolling {"window":{"type":"pop","offset":"1 month","calculation":"delta"}}
	plain: SUM(sale.n)`

func salesWorld(t *testing.T) world {
	return given(t, sales, map[string]string{"sale": "id day n\n1 2023-01-10 1\n2 2023-03-10 2\n3 2024-02-10 4\n4 2024-03-05 8\n5 2024-03-25 16"})
}

func TestWindowOfWindow_IsTheValueAtTheOtherBucket(t *testing.T) {
	w := salesWorld(t)
	// Until 20 March 2024 there are 4 + 8; the March before is whole.
	w.answers(t, `{"metrics":["year_to_date","last_year","rolling","change"],`+inMonths+`,"time_range":{"start":"2024-01-01","end":"2024-03-20"},"fill":{},"totals":[[]]}`, `
		metric_time__month | year_to_date | last_year | rolling | change | level
		2024-01-01 | ∅ | 1 | ∅ | ∅ | 0
		2024-02-01 | 4 | 1 | 4 | ∅ | 0
		2024-03-01 | 12 | 3 | 6 | 2 | 0
		∅ | ∅ | ∅ | ∅ | ∅ | 1`)
	w.answers(t, `{"metrics":["doubled_last_year"],`+inMonths+`,"time_range":{"start":"2024-03-01","end":"2024-04-01"}}`, `
		metric_time__month | doubled_last_year
		2024-03-01 | 6`)
}

func TestGrains_OfAMetric(t *testing.T) {
	w := given(t, `
		sale(id! Integer, day Date, n Integer)
		year_to_date: SUM(sale.n) {"grains":["month"],"window":{"type":"cumulative","function":"sum","reset":"year"}}
		rolling: SUM(sale.n) {"grains":["day","month"],"window":{"type":"rolling","function":"avg","periods":2}}
		doubled: year_to_date * 2
		plain: SUM(sale.n) {"grains":["month"]}`,
		map[string]string{"sale": "id day n\n1 2023-01-10 1\n2 2023-03-10 2\n3 2024-02-10 4\n4 2024-03-05 8\n5 2024-03-25 16"})
	w.refuses(t, `{"metrics":["rolling"],"group_by":[{"field":"metric_time","grain":"year"}]}`, "grain_not_supported")
	w.refuses(t, `{"metrics":["doubled"],"group_by":[{"field":"sale.day","grain":"day"}]}`, "grain_not_supported")
	// The coarser grain beside the month does not matter.
	w.answers(t, `{"metrics":["rolling"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","grain":"year"}],"time_range":{"start":"2023-03-01","end":"2023-04-01"}}`, `
		metric_time__month | metric_time__year | rolling
		2023-03-01 | 2023-01-01 | 2`)
	w.refuses(t, `{"metrics":["plain"],"group_by":[{"field":"sale.day"}]}`, "grain_not_supported")
	w.answers(t, `{"metrics":["plain"]}`, "plain\n31")
}

// The fiscal year begins on 1 February. A month belongs to the year of its first day.
func TestReset_ByPeriodsThatAreWhole(t *testing.T) {
	model := func(period string) string {
		return `
		sale(id! Integer, day Date, n Integer)
		cal(d! Date, fy Integer) {"calendar":{"date":"d","periods":{"fiscal_year":` + period + `}}}
		in_year: SUM(sale.n) {"window":{"type":"cumulative","function":"sum","reset":"fiscal_year"}}`
	}
	rows := map[string]string{
		"sale": "id day n\n1 2024-01-10 1\n2 2024-02-20 2\n3 2024-03-10 4",
		"cal":  "d fy\n2024-01-01 2023\n2024-01-10 2023\n2024-01-31 2023\n2024-02-01 2024\n2024-02-20 2024\n2024-03-01 2024\n2024-03-10 2024",
	}
	given(t, model(`"fy"`), rows).refuses(t, `{"metrics":["in_year"],`+inMonths+`}`, "not_implemented")
	w := given(t, model(`{"field":"fy","whole":"month"}`), rows)
	w.answers(t, `{"metrics":["in_year"],`+inMonths+`}`, `
		metric_time__month | in_year
		2024-01-01 | 1
		2024-02-01 | 2
		2024-03-01 | 6`)
	w.answers(t, `{"metrics":["in_year"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"metric_time","grain":"fiscal_year"}],"order_by":[{"key":"metric_time__month"}]}`, `
		metric_time__month | metric_time__fiscal_year | in_year
		2024-01-01 | 2024-01-01 | 1
		2024-02-01 | 2024-02-01 | 2
		2024-03-01 | 2024-02-01 | 6`)
	w.refuses(t, `{"metrics":["in_year"],"group_by":[{"field":"metric_time","grain":"week"}]}`, "not_implemented")
}
