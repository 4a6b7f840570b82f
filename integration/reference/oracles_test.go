package reference_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/reference"
)

func orders(t *testing.T) world {
	return world{model: fixture(t, "orders"), data: reference.Data{
		"orders": rows(`order_id customer_id product_id order_date status amount
			1 1 10 2024-01-05 completed 100
			2 1 11 2024-01-20 completed 50
			3 2 10 2024-02-10 completed 80
			4 2 11 2024-02-15 cancelled 30
			5 3 12 2024-02-20 completed 120
			6 1 12 2024-03-01 cancelled 70`),
		"customers": rows(`customer_id region signup_date
			1 east 2023-12-01
			2 west 2023-11-15
			3 east 2024-01-10`),
		"products": rows(`product_id category unit_cost
			10 books 20
			11 toys 10
			12 books 60`),
	}}
}

func TestWorked_MonthlyOrders(t *testing.T) {
	w := orders(t)
	w.answers(t, `{"metrics":["revenue","order_count","unique_customers","avg_order_value","total_margin"]}`, `
		revenue | order_count | unique_customers | avg_order_value | total_margin
		450 | 6 | 3 | 75 | 360`)
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}]}`, `
		status | revenue
		cancelled | 100
		completed | 350`)
	w.answers(t, `{"metrics":["revenue","revenue_running","revenue_rolling_avg_2","revenue_mom"],"group_by":[{"field":"metric_time","grain":"month"}]}`, `
		metric_time__month | revenue | revenue_running | revenue_rolling_avg_2 | revenue_mom
		2024-01-01 | 150 | 150 | 150 | ∅
		2024-02-01 | 230 | 380 | 190 | 0.5333333333
		2024-03-01 | 70 | 450 | 150 | -0.6956521739`)
	w.refuses(t, `{"metrics":["revenue"],"group_by":[{"field":"customer_id"}]}`, "ambiguous_dimension")
}

func TestWindow_ResetTakesOwnOrFinerGrain(t *testing.T) {
	t.Run("a window with a reset takes the grain of the reset and finer grains", func(t *testing.T) {
		w := orders(t)
		w.answers(t, `{"metrics":["revenue_month_to_date"],"group_by":[{"field":"metric_time","grain":"day"}]}`, `
		metric_time__day | revenue_month_to_date
		2024-01-05 | 100
		2024-01-20 | 150
		2024-02-10 | 80
		2024-02-15 | 110
		2024-02-20 | 230
		2024-03-01 | 70`)
		// The weeks begin on 1 and 15 January, 5, 12, 19 and 26 February: the order
		// of 1 March counts for February, whose Monday its week has.
		w.answers(t, `{"metrics":["revenue_month_to_date"],"group_by":[{"field":"metric_time","grain":"week"}]}`, `
		metric_time__week | revenue_month_to_date
		2024-01-01 | 100
		2024-01-15 | 150
		2024-02-05 | 80
		2024-02-12 | 110
		2024-02-19 | 230
		2024-02-26 | 300`)
		w.answers(t, `{"metrics":["revenue_month_to_date"],"group_by":[{"field":"metric_time","grain":"month"}]}`, `
		metric_time__month | revenue_month_to_date
		2024-01-01 | 150
		2024-02-01 | 230
		2024-03-01 | 70`)
		for _, grain := range []string{"quarter", "year"} {
			w.refuses(t, `{"metrics":["revenue_month_to_date"],"group_by":[{"field":"metric_time","grain":"`+grain+`"}]}`, "window_reset_too_fine")
		}
	})
}

func TestWindow_RankTimeAxis(t *testing.T) {
	t.Run("a rank needs a time axis only if it ranks within buckets", func(t *testing.T) {
		w := orders(t)
		w.answers(t, `{"metrics":["revenue_rank"],"group_by":[{"field":"orders.status"}]}`, `
		status | revenue_rank
		cancelled | 2
		completed | 1`)
		w.refuses(t, `{"metrics":["revenue_rank_in_bucket"],"group_by":[{"field":"orders.status"}]}`, "unknown_dimension")
		w.answers(t, `{"metrics":["revenue_rank_in_bucket"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"orders.status"}]}`, `
		metric_time__month | status | revenue_rank_in_bucket
		2024-01-01 | completed | 1
		2024-02-01 | cancelled | 2
		2024-02-01 | completed | 1
		2024-03-01 | cancelled | 1`)
	})
}

func scores(t *testing.T) world {
	return world{model: fixture(t, "scores"), data: reference.Data{"scores": rows(`product item points
		p1 e 40
		p1 d 30
		p1 b 20
		p1 c 20
		p1 a 10
		p2 j 9
		p2 i 7
		p2 f 5
		p2 g 5
		p2 h 5`)}}
}

const byItem = `"group_by":[{"field":"scores.product"},{"field":"scores.item"}]`

func TestWorked_Scores(t *testing.T) {
	w := scores(t)
	w.answers(t, `{"metrics":["item_rank","items_in_product"],`+byItem+`}`, `
		product | item | item_rank | items_in_product
		p1 | a | 5 | 5
		p1 | b | 3 | 5
		p1 | c | 3 | 5
		p1 | d | 2 | 5
		p1 | e | 1 | 5
		p2 | f | 3 | 5
		p2 | g | 3 | 5
		p2 | h | 3 | 5
		p2 | i | 2 | 5
		p2 | j | 1 | 5`)
	w.answers(t, `{"metrics":["item_rank","items_in_product"],`+byItem+`,"where_sql":"scores.item IN ('b','i')"}`, `
		product | item | item_rank | items_in_product
		p1 | b | 3 | 5
		p2 | i | 2 | 5`)
	w.answers(t, `{"metrics":["item_rank","items_in_product"],`+byItem+`,"context_filter":"scores.item IN ('b','i')"}`, `
		product | item | item_rank | items_in_product
		p1 | b | 1 | 1
		p2 | i | 1 | 1`)
	w.answers(t, `{"metrics":["score_total"],`+byItem+`,"where_sql":"score_total > 20"}`, `
		product | item | score_total
		p1 | d | 30
		p1 | e | 40`)
	w.refuses(t, `{"metrics":["score_total"],`+byItem+`,"where_sql":"item_rank > 1"}`, "result_filter_metric_not_selected")
	w.answers(t, `{"metrics":["score_total","item_rank"],`+byItem+`,"where_sql":"item_rank > 2"}`, `
		product | item | score_total | item_rank
		p1 | a | 10 | 5
		p1 | b | 20 | 3
		p1 | c | 20 | 3
		p2 | f | 5 | 3
		p2 | g | 5 | 3
		p2 | h | 5 | 3`)
	w.answers(t, `{"metrics":["score_total"],`+byItem+`,"where_sql":"score_total > 99"}`, `product | item | score_total`)
}

func TestWorked_OrphansInNullGroup(t *testing.T) {
	w := world{model: fixture(t, "nullkeys"), data: reference.Data{
		"orders": rows(`order_id customer_id amount
			1 1 10
			2 ∅ 7
			3 99 5`),
		"customers": rows("customer_id region\n1 north"),
	}}
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, `
		region | revenue
		north | 10
		∅ | 12`)
	w.answers(t, `{"metrics":["revenue"],"group_by":[{"field":"customers.region_label"}]}`, `
		region_label | revenue
		north | 10
		∅ | 12`)
}

func TestWorked_LedgerParameter(t *testing.T) {
	w := world{model: fixture(t, "ledger"), data: reference.Data{"ledger": rows(`entry_id d cat x y
		1 2024-01-05 a 100 20
		2 2024-01-20 b 50 10
		3 2024-02-10 a 80 20
		4 2024-02-15 b 30 10
		5 2024-02-20 a 120 60
		6 2024-03-05 ∅ 100 0
		7 2024-03-05 (null) 40 0
		8 2024-04-10 ∅ 130 0
		9 2024-04-10 (null) 60 0`)}}
	// Above 50: 100 + 80 + 120 + 100 + 130 + 60; above 100: 120 + 130.
	w.answers(t, `{"metrics":["x_above"],"params":{"t":[50,100]}}`, `
		x_above__50 | x_above__100
		590 | 250`)
	w.answers(t, `{"metrics":["x_above"]}`, `
		x_above
		590`)
	w.answers(t, `{"metrics":["net","x_times_y","cats"],"time_range":{"start":"2024-02-01","end":"2024-03-01"}}`, `
		net | x_times_y | cats
		140 | 20700 | 2`)
	w.refuses(t, `{"metrics":["x_above"],"params":{"t":70}}`, "param_out_of_domain")
	w.refuses(t, `{"metrics":["sum_x"],"params":{"t":50}}`, "unknown_metric_param")
}
