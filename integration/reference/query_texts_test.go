package reference_test

import "testing"

func TestInlineMetrics_AreMetricsOfTheQuery(t *testing.T) {
	w := tradeWorld(t)
	w.answers(t, `{"metrics":["sold",{"name":"twice","expression":"2 * SUM(sales.amount)"},{"name":"per_refund","expression":"twice / refund_count"},{"name":"left_over","expression":"sold - returned_or_none"}],"group_by":[{"field":"customers.region"}],"where_sql":"twice >= 10","shares":[{"metric":"twice"}]}`, `
		region | sold | twice | per_refund | left_over | twice__share
		north | 30 | 60 | 60 | 26 | 0.6666666667
		south | 5 | 10 | ∅ | 5 | 0.1111111111
		∅ | 10 | 20 | 20 | 4 | 0.2222222222`)
	w.answers(t, `{"metrics":[{"name":"rows","expression":"COUNT(*)","dataset":"sales"}],"group_by":[{"field":"customers.region"}],"limit":2}`, `
		region | rows
		north | 2
		south | 1`)
	w.refuses(t, `{"metrics":["sold",{"name":"sold","expression":"SUM(sales.amount)"}]}`, "duplicate_output_name")
	w.refuses(t, `{"metrics":[{"name":"rows","expression":"COUNT(*)"}]}`, "count_star_needs_dataset")
	w.refuses(t, `{"metrics":[{"name":"rows","expression":"COUNT(*)","dataset":"shops"}]}`, "unknown_dataset")
	w.refuses(t, `{"metrics":[{"name":"both","expression":"SUM(sales.amount * refunds.amount)"}]}`, "cross_dataset_aggregate")
}

func TestGroupExpressions_AreEvaluatedBehindTheJoins(t *testing.T) {
	w := tradeWorld(t)
	// The sales of no customer and of customer 99 meet none; customer 3, whom a refund has, is of
	// no region.
	w.answers(t, `{"metrics":["sold","refund_count"],"group_by":[{"name":"where","expression":"COALESCE(customers.region, 'none')"}],"order_by":[{"key":"where"}]}`, `
		where | sold | refund_count
		none | 10 | 1
		north | 30 | 1
		south | 5 | 0`)
	// A condition on the name is one on the rows of the result.
	w.answers(t, `{"metrics":["sold"],"group_by":[{"name":"large","expression":"sales.amount > 6 AND customers.fee >= 100"}],"where_sql":"large IS NOT NULL","totals":[[]]}`, `
		large | sold | level
		false | 8 | 0
		true | 30 | 0
		∅ | 45 | 1`)
	w.answers(t, `{"metrics":["sold"],"group_by":[{"name":"one","expression":"1"}]}`, "one | sold\n1 | 45")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"SUM(sales.amount)"}]}`, "unsupported_expression")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"sold + 1"}]}`, "unsupported_expression")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"metric_time"}]}`, "unsupported_expression")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"town"}]}`, "unknown_column")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"sales.town"}]}`, "unknown_field")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"shops.town"}]}`, "unknown_dataset")
	w.refuses(t, `{"metrics":["sold"],"group_by":[{"name":"x","expression":"amount"}]}`, "ambiguous_column")
	// Refunds do not reach the sales that the expression names beside the region.
	w.refuses(t, `{"metrics":["sold","returned"],"group_by":[{"name":"x","expression":"CONCAT(customers.region, sales.amount)"}]}`, "no_join_path")
}

func TestWith_FieldsBelongToTheQuery(t *testing.T) {
	w := tradeWorld(t)
	const spent = `"with":[{"dataset":"customers","name":"spent","expression":"SUM(sales.amount)","lod":{"grain":["customer"]}},{"dataset":"customers","name":"tier","expression":"CASE WHEN spent > 10 THEN 'good' ELSE 'low' END"}]`
	w.answers(t, `{"metrics":["fees","customer_count"],`+spent+`,"where_sql":"customers.spent < 10"}`, "fees | customer_count\n200 | 1")
	w.answers(t, `{"metrics":["sold","returned"],`+spent+`,"group_by":[{"field":"tier"}]}`, `
		tier | sold | returned
		good | 30 | 4
		low | 5 | 6
		∅ | 10 | ∅`)
	// An anti-join: customers without a refund.
	w.answers(t, `{"metrics":["customer_count"],"with":[{"dataset":"customers","name":"refunds","expression":"COUNT(refunds.id)","lod":{"grain":["customer"]}}],"where_sql":"customers.refunds = 0"}`, "customer_count\n1")
	w.refuses(t, `{"metrics":["sold"],"with":[{"dataset":"customers","name":"fee","expression":"1"}]}`, "duplicate_output_name")
	w.refuses(t, `{"metrics":["sold"],"with":[{"dataset":"towns","name":"x","expression":"1"}]}`, "unknown_dataset")
	w.refuses(t, `{"metrics":["sold"],"with":[{"dataset":"customers","name":"x","expression":"SUM(sales.amount)"}]}`, "unsupported_expression")
	w.details(t, `{"from":"customers","fields":["customer","spent"],`+spent+`,"where_sql":"tier = 'low'"}`, `
		customer | spent
		2 | 5
		3 | ∅`)
}
