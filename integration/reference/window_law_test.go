package reference_test

import (
	"testing"
)

// ledgers has two facts with an axis each. Orders have no row in March, returns none in February and April.
const ledgers = `
	orders(id! Integer, day Date, shop String, amount Integer)
	returns(id! Integer, day Date, shop String, amount Integer)
	sold: SUM(orders.amount)
	sales: COUNT(orders.id)
	returned: SUM(returns.amount)
	return_count: COUNT(returns.id)
	running_sold: SUM(orders.amount) {"window":{"type":"cumulative","function":"sum"}}
	running_returned: SUM(returns.amount) {"window":{"type":"cumulative","function":"sum"}}
	kept: SUM(orders.amount) - SUM(returns.amount) {"derive":{"type":"compose","expr":"running_sold - running_returned","fill":0}}
	returned_3: SUM(returns.amount) {"window":{"type":"rolling","function":"sum","periods":3}}
	mean_returns_3: COUNT(returns.id) {"window":{"type":"rolling","function":"avg","periods":3}}
	full_returned_2: SUM(returns.amount) {"window":{"type":"rolling","function":"sum","periods":2,"require_full_window":true}}
	sold_before: SUM(orders.amount) {"window":{"type":"pop","offset":"1 month","calculation":"value"}}
	returns_before: COUNT(returns.id) {"window":{"type":"pop","offset":"1 month","calculation":"value"}}
	returns_delta: COUNT(returns.id) {"window":{"type":"pop","offset":"1 month","calculation":"delta"}}
	returns_after: COUNT(returns.id) {"window":{"offset":{"count":1,"granularity":"month","direction":"forward"},"calculation":"value"}}
	running_returns: COUNT(returns.id) {"window":{"type":"cumulative","function":"sum"}}
	buckets_of_returns: SUM(returns.amount) {"window":{"type":"cumulative","function":"count"}}
	all_returns: COUNT(returns.id) {"window":{"recompute":{"periods":"unbounded"}}}
	returned_2: SUM(returns.amount) {"window":{"recompute":{"periods":2}}}
	full_2: COUNT(returns.id) {"window":{"recompute":{"periods":2,"require_full_window":true}}}
	range_frame: SUM(returns.amount) {"window":{"frame":{"function":"sum","preceding":1,"units":"range"}}}
	row_frame: SUM(returns.amount) {"window":{"frame":{"function":"sum","preceding":1}}}
	return_rank: SUM(returns.amount) {"window":{"rank":{"function":"rank"}}}
	first_return: SUM(returns.amount) {"window":{"value":{"function":"first_value"}}}
	kept_so_far: SUM(orders.amount) - SUM(returns.amount) {"window":{"recompute":{"periods":"unbounded"}}}
	return_total: SUM(returns.amount) {"window":{"frame":{"function":"sum","scope":"partition"}}}
	per_sale_2: SUM(orders.amount) / COUNT(orders.id) {"window":{"recompute":{"periods":2}}}`

func ledgersWorld(t *testing.T) world {
	return given(t, ledgers, map[string]string{
		"orders":  "id day shop amount\n1 2024-01-10 a 60\n2 2024-01-20 b 40\n3 2024-02-05 a 50\n4 2024-04-02 a 10",
		"returns": "id day shop amount\n1 2024-01-15 a 5\n2 2024-03-07 b 20",
	})
}

const inMonths = `"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}]`

func TestWindowLaw_BucketsWithoutRows(t *testing.T) {
	w := ledgersWorld(t)
	w.answers(t, `{"metrics":["running_sold","running_returned","kept","returned_3","sold_before","returns_before","running_returns"],`+inMonths+`}`, `
		metric_time__month | running_sold | running_returned | kept | returned_3 | sold_before | returns_before | running_returns
		2024-01-01 | 100 | 5 | 95 | 5 | ∅ | 0 | 1
		2024-02-01 | 150 | 5 | 145 | 5 | 100 | 1 | 1
		2024-03-01 | 150 | 25 | 125 | 25 | 50 | 0 | 2
		2024-04-01 | 160 | 25 | 135 | 20 | ∅ | 1 | 2`)
	w.answers(t, `{"metrics":["sales","full_returned_2","returns_delta","returns_after","buckets_of_returns","all_returns","returned_2","full_2","range_frame"],`+inMonths+`}`, `
		metric_time__month | sales | full_returned_2 | returns_delta | returns_after | buckets_of_returns | all_returns | returned_2 | full_2 | range_frame
		2024-01-01 | 2 | ∅ | 1 | 0 | 1 | 1 | 5 | ∅ | 5
		2024-02-01 | 1 | ∅ | -1 | 1 | 1 | 1 | 5 | ∅ | 5
		2024-03-01 | 0 | ∅ | 1 | 0 | 2 | 2 | 20 | ∅ | 20
		2024-04-01 | 1 | ∅ | -1 | 0 | 2 | 2 | 20 | ∅ | 20`)
}

// The parts of one base have their rows in different months. A month without returns takes nothing away.
func TestWindowLaw_BaseOfTwoFacts(t *testing.T) {
	ledgersWorld(t).answers(t, `{"metrics":["kept_so_far","per_sale_2"],`+inMonths+`}`, `
		metric_time__month | kept_so_far | per_sale_2
		2024-01-01 | 95 | 50
		2024-02-01 | 145 | 50
		2024-03-01 | 125 | 50
		2024-04-01 | 135 | 10`)
}

// Alone, returns have rows in January and March only.
func TestWindowLaw_OtherMetricsAddRowsOnly(t *testing.T) {
	ledgersWorld(t).answers(t, `{"metrics":["running_returned","returned_3","returns_before"],`+inMonths+`}`, `
		metric_time__month | running_returned | returned_3 | returns_before
		2024-01-01 | 5 | 5 | 0
		2024-03-01 | 25 | 25 | 0`)
}

// Ranks, values, row frames and whole partitions speak of rows: February and April are not among them.
func TestWindowLaw_RowWindowsRunOverRowsWithData(t *testing.T) {
	ledgersWorld(t).answers(t, `{"metrics":["sold","row_frame","return_rank","first_return","return_total"],`+inMonths+`}`, `
		metric_time__month | sold | row_frame | return_rank | first_return | return_total
		2024-01-01 | 100 | 5 | 2 | 5 | 25
		2024-02-01 | 50 | ∅ | ∅ | ∅ | ∅
		2024-03-01 | ∅ | 25 | 1 | 5 | 25
		2024-04-01 | 10 | ∅ | ∅ | ∅ | ∅`)
}

// The counts 4, nothing, 2 have the mean 3, and a month that has 3 before it and no row is 3 less.
func TestWindowLaw_MonthWithoutDataIsNotZero(t *testing.T) {
	given(t, `
		t(id! Integer, day Date)
		u(id! Integer, day Date)
		others: COUNT(u.id)
		mean: COUNT(t.id) {"window":{"type":"rolling","function":"avg","periods":3}}
		change: COUNT(t.id) {"window":{"type":"pop","offset":"1 month","calculation":"delta"}}`,
		map[string]string{
			"t": "id day\n1 2024-01-01\n2 2024-01-02\n3 2024-01-03\n4 2024-01-04\n5 2024-03-01\n6 2024-03-02\n7 2024-06-01\n8 2024-06-02\n9 2024-06-03",
			"u": "id day\n1 2024-02-01\n2 2024-07-09",
		}).answers(t, `{"metrics":["mean","change"],`+inMonths+`,"time_range":{"start":"2024-01-01","end":"2024-08-01"},"fill":{}}`, `
		metric_time__month | mean | change
		2024-01-01 | 4 | 4
		2024-02-01 | 4 | -4
		2024-03-01 | 3 | 2
		2024-04-01 | 2 | -2
		2024-05-01 | 2 | 0
		2024-06-01 | 3 | 3
		2024-07-01 | 3 | -3`)
}

// 30 February does not exist; 29 February 2023 does not either.
func TestWindowLaw_BucketThatDoesNotExist(t *testing.T) {
	given(t, `
		t(id! Integer, day Date)
		before: COUNT(t.id) {"window":{"type":"pop","offset":"1 month","calculation":"value"}}
		last_year: COUNT(t.id) {"window":{"type":"pop","offset":"1 year","calculation":"value"}}`,
		map[string]string{"t": "id day\n1 2024-02-29\n2 2024-03-29\n3 2024-03-30"}).
		answers(t, `{"metrics":["before","last_year"],"group_by":[{"field":"t.day","grain":"day"}],"order_by":[{"key":"day__day"}]}`, `
		day__day | before | last_year
		2024-02-29 | 0 | ∅
		2024-03-29 | 1 | 0
		2024-03-30 | ∅ | 0`)
}

// Shop b has orders in January and returns in March, each of them a row of both facts' windows.
func TestWindowLaw_GroupsPartition(t *testing.T) {
	w := given(t, ledgers+"\n\tshops(shop! String)\n\torders.shop -> shops.shop\n\treturns.shop -> shops.shop", map[string]string{
		"shops":   "shop\na\nb",
		"orders":  "id day shop amount\n1 2024-01-10 a 60\n2 2024-01-20 b 40\n3 2024-02-05 a 50\n4 2024-02-06 z 9\n5 ∅ a 3",
		"returns": "id day shop amount\n1 2024-01-15 a 5\n2 2024-02-07 b 20\n3 2024-02-08 ∅ 1",
	})
	w.answers(t, `{"metrics":["running_sold","running_returned","returns_before"],"group_by":[{"field":"shops.shop"},{"field":"metric_time","grain":"month"}],"totals":[["metric_time__month"],["shop"]],"order_by":[{"key":"shop"},{"key":"metric_time__month"}]}`, `
		shop | metric_time__month | running_sold | running_returned | returns_before | level
		a | 2024-01-01 | 60 | 5 | 0 | 0
		a | 2024-02-01 | 110 | 5 | 1 | 0
		a | ∅ | ∅ | ∅ | ∅ | 0
		b | 2024-01-01 | 40 | ∅ | 0 | 0
		b | 2024-02-01 | 40 | 20 | 0 | 0
		∅ | 2024-02-01 | 9 | 1 | 0 | 0
		∅ | 2024-01-01 | 100 | 5 | 0 | 1
		∅ | 2024-02-01 | 159 | 26 | 1 | 1
		∅ | ∅ | ∅ | ∅ | ∅ | 1
		a | ∅ | ∅ | ∅ | ∅ | 2
		b | ∅ | ∅ | ∅ | ∅ | 2
		∅ | ∅ | ∅ | ∅ | ∅ | 2`)
}
